// Columns of text for a terminal. Pure.
#pragma once

#include <string>
#include <vector>

namespace surveybridge::daemon {

// The lines of a text, each at most `width` cells wide, broken at blanks where that is possible. At
// least one line.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

struct TextColumn {
  std::string head;
  bool right = false;  // its cells are figures: aligned to the right
  std::vector<std::string> cells;
};
// A line of heads, one of dashes, and the rows. The widest columns shrink until all fit into
// `width`; their texts are wrapped.
std::string columns_text(const std::vector<TextColumn>& columns, std::size_t width);

}  // namespace surveybridge::daemon
