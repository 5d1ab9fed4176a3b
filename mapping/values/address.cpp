#include "mapping/values/address.hpp"

#include <algorithm>
#include <array>

#include "config/text.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

using Fault = std::optional<std::string_view>;

constexpr std::size_t kAddressBytes = 254, kLocalBytes = 64, kLabelBytes = 63;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_local(char c) {
  return is_letter_or_digit(c) ||
         std::string_view{"!#$%&'*+-/=?^_`{|}~."}.find(c) != std::string_view::npos;
}

struct Range {
  char32_t first, last;
};
// Quotes, brackets, separators and dashes beyond ASCII. No mailbox and no domain has one.
constexpr std::array kPunctuation = {
    Range{0x00A1, 0x00A9}, Range{0x00AB, 0x00B4}, Range{0x00B6, 0x00B6}, Range{0x00B8, 0x00B9},
    Range{0x00BB, 0x00BF}, Range{0x060C, 0x060C}, Range{0x061B, 0x061B}, Range{0x061F, 0x061F},
    Range{0x2010, 0x2027}, Range{0x2030, 0x205E}, Range{0x2329, 0x232A}, Range{0x2768, 0x2775},
    Range{0x27E6, 0x27EF}, Range{0x2983, 0x2998}, Range{0x2E00, 0x2E7F}, Range{0x3001, 0x3003},
    Range{0x3008, 0x3011}, Range{0x3014, 0x301F}, Range{0xFE10, 0xFE19}, Range{0xFE30, 0xFE6B},
    Range{0xFF01, 0xFF0F}, Range{0xFF1A, 0xFF20}, Range{0xFF3B, 0xFF40}, Range{0xFF5B, 0xFF65}};
constexpr char32_t kApostrophe = 0x2019;  // people type it: o’neill@example.test

bool is_punctuation(char32_t point) {
  return std::ranges::any_of(kPunctuation, [&](const Range& range) {
    return point >= range.first && point <= range.last;
  });
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// An apostrophe between two others may be there.
bool has_punctuation(std::string_view address) {
  if (is_ascii(address) || !is_utf8(address)) return false;
  const std::u32string points = config::code_points(address);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool within = points[i] == kApostrophe && i > 0 && i + 1 < points.size() &&
                        points.find(U'@', i) > i + 1 && points.find(U'@', i) != points.npos;
    if (is_punctuation(points[i]) && !within) return true;
  }
  return false;
}

// With plain quotes and blanks for other punctuation: quotes around a word are taken off, the
// others part it.
std::string with_plain_punctuation(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  std::u32string points = config::code_points(text);
  for (auto& point : points) {
    if (point == kApostrophe) continue;
    if (is_punctuation(point)) point = U' ';
  }
  return config::utf8_of(points);
}

Fault fault_in_local(std::string_view local) {
  if (local.empty()) return "nothing before the @";
  if (local.size() > kLocalBytes) return "more than 64 bytes before the @";
  if (!std::ranges::all_of(local, is_local)) return "a character before the @ that cannot be there";
  if (local.front() == '.' || local.back() == '.' || local.find("..") != std::string_view::npos)
    return "a dot at an end of, or twice in, the part before the @";
  return {};
}

Fault fault_in_label(std::string_view label) {
  if (label.empty()) return "an empty part in the domain";
  if (label.size() > kLabelBytes) return "more than 63 bytes in one part of the domain";
  if (label.front() == '-' || label.back() == '-') return "a hyphen at an end of a domain part";
  const auto fits = [](char c) { return is_letter_or_digit(c) || c == '-'; };
  if (!std::ranges::all_of(label, fits)) return "a character in the domain that cannot be there";
  return {};
}

Fault fault_in_domain(std::string_view domain) {
  if (domain.empty()) return "nothing behind the @";
  if (domain.find('.') == std::string_view::npos) return "a domain without a dot";
  while (true) {
    const auto dot = domain.find('.');
    if (const Fault fault = fault_in_label(domain.substr(0, dot))) return fault;
    if (dot == std::string_view::npos) return {};
    domain.remove_prefix(dot + 1);
  }
}

