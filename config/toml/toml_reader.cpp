// read_toml() and its nodes: the only file that includes toml++.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "config/problem.hpp"
#include "config/text.hpp"
#include "config/toml/node.hpp"

namespace surveybridge::config {

namespace {

struct Describe {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("integer {}", value); }
  std::string operator()(double value) const { return fmt::format("number {}", value); }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const Date& date) const {
    const auto day = std::chrono::floor<std::chrono::days>(date.local);
    const std::chrono::year_month_day on(day);
    return fmt::format("date {:04}-{:02}-{:02}", static_cast<int>(on.year()),
                       static_cast<unsigned>(on.month()), static_cast<unsigned>(on.day()));
  }
  std::string operator()(const BareTime&) const { return "a time without quotes"; }
  std::string operator()(const Node::List&) const { return "a list"; }
  std::string operator()(const Node::Table&) const { return "a table"; }
};

}  // namespace

const Entry* find(const Node::Table& table, std::string_view key) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == table.end() ? nullptr : &*found;
}

std::string described(const Node& node) {
  return std::visit(Describe{}, node.value);
}

namespace {

// The parser is recursive, so a long dotted key would overflow the stack.
constexpr int kDeepest = 32;

// Reads the text as far as needed to tell strings and comments from structure. Text that is not
// TOML does no harm here: the parser reports it.
class Nesting {
 public:
  explicit Nesting(std::string_view text) : text_(text) {}

  bool find_too_deep() {
    while (at_ < text_.size() && open_ <= kDeepest && dots_ <= kDeepest)
      step();
    return open_ > kDeepest || dots_ > kDeepest;
  }
  int line() const { return line_; }
  int column() const { return column_; }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '#') return skip_comment();
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '[' || c == '{') ++open_;
    if ((c == ']' || c == '}') && open_ > 0) --open_;
    if (c == '.') ++dots_;
    advance();
  }

  void advance() {
    const bool new_line = text_[at_] == '\n';
    const bool continues = continues_character(text_[at_]);
    ++at_;
    if (new_line) {
      ++line_;
      column_ = 1;
      dots_ = 0;
    } else if (!continues) {
      ++column_;
    }
  }
  void advance(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count)
      advance();
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n')
      advance();
  }

  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool many_lines = text_.substr(at_, 3) == triple;
    const std::string_view end = std::string_view(triple).substr(0, many_lines ? 3 : 1);
    advance(end.size());
    while (at_ < text_.size() && text_.substr(at_, end.size()) != end) {
      if (!many_lines && text_[at_] == '\n') return;
      advance(quote == '"' && text_[at_] == '\\' ? 2 : 1);
    }
    advance(end.size());
    // A string over several lines may end with up to two quotes that belong to it.
    while (many_lines && at_ < text_.size() && text_[at_] == quote)
      advance();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
  int open_ = 0, dots_ = 0;
};

// The first place where brackets nest too deep, or where a line has too many dots outside strings
// and comments: checked before the text is parsed.
std::optional<Problem> too_deep(std::string_view text, const std::string& file) {
  Nesting nesting(text);
  if (!nesting.find_too_deep()) return std::nullopt;
  return Problem{{file, nesting.line(), nesting.column()},
                 "",
                 fmt::format("nests deeper than {} levels", kDeepest)};
}

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  TextPlace place(const toml::source_position& at) const {
    return {file_, static_cast<int>(at.line), static_cast<int>(at.column)};
  }

  Node node(const toml::node& from) const {
    Node to;
    to.place = place(from.source().begin);
    from.visit([&](const auto& typed) { to.value = value(typed); });
    if (const auto* table = from.as_table()) to.in_line = table->is_inline();
    return to;
  }

 private:
  using Any = decltype(Node::value);

  Any value(const toml::value<bool>& from) const { return from.get(); }
  Any value(const toml::value<std::int64_t>& from) const { return from.get(); }
  Any value(const toml::value<double>& from) const { return from.get(); }
  Any value(const toml::value<std::string>& from) const { return from.get(); }
  Any value(const toml::value<toml::time>&) const { return BareTime{}; }
  Any value(const toml::value<toml::date>& from) const {
    return Date{std::chrono::local_days(day(from.get())), std::nullopt};
  }
  Any value(const toml::value<toml::date_time>& from) const {
    const toml::date_time& at = from.get();
    Date date{std::chrono::local_days(day(at.date)) + clock(at.time), std::nullopt};
    if (at.offset) date.offset = std::chrono::minutes(at.offset->minutes);
    return date;
  }
  Any value(const toml::array& from) const {
    Node::List list;
    for (const toml::node& item : from)
      list.push_back(node(item));
    return list;
  }
  // toml++ sorts keys by name; the order of the file is needed.
  Any value(const toml::table& from) const {
    Node::Table table;
    for (const auto& [key, item] : from) {
      table.push_back({std::string(key.str()), place(key.source().begin), node(item)});
    }
    std::stable_sort(table.begin(), table.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    return table;
  }

  static std::chrono::year_month_day day(const toml::date& date) {
    return std::chrono::year(date.year) / date.month / date.day;
  }
  static std::chrono::microseconds clock(const toml::time& time) {
    return std::chrono::hours(time.hour) + std::chrono::minutes(time.minute) +
           std::chrono::seconds(time.second) + std::chrono::microseconds(time.nanosecond / 1000);
  }

  std::string file_;
};

