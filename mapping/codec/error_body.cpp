// The message of an error body in any shape (docs/SERVICE.md 7). Reading never fails: a body that
// cannot be read is the message itself.
#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

#include "config/text.hpp"
#include "mapping/codec/formats.hpp"
#include "mapping/codec/refusal_words.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

constexpr std::size_t kLongestBody = 1024 * 1024;
constexpr std::size_t kLongestMessage = 500;  // characters
constexpr std::size_t kLongestName = 500;     // bytes; a longer name is no path of ours
constexpr std::string_view kCustomers = "customers";

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// The whole text as an index: up to six digits.
std::optional<std::size_t> whole_index(std::string_view text) {
  return text.size() > 6 ? std::nullopt : to_number<std::size_t>(text);
}

// The index at the beginning of `text`, which follows "Customers": "[3]", "/3" or ".3".
std::optional<std::size_t> leading_index(std::string_view text) {
  if (text.empty() || std::string_view("[/.").find(text.front()) == text.npos) return std::nullopt;
  const bool bracket = text.front() == '[';
  text.remove_prefix(1);
  std::size_t index = 0;
  const char* end = text.data() + std::min<std::size_t>(text.size(), 6);
  const auto [stop, error] = std::from_chars(text.data(), end, index);
  if (error != std::errc{}) return std::nullopt;
  const bool over = stop == text.data() + text.size();
  if (bracket ? over || *stop != ']' : !over && is_letter_or_digit(*stop)) return std::nullopt;
  return index;
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](auto other) { return same_name(name, other); });
}

// All that a path has before its "Customers".
bool begins_path(std::string_view text) {
  return is_any_of(text, {"", "/", "#/", "$.", "body/", "/body/", "#/body/", "body.", "$.body.",
                          "request/", "/request/", "#/request/", "request.", "$.request."});
}

// `words`: the text is not the name of a member. "Customers/3" may then be part of a link, and
// counts only where it begins the text.
template <typename Found>
void note_indexes(std::string_view text, bool words, const Found& found) {
  for (std::size_t at = 0; at + kCustomers.size() < text.size(); ++at) {
    if (at > 0 && is_letter_or_digit(text[at - 1])) continue;
    if (!same_name(text.substr(at, kCustomers.size()), kCustomers)) continue;
    const auto behind = text.substr(at + kCustomers.size());
    if (words && behind.front() != '[' && !begins_path(text.substr(0, at))) continue;
    if (const auto index = leading_index(behind)) found(*index);
  }
}

// Members that are the index of a customer.
bool is_index(std::string_view name) {
  return is_any_of(name, {"index", "CustomerIndex", "customer_index", "ItemIndex", "item_index",
                          "RowIndex", "row_index"});
}

// Members that name a row in a way that is not known: nobody says where they begin to count.
bool is_vague(std::string_view name) {
  return is_any_of(name, {"row", "line", "position", "number", "item", "record", "ordinal",
                          "customer", "RowNumber", "row_number", "LineNumber", "line_number",
                          "CustomerNumber", "customer_number"});
}

// Members that do not help a reader: links to explanations, details of the server.
bool is_noise(std::string_view name) {
  return is_any_of(name, {"type", "traceId", "instance", "StackTrace", "ExceptionType", "source"});
}

// Members that are the message itself. The name of any other member says what its text is about.
bool is_plain(std::string_view name) {
  return name.empty() ||
         is_any_of(name, {"Message", "MessageDetail", "ExceptionMessage", "title", "detail",
                          "error", "error_description", "errors", "string", "description"});
}

// The text as one line of printable characters.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = static_cast<unsigned char>(c) <= 0x20 || c == 0x7F;
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string bounded(std::string_view text) {
  if (!is_utf8(text)) return "(a text that is not UTF-8)";
  const auto start = first_characters(text, kLongestMessage);
  return start.size() == text.size() ? std::string(text) : std::string(start) + "…";
}