// Without these characters at both ends.
std::string_view without_around(std::string_view word, std::string_view around) {
  const auto first = word.find_first_not_of(around);
  if (first == std::string_view::npos) return "";
  return word.substr(first, word.find_last_not_of(around) - first + 1);
}

// Quotes of any kind, which a spreadsheet or a person puts around a text.
std::string_view unquoted(std::string_view text) {
  constexpr std::string_view kCurly = "\u2019";
  text = without_around(text, "\"'`");
  while (text.starts_with(kCurly))
    text.remove_prefix(kCurly.size());
  while (text.ends_with(kCurly))
    text.remove_suffix(kCurly.size());
  return text;
}

// One word of a text, without what people write around an address.
std::string_view bare(std::string_view word) {
  constexpr std::string_view kAround = "\"'`()[]{}<>,;:|", kMail = "mailto:";
  const auto strip = [&] {
    word = unquoted(without_around(word, kAround));
    while (word.ends_with('.'))
      word = without_around(word, std::string(kAround) + ".");
  };
  strip();
  const bool has_scheme =
      word.size() > kMail.size() && same_name(word.substr(0, kMail.size()), kMail);
  if (has_scheme) word.remove_prefix(kMail.size());
  if (has_scheme) word = word.substr(0, word.find('?'));
  strip();
  return word;
}

// Where a word ends. A quoted name may contain the others: "Jansen, Ann" <a@x.test>.
constexpr std::string_view kParts = " \t\r\n\v\f,;|<>()[]";

}  // namespace

NamedAddresses addresses_in(std::string_view text) {
  NamedAddresses named;
  if (!is_utf8(text)) {
    named.whole = false;
    return named;
  }
  const std::string clean = with_plain_punctuation(visible(text));
  if (const auto plain = unquoted(trimmed(clean)); !fault_in_address(plain)) {
    named.addresses.emplace_back(plain);
    return named;
  }
  std::size_t at = 0;
  while ((at = clean.find_first_not_of(kParts, at)) != std::string::npos) {
    const auto end = std::min(clean.find_first_of(kParts, at), clean.size());
    const auto word = bare(std::string_view(clean).substr(at, end - at));
    at = end;
    if (word.find('@') == std::string_view::npos) continue;  // a name, say
    if (fault_in_address(word)) {
      named.whole = false;
    } else {
      named.addresses.emplace_back(word);
    }
  }
  if (named.addresses.empty() && !trimmed(clean).empty()) named.whole = false;
  return named;
}

Fault fault_in_address(std::string_view text) {
  if (std::ranges::any_of(text, is_control)) return "a control character";
  if (text.find("\uFFFD") != std::string_view::npos) return "a character that was lost on its way";
  const std::string seen = visible(text);
  if (seen.find(' ') != std::string::npos) return "a blank";
  if (seen.size() != text.size()) return "a character that nobody sees";
  if (has_punctuation(text)) return "a punctuation mark beyond ASCII";
  const auto signs = std::ranges::count(text, '@');
  if (signs == 0) return "no @";
  if (signs > 1) return "more than one @";
  if (text.size() > kAddressBytes) return "more than 254 bytes";
  const auto at = text.find('@');
  if (const Fault fault = fault_in_local(text.substr(0, at))) return fault;
  return fault_in_domain(text.substr(at + 1));
}

std::vector<std::string> addresses_behind(std::string_view word, std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\n\"':=,>[({\\";
  constexpr std::string_view kEnd = " \t\r\n\"':;,<>[](){}\\";
  const std::string in = config::lower_case(text), sought = config::lower_case(word);
  std::vector<std::string> found;
  for (auto at = in.find(sought); at != std::string::npos; at = in.find(sought, at)) {
    at += sought.size();
    const auto begin = in.find_first_not_of(kBetween, at);
    if (begin == std::string::npos) break;
    const auto end = std::min(in.find_first_of(kEnd, begin), in.size());
    const auto one = text.substr(begin, end - begin);
    if (begin > at && !fault_in_address(one)) found.emplace_back(one);
  }
  return found;
}

}  // namespace surveybridge::mapping
