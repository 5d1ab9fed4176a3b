// Where a list ends ("Paging" of service-practice.md): no next cursor, one already seen in this
// walk, or two empty pages in a row. A short page is not the end. Pure.
#pragma once

#include <set>
#include <string>

namespace surveybridge::daemon {

struct Trail {
  std::set<std::string> cursors;  // followed so far
  int empty_pages = 0;            // in a row
};

// Notes the page that `cursor` brought; is it the last one?
inline bool is_last_page(Trail& trail, const std::string& cursor, std::size_t records,
                         const std::string& next_cursor) {
  constexpr int kEmptyPagesMax = 2;
  trail.empty_pages = records == 0 ? trail.empty_pages + 1 : 0;
  trail.cursors.insert(cursor);
  return next_cursor.empty() || trail.cursors.count(next_cursor) > 0 ||
         trail.empty_pages >= kEmptyPagesMax;
}

}  // namespace surveybridge::daemon