// The length of the markup at the beginning of `html`. A script or style counts with its content.
std::size_t markup_size(std::string_view html) {
  std::string_view close = ">";
  if (same_name(html.substr(0, 7), "<script")) close = "</script>";
  if (same_name(html.substr(0, 6), "<style")) close = "</style>";
  const auto end = html.find(close);
  return end == html.npos ? html.size() : end + close.size();
}

// The text of an HTML page, without its tags.
std::string words_of(std::string_view html) {
  std::string words;
  while (!html.empty() && words.size() < 4 * kLongestMessage) {
    const auto text = html.substr(0, html.find('<'));
    words += text;
    words += ' ';
    html.remove_prefix(text.size());
    html.remove_prefix(markup_size(html));
  }
  return words;
}

class Findings {
 public:
  void take(const Leaf& leaf) {
    const auto& [name, text, kind, names, item] = leaf;
    const std::size_t before = customers_.size();
    look_for_indexes(leaf);
    if (item != 0) named_by_item_[item] |= customers_.size() > before;
    if (is_vague(name) && whole_index(text)) vague_.insert(item);
    last_ = Last{std::string(name.substr(0, kLongestName)), names.size(), item,
                 kind == Token::Kind::text && same_name(text, kCustomers)};
    if (kind == Token::Kind::text) tell(name, text);
  }
  // Which customers it names is known only where every entry of a list names one.
  ServiceError result() && {
    if (is_unclear()) customers_.clear();
    std::ranges::sort(customers_);
    customers_.erase(std::unique(customers_.begin(), customers_.end()), customers_.end());
    return {bounded(one_line(message_)), std::move(customers_)};
  }

 private:
  struct Last {
    std::string name;
    std::size_t depth = 0, item = 0;
    bool is_customers = false;
  };

  void look_for_indexes(const Leaf& leaf) {
    const auto found = [&](std::size_t index) { customers_.push_back(index); };
    note_indexes(leaf.name.substr(0, kLongestName), false, found);
    if (leaf.kind == Token::Kind::text) note_indexes(trimmed(leaf.text), true, found);
    for (std::size_t i = 1; i < leaf.names.size(); ++i) {  // {"Customers": {"3": …}}
      if (!same_name(leaf.names[i - 1], kCustomers)) continue;
      if (const auto index = whole_index(leaf.names[i])) found(*index);
    }
    const auto index = whole_index(leaf.text);
    if (!index) return;
    const bool follows = last_.is_customers && last_.name == leaf.name &&
                         last_.depth == leaf.names.size() && last_.item == leaf.item;
    if (is_index(leaf.name) || follows) found(*index);  // ["Customers", 3, …]
  }

  bool is_unclear() const {
    const auto names_one = [&](const auto& item) { return item.second; };
    if (std::ranges::any_of(named_by_item_, names_one) &&
        !std::ranges::all_of(named_by_item_, names_one))
      return true;
    return std::ranges::any_of(vague_, [&](std::size_t item) {
      const auto found = named_by_item_.find(item);
      return found == named_by_item_.end() || !found->second;
    });
  }

  void tell(std::string_view name, std::string_view text) {
    if (is_noise(name) || message_.size() > 4 * kLongestMessage) return;
    if (!message_.empty()) message_ += ' ';
    // One character more than fits, so that bounded() detects that the text was longer.
    if (!is_plain(name)) message_ += std::string(first_characters(name, kLongestMessage)) + ": ";
    message_ += first_characters(text, kLongestMessage + 1);
  }

  std::string message_;
  std::vector<std::size_t> customers_;
  std::map<std::size_t, bool> named_by_item_;  // does this object of a list name a customer?
  std::set<std::size_t> vague_;                // objects with a row whose number may mean anything
  Last last_;
};

// Members whose numbers are indexes, of which 0 is one: {"error_indices": [0]}.
bool has_indexes(std::string_view name) {
  const std::string small = config::lower_case(name.substr(0, kLongestName));
  return is_index(name) || small.ends_with("index") || small.ends_with("indexes") ||
         small.ends_with("indices");
}

constexpr std::size_t kMostValues = 200'000;  // of an answer to an add

