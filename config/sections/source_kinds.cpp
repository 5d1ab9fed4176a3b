// The kinds of a source's keys besides texts and numbers: template, map, words, earliest date.
#include <algorithm>

#include <fmt/format.h>

#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"
#include "config/text.hpp"

namespace surveybridge::config {
namespace {

constexpr std::size_t kLongestTemplate = 1000, kMostMeanings = 1000;

std::string nothing(const std::string&) {
  return "";
}

// "{{" and "}}" stand for the braces themselves.
Answer<std::vector<Piece>> read_pieces(std::string_view text) {
  std::vector<Piece> pieces;
  std::string literal;
  const auto end_literal = [&] {
    if (!literal.empty()) pieces.push_back({std::move(literal), ""});
    literal.clear();
  };
  while (!text.empty()) {
    const char c = text.front();
    if (text.starts_with("{{") || text.starts_with("}}")) {
      literal += c;
      text.remove_prefix(2);
    } else if (c == '}') {
      return Broken{"has a \"}\" without \"{\" (write \"}}\" for the brace itself)"};
    } else if (c == '{') {
      end_literal();
      const auto end = std::min(text.find('}'), text.size());
      const std::string_view column = text.substr(1, end - 1);
      if (end == text.size() || column.find('{') != column.npos) {
        return Broken{"has a \"{\" without \"}\" (write \"{{\" for the brace itself)"};
      }
      if (!is_name(column)) return Broken{"has a \"{}\" without a column's name in it"};
      pieces.push_back({"", std::string(column)});
      text.remove_prefix(end + 1);
    } else {
      literal += c;
      text.remove_prefix(1);
    }
  }
  end_literal();
  return pieces;
}

Answer<std::vector<Piece>> read_template(const std::string& text) {
  if (text.size() > kLongestTemplate) {
    return Broken{fmt::format("is longer than {} bytes", kLongestTemplate)};
  }
  auto read = read_pieces(text);
  const auto* pieces = std::get_if<std::vector<Piece>>(&read);
  const auto of_column = [](const Piece& piece) { return !piece.column.empty(); };
  if (pieces != nullptr && std::none_of(pieces->begin(), pieces->end(), of_column)) {
    return Broken{"names no column: write a constant as \"value\""};
  }
  return read;
}

std::optional<std::vector<Meaning>> read_meanings(const Node& node, const std::string& type,
                                                  const Trail& trail) {
  const auto* table = node.as<Node::Table>();
  if (table == nullptr || table->empty() || table->size() > kMostMeanings) {
    trail.wrong(node.place,
                must_be(type, table == nullptr ? described(node)
                              : table->empty() ? "an empty table"
                                               : fmt::format("{} of them", table->size())));
    return std::nullopt;
  }
  std::vector<Meaning> all;
  for (const Entry& entry : *table) {
    const Trail at = trail.key(entry.key);
    if (entry.key.empty()) at.wrong(entry.place, "an empty cell is null: \"default\" is for that");
    if (auto to = constant().read(entry.node, at)) all.push_back({entry.key, *to, entry.place});
  }
  return all;
}

Kind<std::vector<std::string>> texts() {
  const auto understand = [](const std::string& text) -> Answer<std::string> {
    if (is_name(text)) return text;
    return Broken{};
  };
  return list_of("a list of texts", from_text<std::string>("a text", understand, nothing));
}

void check_words(const Node::Table&, const TextPlace& place, const Trail& trail, Words& words) {
  for (const std::string& yes : words.yes) {
    for (const std::string& no : words.no) {
      if (same_ignoring_case(yes, no))
        trail.wrong(place, quoted(no) + " means both true and false");
    }
  }
}

}  // namespace

Kind<std::vector<Piece>> template_text() {
  return from_text<std::vector<Piece>>("a text with columns in braces such as \"{first} {last}\"",
                                       read_template, [](const std::vector<Piece>&) { return ""; });
}

Kind<std::vector<Meaning>> meanings() {
  const std::string type =
      fmt::format("a table of 1 to {} texts and what each becomes", kMostMeanings);
  return {type,
          [=](const Node& node, const Trail& trail) { return read_meanings(node, type, trail); }};
}

Kind<Words> words() {
  return section<Words>(
      {
          required(key("true", &Words::yes, texts(), "the column's words for true")),
          required(key("false", &Words::no, texts(), "the column's words for false")),
      },
      check_words);
}

Kind<Constant> date_or_column() {
  const std::string type = "a date without quotes, or a column's name";
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<Constant> {
    const auto* text = node.as<std::string>();
    if (text == nullptr && node.as<Date>() != nullptr) return date().read(node, trail);
    if (text != nullptr && is_name(*text)) return *text;
    trail.wrong(node.place, must_be(type, described(node)));
    return std::nullopt;
  };
  return {type, read};
}

}  // namespace surveybridge::config
