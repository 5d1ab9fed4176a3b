#include "config/keys/query.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/keys/sql_text.hpp"
#include "config/text.hpp"

namespace surveybridge::config {
namespace {

constexpr std::size_t kLargest = 64 * 1024;
constexpr std::string_view kBlank = " \t\r\n";

bool is_strange(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n') || c == 0x7f;
}

// The configuration does not know yet which database reads the query.
constexpr SqlSyntax kAnySyntax{.escape_strings = true, .dollar_quotes = true, .backquotes = true};

// The first character from `at` on that is neither blank nor comment.
std::size_t next_word(std::string_view sql, std::size_t at) {
  while (at < sql.size()) {
    if (kBlank.find(sql[at]) != std::string_view::npos) {
      ++at;
    } else if (is_comment(sql, at, kAnySyntax)) {
      at = after_opaque(sql, at, kAnySyntax);
    } else {
      break;
    }
  }
  return at;
}

// The end of the first statement: its semicolon or the end of the text.
std::size_t statement_end(std::string_view sql) {
  std::size_t at = 0;
  while (at < sql.size() && sql[at] != ';')
    at = std::max(after_opaque(sql, at, kAnySyntax), at + 1);
  return std::min(at, sql.size());
}

std::string first_word(std::string_view sql) {
  const std::size_t begin = next_word(sql, 0);
  std::size_t end = begin;
  while (end < sql.size() && std::isalpha(static_cast<unsigned char>(sql[end])) != 0)
    ++end;
  return upper_case(sql.substr(begin, end - begin));
}

std::string trimmed(std::string_view sql) {
  const std::size_t first = sql.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return "";
  return std::string(sql.substr(first, sql.find_last_not_of(kBlank) - first + 1));
}

}  // namespace

Answer<std::string> read_query(const std::string& text) {
  if (text.size() > kLargest) {
    return Broken{fmt::format("must be at most {} bytes, got {}", kLargest, text.size())};
  }
  if (std::any_of(text.begin(), text.end(), is_strange)) {
    return Broken{"must have no control characters"};
  }
  const std::string word = first_word(text);
  if (word != "SELECT" && word != "WITH") {
    return Broken{"must be a query that begins with SELECT or WITH" +
                  (word.empty() ? "" : ", got " + quoted(word))};
  }
  const std::size_t end = statement_end(text);
  std::size_t after = end;
  while (after < text.size() && text[after] == ';')
    after = next_word(text, after + 1);
  if (after < text.size()) return Broken{"must be one statement: there is text behind the \";\""};
  return trimmed(std::string_view(text).substr(0, end));
}

Kind<std::string> query() {
  return with_pattern(
      R"(^\s*(--|/\*|#|[Ss][Ee][Ll][Ee][Cc][Tt]([^A-Za-z]|$)|[Ww][Ii][Tt][Hh]([^A-Za-z]|$)))",
      from_text<std::string>("an SQL query (SELECT or WITH)", read_query));
}

}  // namespace surveybridge::config