// Looks for a refusal in a body that says "done".
class Refusals {
 public:
  void take(const Leaf& leaf) {
    if (!why_.empty()) return;
    if (++values_ > kMostValues) why_ = "more values than such an answer has";
    if (leaf.names.size() == 1) take_whole(trimmed(leaf.text));
    take_inner(trimmed(leaf.text));
    if (!why_.empty()) return;
    const auto names_refusal = [](std::string_view name) {
      return names_failure(name) || names_refused_rows(name);
    };
    const bool says_some = !says_nothing(leaf.text) || has_indexes(leaf.name);
    if (tells_failure(failure_told_by(leaf.name), leaf.text))
      why_ = "\"success\": false or the like";
    else if (names_taken_rows(leaf.name) && reads_false(leaf.text))
      why_ = "that no row was taken";
    else if (says_some && std::ranges::any_of(leaf.names, names_refusal))
      why_ = "\"errors\" or the like";
  }
  const std::string& why() const { return why_; }

 private:
  // The one text that the body consists of.
  void take_whole(std::string_view text) {
    if (same_name(text, "false")) why_ = "\"false\" alone";
    if (sentence_tells_failure(text)) why_ = "an error in words";
  }
  // JSON within a text: {"d":"{\"success\":false}"}.
  void take_inner(std::string_view text) {
    if (text.starts_with('{') || text.starts_with('['))
      each_json_leaf(text, [this](const Leaf& held) { take(held); });
  }

  std::string why_;
  std::size_t values_ = 0;
};

// A few plain words, such as OK, whatever the answer calls them.
bool is_plain_words(std::string_view text) {
  constexpr std::size_t kMost = 64;
  text = trimmed(text);
  return text.size() <= kMost && std::ranges::all_of(text, [](char c) {
           return is_letter_or_digit(c) ||
                  std::string_view(" .,!-").find(c) != std::string_view::npos;
         });
}

// RFC 9457.
bool is_problem(std::string_view content_type) {
  const std::string_view problem = "application/problem+";
  return same_name(trimmed(content_type).substr(0, problem.size()), problem);
}

}  // namespace

bool reads_false(std::string_view text) {
  return is_any_of(trimmed(text), {"false", "0", "no", "n", "f", "off"});
}

bool says_nothing(std::string_view text) {
  text = trimmed(text);
  return reads_false(text) || text.find_first_not_of("0.") == text.npos ||
         is_any_of(text, {"", "none", "null", "nil", "ok", "success", "no error", "no errors"});
}

ServiceError read_error(std::string_view body, std::string_view content_type) {
  body = without_mark(body.substr(0, kLongestBody));
  Findings structured;
  const LeafSeen seen = [&](const Leaf& leaf) { structured.take(leaf); };
  const Media media = media_of(body, content_type);
  const bool read = (media == Media::json && each_json_leaf(body, seen)) ||
                    (media == Media::xml && each_xml_leaf(body, seen));
  if (read) return std::move(structured).result();
  Findings plain;
  const std::string words = media == Media::html ? words_of(body) : std::string(body);
  plain.take({.name = "", .text = words});
  return std::move(plain).result();
}

NamedRefusal named_refusal(std::string_view body, std::string_view content_type) {
  body = without_mark(body);
  Refusals refusals;
  const LeafSeen seen = [&](const Leaf& leaf) { refusals.take(leaf); };
  const Media media = media_of(body, content_type);
  // A bare "false" begins as nothing in particular. Leaves are told up to a NUL.
  const bool whole =
      (media == Media::xml ? each_xml_leaf(body, seen) : each_json_leaf(body, seen)) &&
      body.find('\0') == body.npos;
  const bool claims_none = media != Media::json && media != Media::xml;
  if (is_problem(content_type)) return {"a \"problem\" as its content type", true};
  const bool says_error = claims_none && sentence_tells_failure(body);
  return {says_error ? "an error in words" : refusals.why(),
          whole || claims_none || is_plain_words(body)};
}

}  // namespace surveybridge::mapping
