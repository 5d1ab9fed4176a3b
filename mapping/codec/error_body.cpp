// The message of an error body in any shape (docs/SERVICE.md 7). Reading never fails: a body that
// cannot be read is the message itself.
#include <algorithm>
#include <charconv>

#include "mapping/codec/content_type.hpp"
#include "mapping/codec/formats.hpp"
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

// The index at the beginning of `text`, which follows "Customers": "[3]" or "/3".
std::optional<std::size_t> leading_index(std::string_view text) {
  if (text.empty() || (text.front() != '[' && text.front() != '/')) return std::nullopt;
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

void note_indexes(std::string_view text, std::vector<std::size_t>& found) {
  for (std::size_t at = 0; at + kCustomers.size() < text.size(); ++at) {
    if (at > 0 && is_letter_or_digit(text[at - 1])) continue;
    if (!same_name(text.substr(at, kCustomers.size()), kCustomers)) continue;
    if (const auto index = leading_index(text.substr(at + kCustomers.size()))) {
      found.push_back(*index);
    }
  }
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](auto other) { return same_name(name, other); });
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
  void take(std::string_view name, std::string_view text) {
    note_indexes(name.substr(0, kLongestName), customers_);
    note_indexes(text, customers_);
    if (is_noise(name) || message_.size() > 4 * kLongestMessage) return;
    if (!message_.empty()) message_ += ' ';
    // One character more than fits, so that bounded() detects that the text was longer.
    if (!is_plain(name)) message_ += std::string(first_characters(name, kLongestMessage)) + ": ";
    message_ += first_characters(text, kLongestMessage + 1);
  }
  ServiceError result() && {
    std::ranges::sort(customers_);
    customers_.erase(std::unique(customers_.begin(), customers_.end()), customers_.end());
    return {bounded(one_line(message_)), std::move(customers_)};
  }

 private:
  std::string message_;
  std::vector<std::size_t> customers_;
};

}  // namespace

ServiceError read_error(std::string_view body, std::string_view content_type) {
  body = without_mark(body.substr(0, kLongestBody));
  Findings structured;
  const TextSeen seen = [&](std::string_view name, std::string_view text) {
    structured.take(name, text);
  };
  const Media media = media_of(body, content_type);
  const bool read = (media == Media::json && each_json_text(body, seen)) ||
                    (media == Media::xml && each_xml_text(body, seen));
  if (read) return std::move(structured).result();
  Findings plain;
  plain.take("", media == Media::html ? words_of(body) : body);
  return std::move(plain).result();
}

}  // namespace surveybridge::mapping
