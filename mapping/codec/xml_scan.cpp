#include "mapping/codec/xml_scan.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

using Fault = std::optional<std::string>;

// Each item and each value is an element; the rest is for empty and unknown elements.
constexpr std::size_t kPiecesAlways = 1000;
constexpr std::size_t kLongestReference = 10;

// "#65" or "#x41", of a character that a text may contain.
bool is_character(std::string_view reference) {
  reference.remove_prefix(1);
  const bool hex = reference.starts_with('x');
  if (hex) reference.remove_prefix(1);
  const auto code = to_number<std::uint32_t>(reference, hex ? 16 : 10);
  return code && *code > 0 && *code <= 0x10FFFF && (*code < 0xD800 || *code > 0xDFFF);
}

// `text` begins after the '&'.
bool is_reference(std::string_view text) {
  const auto end = text.substr(0, kLongestReference).find(';');
  if (end == text.npos || end == 0) return false;
  const auto name = text.substr(0, end);
  return name.front() == '#'
             ? is_character(name)
             : name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos";
}

class Scan {
 public:
  Scan(std::string_view body, const Limits& limits) : body_(body), limits_(limits) {}

  Fault run() {
    while (!fault_ && at_ < body_.size()) {
      take_text();
      if (!fault_ && at_ < body_.size()) take_markup();
    }
    if (!fault_ && (depth_ > 0 || !root_seen_)) cut_off();
    return fault_;
  }

 private:
  void fail(std::string_view what) { fault_ = fmt::format("{} at byte {}", what, at_ + 1); }
  void cut_off() { fault_ = fmt::format("cut off after {} bytes", body_.size()); }
  bool begins(std::string_view start) const { return body_.substr(at_).starts_with(start); }

  // Stops at `end`: a body without references would be scanned to its end for every piece.
  void check_references(std::size_t end) {
    const std::string_view piece = body_.substr(0, end);
    for (auto at = piece.find('&', at_); at != piece.npos; at = piece.find('&', at + 1)) {
      if (is_reference(body_.substr(at + 1))) continue;
      at_ = at;
      return fail("an entity that is not read");
    }
  }

  void take_text() {
    const auto end = std::min(body_.find('<', at_), body_.size());
    if (depth_ == 0 && !is_blank(body_.substr(at_, end - at_))) {
      return fail("text outside the root element");
    }
    check_references(end);
    if (!fault_) at_ = end;
  }

  void take_markup() {
    if (begins("<!--")) return skip_past("-->");
    if (begins("<![CDATA[") && depth_ > 0) return skip_past("]]>");
    if (begins("<!")) return fail("a document type, which is not read,");
    if (begins("<?")) return skip_past("?>");
    if (begins("</")) return close_element();
    open_element();
  }

  void skip_past(std::string_view end) {
    const auto found = body_.find(end, at_);
    if (found == body_.npos) return cut_off();
    at_ = found + end.size();
  }

  void close_element() {
    if (depth_ == 0) return fail("an end without a beginning");
    --depth_;
    skip_past(">");
  }

  void open_element() {
    if (depth_ == 0 && root_seen_) return fail("a second root element");
    root_seen_ = true;
    if (++depth_ > limits_.depth) {
      return fail(fmt::format("nested more than {} deep", limits_.depth));
    }
    count_piece();
    while (!fault_ && at_ < body_.size() && body_[at_] != '>')
      take_attribute();
    if (fault_) return;
    if (at_ == body_.size()) return cut_off();
    if (body_[at_ - 1] == '/') --depth_;
    ++at_;
  }

  // Up to the end of the tag, or past one quoted value.
  void take_attribute() {
    at_ = std::min(body_.find_first_of("\"'>", at_), body_.size());
    if (at_ == body_.size() || body_[at_] == '>') return;
    const auto end = body_.find(body_[at_], at_ + 1);
    if (end == body_.npos) return cut_off();
    check_references(end);
    count_piece();
    if (!fault_) at_ = end + 1;
  }

  void count_piece() {
    const auto most = limits_.items + limits_.values + kPiecesAlways;
    if (++pieces_ > most) fail(fmt::format("more than {} elements and attributes", most));
  }

  std::string_view body_;
  const Limits& limits_;
  std::size_t at_ = 0, depth_ = 0, pieces_ = 0;
  bool root_seen_ = false;
  Fault fault_;
};

}  // namespace

Fault fault_in_markup(std::string_view body, const Limits& limits) {
  if (!is_utf8(body)) return "not UTF-8";
  if (body.find('\0') != body.npos) return "a NUL, which XML cannot hold";
  return Scan(body, limits).run();
}

namespace {

// The character for a leading "_x005B_"; 0 if there is none. ASCII is enough for an
// index.
char escaped_sign(std::string_view text) {
  constexpr std::size_t kLength = 7;
  if (text.size() < kLength || !text.starts_with("_x") || text[kLength - 1] != '_') return 0;
  const auto code = to_number<unsigned>(text.substr(2, kLength - 3), 16);
  return code && *code >= 0x20 && *code < 0x7F ? static_cast<char>(*code) : '\0';
}

}  // namespace

std::string_view local_name(std::string_view name) {
  return name.substr(name.rfind(':') + 1);  // npos + 1 is 0
}

std::string decoded_name(std::string_view name) {
  std::string decoded;
  while (!name.empty()) {
    const char sign = escaped_sign(name);
    decoded += sign == 0 ? name.front() : sign;
    name.remove_prefix(sign == 0 ? 1 : 7);
  }
  return decoded;
}

}  // namespace surveybridge::mapping
