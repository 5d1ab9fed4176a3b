// Reads C++ as far as the rules need it: text without comments and literals, includes, words.
// Pure. Not a parser: clang-tidy has one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tree {

// The text with comments and the content of literals blanked; lines and columns stay.
std::string code_of(std::string_view text);

std::vector<std::string_view> lines_of(std::string_view text);

struct Include {
  std::size_t line = 0;
  std::string target;  // without quotes or brackets
  bool quoted = false;
};
std::vector<Include> includes_of(std::string_view text);

// Lines of `code` with `word`, not as a part of a longer word.
std::vector<std::size_t> lines_with_word(std::string_view code, std::string_view word);
// Lines that contain `piece`.
std::vector<std::size_t> lines_with(std::string_view text, std::string_view piece);

}  // namespace tree
