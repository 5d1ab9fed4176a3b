// Reads a list from its first page to its end, and around what the service does not answer. All
// rules about ends, answers without a list, cursors, bounds, parts of a window and restarts are
// here (docs/SERVICE.md 4.5). Nothing is stored.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/pulled/walk_store.hpp"
#include "connectors/service/api.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry.hpp"

namespace surveybridge::daemon {

// A longer cursor, in bytes, is neither stored nor sent.
inline constexpr std::size_t kCursorBytesMax = 8192;
// Why a cursor is neither stored nor sent; empty: it may be.
std::string problem_of_cursor(std::string_view cursor);

inline bool is_open(const crm::StoredWalk& walk) {
  return walk.window_to.has_value();
}

// Begins the window with its first page.
crm::StoredWalk first_page(crm::StoredWalk walk, TimePoint db_now);

// The state of the walk after a page. After the last page, which has no next cursor, the window, or
// the part of it that is open, is closed and the watermark moved.
crm::StoredWalk after_page(crm::StoredWalk walk, const std::string& next_cursor, TimePoint db_now);

// Begins the open part of the window again with its first page.
crm::StoredWalk start_again(crm::StoredWalk walk);

// No part of a window is shorter: a second, or a day where dates are written without their time.
Duration shortest_part(const config::ServiceDialect& dialect);
// Divides the open window into parts and begins with the first; nullopt if it is not longer than
// the shortest part. After each part the next one is twice as long.
std::optional<crm::StoredWalk> divided(crm::StoredWalk walk, std::int64_t parts, TimePoint db_now,
                                       Duration shortest = std::chrono::seconds{1});

// What a walk knows of the pages of a list that it has read. A list ends only with a page without a
// next cursor: neither a short or empty page nor a cursor that comes again is its end. A list that
// does not end is noticed.
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
    unusable,     // the next cursor is too long, or was not read as it came
    too_many,     // the walk has as many pages as it may have (PageBounds)
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
  std::string cursor_problem_;  // of the last next cursor
};

// A list that has begun ends by its cursor. Where an answer without a list stands for its end, the
// walk is read again and again for a while: if it always comes to that at the same place, and never
// to a list there or further on, that is how this service ends its lists. Each part of a window has
// an end of its own.
class BareEnd {
 public:
  // A service that is restarted, or that has lost its cursors, may answer so for minutes.
  static constexpr std::chrono::minutes kApart{10};
  static constexpr int kTriesMax = 5;
  // Is the place of this walk an end? True if the walk came to no other place of this part, and to
  // no list there or further on, since kApart ago. False: it is to be read again after wait(), or
  // is stuck.
  bool is_believed(const crm::StoredWalk& place, TimePoint now);
  // A page with its list was read at this place, the last one of its part or not. Where the part
  // came to an end no further on, that was none: kApart begins anew with the next one.
  void passed(const crm::StoredWalk& place, bool is_last);
  // A part that was read again for this is doubted at its first page, too.
  bool has_met(const crm::StoredWalk& place) const { return met_.contains(part_of(place)); }
  Duration wait() const { return wait_; }
  // The walk comes to one place after the other. A first page without a list does not count: it may
  // be one of a service that is away.
  bool is_stuck() const { return tries_ > kTriesMax; }

 private:
  using Part = std::pair<std::optional<TimePoint>, std::optional<TimePoint>>;
  static Part part_of(const crm::StoredWalk& place) { return {place.window_from, place.window_to}; }

  struct Met {
    std::int64_t pages;
    std::optional<TimePoint> since;  // empty: it was passed
  };
  std::map<Part, Met> met_;
  int tries_ = 0;  // since an end was believed
  Duration wait_{0};
};

// After so many such failures of one request in a row what it asks for may be the cause: one record
// that the service cannot show (5xx, a time-out), or an answer that cannot be read. nullopt: it is
// not, or the service says how long to wait.
std::optional<int> failures_max(const service::Trouble& trouble);

