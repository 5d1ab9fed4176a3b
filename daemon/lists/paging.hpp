// Where a list ends (docs/SERVICE.md 4.5): no next cursor, one already seen in this
// walk, or two empty pages in a row. A short page is not the end. And how often it may start again.
// Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace surveybridge::daemon {

struct PageHistory {
  std::set<std::string> cursors;            // followed so far
  std::optional<std::string> empty_cursor;  // of the page before, where that was empty
};

// Notes the page that `cursor` brought; is it the last one? A page may be read again, because what
// came of it could not be stored: that is no second one.
inline bool is_last_page(PageHistory& trail, const std::string& cursor, std::size_t records,
                         const std::string& next_cursor) {
  const bool empty = records == 0;
  const bool two_empty = empty && trail.empty_cursor.value_or(cursor) != cursor;
  if (!two_empty) trail.empty_cursor = empty ? std::optional(cursor) : std::nullopt;
  trail.cursors.insert(cursor);
  return next_cursor.empty() || trail.cursors.count(next_cursor) > 0 || two_empty;
}

// Where a walk fell: had to start again, because the service no longer knew its cursor. That
// happens; in trouble is one that comes no further than the time before, and until it has come
// further its good pages do not show that the trouble is over.
class RestartTracker {
 public:
  // It fell after so many pages. No further on than before?
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
