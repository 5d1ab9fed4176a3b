#include "tests/tree/code.hpp"

#include <algorithm>
#include <cctype>

#include "tests/tree/tree.hpp"

namespace tree {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The position after a literal or comment that begins at `at`; `at` if there is none.
std::size_t behind_literal(std::string_view text, std::size_t at) {
  const auto past = [&](std::string_view end, std::size_t from) {
    const auto found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (starts(text.substr(at), "//")) return std::min(text.find('\n', at), text.size());
  if (starts(text.substr(at), "/*")) return past("*/", at + 2);
  if (starts(text.substr(at), "R\"") && (at == 0 || !is_word(text[at - 1]))) {
    const auto open = std::min(text.find('(', at), text.size() - 1);
    return past(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"", open);
  }
  const char quote = text[at];
  const bool digits = quote == '\'' && at > 0 && is_word(text[at - 1]);  // 100'000
  if ((quote != '"' && quote != '\'') || digits) return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != quote && text[end] != '\n')
    end += text[end] == '\\' ? 2u : 1u;
  return std::min(end + 1, text.size());
}

std::size_t line_at(std::string_view text, std::size_t place) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(place);
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

}  // namespace

std::string code_of(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i < out.size();) {
    const std::size_t end = behind_literal(text, i);
    const bool comment = text[i] == '/';
    const std::size_t edge = comment ? 0 : 1;  // a literal keeps its quotes
    for (std::size_t k = i + edge; k + edge < end; ++k)
      if (out[k] != '\n') out[k] = ' ';
    i = std::max(end, i + 1);
  }
  return out;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> found;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (!starts(line, "#include ") || line.size() < 12) continue;
    const bool quoted = line[9] == '"';
    const auto end = line.find(quoted ? '"' : '>', 10);
    if (end != std::string_view::npos)
      found.push_back({number, std::string(line.substr(10, end - 10)), quoted});
  }
  return found;
}

std::vector<std::size_t> lines_with(std::string_view text, std::string_view piece) {
  std::vector<std::size_t> found;
  for (auto i = text.find(piece); i != std::string_view::npos; i = text.find(piece, i + 1))
    found.push_back(line_at(text, i));
  return found;
}

std::vector<std::size_t> lines_with_word(std::string_view code, std::string_view word) {
  std::vector<std::size_t> found;
  for (auto i = code.find(word); i != std::string_view::npos; i = code.find(word, i + 1)) {
    const std::size_t end = i + word.size();
    const bool longer = (i > 0 && is_word(word.front()) && is_word(code[i - 1])) ||
                        (end < code.size() && is_word(word.back()) && is_word(code[end]));
    if (!longer) found.push_back(line_at(code, i));
  }
  return found;
}

}  // namespace tree