// The parser's message repeats a number that it cannot read, and that may be part of a password
// without quotes. Only a name that is defined twice, and single characters, are kept.
std::string without_values(std::string text) {
  constexpr std::size_t kLongestKept = 6;  // an escaped control character
  if (text.find("redefine") != std::string::npos) return text;
  const std::size_t open = text.find('\'');
  const std::size_t close = text.rfind('\'');
  if (open == std::string::npos || close - open <= kLongestKept + 1) return text;
  return text.substr(0, open) + "the value" + text.substr(close + 1);
}

std::string_view line_of(std::string_view text, std::size_t line) {
  for (std::size_t number = 1; number < line; ++number)
    text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  return text.substr(0, text.find('\n'));
}

// `opted_out = yes`: what is meant is true or false, or a text. Empty: something else is there.
std::string truth_meant(std::string_view text, const toml::source_position& at) {
  constexpr std::string_view kNameCharacters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const std::string_view line = line_of(text, at.line);
  const std::size_t equals = line.rfind('=', at.column == 0 ? 0 : at.column - 1);
  if (equals == std::string_view::npos) return "";
  const std::size_t begin = std::min(line.find_first_not_of(" \t", equals + 1), line.size());
  const std::string_view word =
      line.substr(begin, line.find_first_not_of(kNameCharacters, begin) - begin);
  const std::string folded = lower_case(word);
  const bool yes = folded == "yes" || folded == "on" || folded == "true";
  if (!yes && folded != "no" && folded != "off" && folded != "false") return "";
  const std::size_t key_end = line.find_last_not_of(" \t", equals == 0 ? 0 : equals - 1) + 1;
  const std::size_t before = line.find_last_not_of(kNameCharacters, key_end - 1);
  const std::size_t key = before == std::string_view::npos ? 0 : before + 1;
  return std::string(line.substr(key, key_end - key)) + " = " + std::string(word) + ": write " +
         (yes ? "true" : "false") + ", or \"" + std::string(word) +
         "\" in quotes where a text is meant";
}

// `key = id`: the value in this line begins with a letter, so it is meant as a text.
bool lacks_quotes(std::string_view text, std::size_t line) {
  text = line_of(text, line);
  const auto value = text.find_first_not_of(" \t", std::min(text.find('='), text.size() - 1) + 1);
  if (text.empty() || value == std::string_view::npos) return false;
  const char first = text[value];
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
}

std::string rule(const toml::parse_error& error, std::string_view text) {
  if (const auto truth = truth_meant(text, error.source().begin); !truth.empty())
    return "is not TOML: " + truth;
  std::string said = without_values(std::string(error.description()));
  const std::string_view prefix = "Error while ";
  if (said.starts_with(prefix)) said.erase(0, prefix.size());
  const bool number = said.starts_with("parsing floating-point");  // of "id": as in "inf"
  const bool length = said.starts_with("parsing decimal integer: expected digit");  // of 2s
  if (said.ends_with("could not determine value type") || length ||
      (number && lacks_quotes(text, error.source().begin.line)))
    said += "; text needs quotes";
  return "is not TOML: " + said;
}

}  // namespace

std::variant<Node, Problem> read_toml(std::string_view text, const std::string& file) {
  if (auto problem = too_deep(text, file)) return *std::move(problem);
  const Reader reader(file);
  try {
    return reader.node(toml::parse(text, std::string_view(file)));
  } catch (const toml::parse_error& error) {
    return Problem{reader.place(error.source().begin), "", rule(error, text)};
  }
}

}  // namespace surveybridge::config
