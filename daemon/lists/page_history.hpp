// What a walk knows of the pages of a list that it has read (docs/SERVICE.md 4.5). A list ends only
// with a page without a next cursor: neither a short or empty page nor a cursor that comes again is
// its end. A list that does not end is noticed. Also counts restarts of a walk. Pure.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "daemon/job/job.hpp"
#include "mapping/codec/codec.hpp"

namespace surveybridge::daemon {

// A longer cursor, in bytes, is neither stored nor sent.
inline constexpr std::size_t kCursorBytesMax = 8192;

class PageHistory {
 public:
  // After the last page with something new, so many may be empty, or show again what an earlier
  // one has shown.
  static constexpr int kEmptyMax = 1000;
  static constexpr int kRepeatedMax = 20;

  enum class Next {
    page,         // that of the next cursor
    end,          // there is none
    begin_again,  // a cursor came again, and a page of it may have been lost
    endless,      // nothing new has come for too long
    unusable,     // the next cursor is too long
  };
  // Records the page that was read by `cursor` (empty: the first one) and says what follows.
  Next take(std::string_view cursor, const mapping::Page& page);

  // A page was asked for and was not taken. By a cursor that comes again the service may list the
  // next page then.
  void lose_page() { lost_ = true; }

  // Why the last page that was taken is followed by none, though it is not the end.
  std::string why() const;

 private:
  std::unordered_set<std::size_t> cursors_, contents_;  // hashes
  int empty_ = 0, repeated_ = 0;                        // since a page brought something new
  bool comes_again_ = false, lost_ = false;
  std::size_t next_bytes_ = 0;  // of the last next cursor
};

// Why a walk is restarted at an answer without a list behind a cursor.
inline constexpr std::string_view kBareEnd = "its list ends with an answer without a list";

// A list that has begun ends by its cursor. Where an answer without a list stands for its end, the
// walk is read again and again for a while: if it always comes to that at the same place, and never
// to a list there or further on, that is how this service ends its lists. Each part of a window has
// an end of its own.
class BareEnd {
 public:
  // A service that is restarted, or that has lost its cursors, may answer so for minutes.
  static constexpr std::chrono::minutes kApart{10};
  static constexpr int kTriesMax = 5;
  // Where a walk stands: the part of its window, and the pages of that.
  struct Place {
    std::optional<TimePoint> from, to;
    std::int64_t pages = 0;
  };
  // Is this an end? True if the walk came to no other place of this part, and to no list there or
  // further on, since kApart ago. False: it is to be read again after wait(), or is stuck.
  bool is_believed(const Place& place, TimePoint now);
  // A page with its list was read at this place, the last one of its part or not. Where the part
  // came to an end no further on, that was none: kApart begins anew with the next one.
  void passed(const Place& place, bool is_last);
  // A part that was read again for this is doubted at its first page, too.
  bool has_met(const Place& place) const { return met_.contains({place.from, place.to}); }
  Duration wait() const { return wait_; }
  // The walk comes to one place after the other. A first page without a list does not count: it may
  // be one of a service that is away.
  bool is_stuck() const { return tries_ > kTriesMax; }

 private:
  struct Met {
    std::int64_t pages;
    std::optional<TimePoint> since;  // empty: it was passed
  };
  std::map<std::pair<std::optional<TimePoint>, std::optional<TimePoint>>, Met> met_;  // by part
  int tries_ = 0;  // since an end was believed
  Duration wait_{0};
};

// How far a walk came before each restart (the service no longer knew its cursor). A restart is
// normal; a walk that gets no further than before the last restart is in trouble, until it has got
// further.
class RestartTracker {
 public:
  // The walk restarts after this many pages. Returns whether it got no further than before.
  bool no_further(std::int64_t pages) {
    const bool further = past(pages);
    furthest_ = std::max(furthest_, pages);
    return !further;
  }
  bool past(std::int64_t pages) const { return pages > furthest_; }

 private:
  std::int64_t furthest_ = 0;
};

}  // namespace surveybridge::daemon