// A page that fails again and again may hold one record that is the cause. Where the list answers
// otherwise, its window is divided, down to the part that is not answered. Where one part after the
// other is left out, it is not one record: nothing more is left out.
class ReadAround {
 public:
  // So many parts in a row that are not answered are the service's trouble.
  static constexpr int kLeftOutInARow = 3;
  enum class Next {
    wait,        // ask for the page again, later
    ask_before,  // ask for a second before the window, to learn whether the list answers at all
    divide,      // the window; where that cannot be, leave it out
  };
  // `divisible`: the part of the window can be divided. A neighbour that was read is enough to do
  // that, and not to leave the part out.
  Next after(const service::Trouble& trouble, bool divisible);
  // The list has answered for the second before: the page is asked for once more.
  void answered() { alone_ = Alone::asked; }
  // It has not, for this one: another such record may be there. The next one lies further back.
  void unanswered() { before_ = std::min<Duration>(2 * before_, std::chrono::days{1}); }
  // How far before the window the second lies in which little or nothing is listed.
  Duration before() const { return before_; }
  // A page was read. While the window is divided that is enough to know that the list answers.
  void succeeded() { failures_ = 0, alone_ = divided_ ? Alone::by_neighbour : Alone::unknown; }
  // The open part of the window was left out, or read to its end.
  void left_out() { ++left_out_; }
  // One part after the other was left out.
  bool gave_up() const { return left_out_ == kLeftOutInARow; }
  void read_part() { left_out_ = 0; }

 private:
  int failures_ = 0;  // of one page, in a row
  // Does the list answer, but for this page?
  enum class Alone { unknown, by_neighbour, asked } alone_ = Alone::unknown;
  bool divided_ = false;
  int left_out_ = 0;  // parts in a row
  Duration before_ = std::chrono::seconds{1};
};

struct PageBounds {
  int limit = 100;                                                // records of a page
  std::int64_t pages = std::numeric_limits<std::int64_t>::max();  // a longer list is Endless
  // Refused: an answer without a list is a Trouble, and the third one Unanswered.
  service::Bare bare = service::Bare::taken;
};

class PageWalk {
 public:
  // What has this date from then on.
  struct Since {
    std::string date;  // a field, such as TransactionDate
    TimePoint from;
  };
  // Keeps its place in memory, and begins the whole list again where it must. `filters`: all but
  // that of the date. Without `since` nothing is read around.
  PageWalk(const service::ListOperation& list, std::vector<service::Parameter> filters,
           std::optional<Since> since, TimePoint now, const PageBounds& bounds = {});
  // Its place is stored: stand_at() comes first. It begins the part of its window again, and reads
  // a window in parts whose cursor expires again and again. `date`: of its windows, as in Since.
  PageWalk(const service::ListOperation& list, std::vector<service::Parameter> filters,
           std::string date, const PageBounds& bounds);

  struct Read {
    mapping::Page page;
    bool last = false;
    // Records of this date are in the part before, too; empty: there is none.
    std::optional<TimePoint> border = {};
  };
  struct Nothing {            // no page, and the next step may be made at once
    bool answered = false;    // the list answers for other records
    bool leaves_out = false;  // this part of the window is not answered: the next one follows
    bool divides = false;     // what was read of this part of the window is read again
  };
  struct Restarted {  // the next step reads the first page again
    bool stuck;       // the walk has come no further than before it was restarted last
    std::string why;
    Duration wait = {};  // before the next step
    JobStatus::Fault fault = JobStatus::Fault::unreachable;
  };
  struct Endless {
    std::string why;
    mapping::Page page;  // the last one that was read
  };
  struct Unanswered {  // again and again; without a date, or without a list
    service::Trouble trouble;
  };
  using Answer = std::variant<Read, Nothing, Restarted, Endless, Unanswered, service::Trouble>;
  // Asks for one page, and takes it. The functions below are the parts of such a step, for a caller
  // that asks ahead and stores each page with the place after it.
  Answer step(service::Api& api, TimePoint now);

