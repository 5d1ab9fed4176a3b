// Where a list ends (docs/SERVICE.md 4.5): no next cursor, a cursor that this walk has seen,
// or two empty pages in a row. A short page is not the end. Also counts restarts of a walk.
// Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace surveybridge::daemon {

struct PageHistory {
  std::set<std::string> cursors;            // used so far
  std::optional<std::string> empty_cursor;  // of the page before, if that was empty
};

// Whether the page of `cursor` is the last one.
inline bool ends_list(const PageHistory& history, const std::string& cursor, std::size_t records,
                      const std::string& next_cursor) {
  const bool two_empty = records == 0 && history.empty_cursor.value_or(cursor) != cursor;
  return next_cursor.empty() || next_cursor == cursor || history.cursors.contains(next_cursor) ||
         two_empty;
}

// The same, and records that page. A page that is read again, because it could not be stored,
// counts once.
inline bool is_last_page(PageHistory& history, const std::string& cursor, std::size_t records,
                         const std::string& next_cursor) {
  const bool last = ends_list(history, cursor, records, next_cursor);
  const bool empty = records == 0;
  const bool two_empty = empty && history.empty_cursor.value_or(cursor) != cursor;
  if (!two_empty) history.empty_cursor = empty ? std::optional(cursor) : std::nullopt;
  history.cursors.insert(cursor);
  return last;
}

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
