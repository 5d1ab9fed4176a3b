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

// Does the text before a brace, from the last statement on, begin a function?
bool heads_function(std::string_view header) {
  int depth = 0;
  bool parenthesis = false;
  for (const char c : header) {
    if (c == '(') parenthesis = true;
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == '=' && depth == 0 && header.find("operator") == std::string_view::npos) return false;
  }
  return parenthesis && depth == 0 && lines_with_word(header, "namespace").empty();
}

std::size_t matching(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == '{') ++depth;
    if (code[i] == '}' && --depth == 0) return i;
  }
  return code.size() - 1;
}

// Directives have braces and no semicolons, which would confuse the detection of functions.
std::string without_directives(std::string_view code) {
  std::string out(code);
  bool directive = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool begins = i == 0 || out[i - 1] == '\n';
    if (begins && !(directive && i >= 2 && code[i - 2] == '\\')) directive = out[i] == '#';
    if (directive && out[i] != '\n') out[i] = ' ';
  }
  return out;
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

std::vector<Body> bodies_of(std::string_view text) {
  const std::string code = without_directives(text);
  std::vector<Body> found;
  std::size_t header = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] == '{' && heads_function(std::string_view(code).substr(header, i - header))) {
      const std::size_t close = matching(code, i);
      found.push_back({line_at(code, i), line_at(code, close) - line_at(code, i) + 1});
      i = close;
    }
    if (code[i] == ';' || code[i] == '{' || code[i] == '}') header = i + 1;
  }
  return found;
}

}  // namespace tree