  // Goes on there. Where that is another place than the one that the last page has led to, another
  // process may have asked for the page that follows.
  void stand_at(crm::StoredWalk place, TimePoint db_now);
  const crm::StoredWalk& place() const { return walk_; }
  // The parameters of a page at this place.
  std::vector<service::Parameter> asked_of(const crm::StoredWalk& place) const;
  // True: ask_before() is the next request, else ask().
  bool asks_before() const { return asks_before_; }
  // Asks for a second in which little or nothing is listed: Nothing, or its Trouble.
  Answer ask_before(service::Api& api, TimePoint now);
  std::variant<mapping::Page, service::Trouble> ask(service::Api& api, TimePoint now) const;
  // What becomes of a page that was not answered. Read: the list ends, and the rest is left out.
  Answer after_trouble(const service::Api& api, service::Trouble trouble);
  // An answer without a list stands where the list may not end yet.
  std::optional<Restarted> doubt(const mapping::Page& page, TimePoint now);
  // May an answer without a list be stored as a page with nothing on it? Two things must be so: the
  // service lists something, or nothing of this list has ever been stored; and the page, asked for
  // once more after that, has no list again.
  bool is_proved_empty() const { return proved_ == walk_.cursor; }
  // Asks for a record, first of this list and then of the customers. True: the page is to be asked
  // for once more. False: another such request decides. `has_records`: some are stored.
  std::variant<bool, service::Trouble> prove_empty(service::Api& api, TimePoint now,
                                                   const std::function<bool()>& has_records);
  // A page was asked for and is not taken.
  void lose_page() { history_.lose_page(); }
  // Takes the page and, where a page or the end of the part follows, goes on.
  PageHistory::Next follow(const mapping::Page& page);
  // What becomes of the walk where neither a page nor the end follows. The caller keeps the page:
  // Endless is returned without it.
  Answer turn_back(const service::Api& api, PageHistory::Next follows);
  // The part at `read` has ended, and no record left it meanwhile: that pays for one more division.
  void part_is_whole() { divisions_left_ = std::min(divisions_left_ + 1, kDivisionsMax); }
  // Records left it meanwhile, so that others may have been skipped: it is read again with the next
  // window, or now and in parts.
  void read_again(const service::Api& api, const crm::StoredWalk& read, bool with_the_next);

  // The next step reads the first page again.
  void begin_again();
  // Read since the walk, or the stored part of its window, began or began again.
  std::int64_t pages() const { return is_stored_ ? walk_.pages : pages_; }
  bool is_further() const { return pages() > furthest_; }
  // One part after the other is not answered: nothing more is read around.
  bool gave_up() const { return around_.gave_up(); }
  // What the service did not answer last, and why; empty: nothing.
  const std::string& left_out() const { return left_out_; }

 private:
  static constexpr int kDivisionsMax = 3;

  std::variant<bool, service::Trouble> lists_something(service::Api& api, TimePoint now) const;
  Answer read_around(const service::Api& api, const service::Trouble& trouble);
  Answer restarted(const service::Api& api, JobStatus::Fault fault, const std::string& why);
  bool divide(const service::Api& api, const crm::StoredWalk& walk, std::int64_t parts);
  void begin_part();

  const service::ListOperation* list_;
  std::vector<service::Parameter> filters_;
  std::string date_;  // of the window; empty: it has none
  std::optional<TimePoint> from_;
  TimePoint begun_{};  // the walk, or this step of a stored one by the database's clock
  PageBounds bounds_;
  bool is_stored_;
  crm::StoredWalk walk_;  // where it stands
  PageHistory history_;
  // Pages before the last restart (the service no longer knew its cursor). A restart is normal; a
  // walk that gets no further than before is in trouble, until it has got further.
  std::int64_t furthest_ = 0;
  ReadAround around_;
  bool asks_before_ = false;  // whether the list answers for anything else
  std::string left_out_;
  std::int64_t pages_ = 0;
  BareEnd bare_end_;
  // The cursor of the page for which the service has shown that it lists something.
  std::optional<std::string> proved_;
  bool asks_customers_ = false;  // this list has nothing in its widest window
  int without_list_ = 0;         // such answers since a page was read
  int divisions_left_ = kDivisionsMax;
};

// After a step that brought no page: reports what is in its way. Returns when to make the next one;
// empty: the answer is Read or Endless.
std::optional<TimePoint> when_again(const PageWalk::Answer& answer, RetryState& retry,
                                    TimePoint now);

}  // namespace surveybridge::daemon
