#include "mapping/values/address.hpp"

#include <algorithm>

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

// Zero-width characters and byte order marks mean nothing wherever they stand.
std::string without_invisible(std::string_view text) {
  std::string kept(text);
  for (const std::string_view mark : {"\u200B", "\u200C", "\u200D", "\u2060", "\uFEFF", "\u00AD"})
    for (auto at = kept.find(mark); at != std::string::npos; at = kept.find(mark, at))
      kept.erase(at, mark.size());
  for (auto at = kept.find("\u00A0"); at != std::string::npos; at = kept.find("\u00A0", at))
    kept.replace(at, 2, " ");
  return kept;
}

// One word of a text, without what people write around an address.
std::string_view bare(std::string_view word) {
  constexpr std::string_view kAround = "\"'`()[]{}<>,;:|", kMail = "mailto:";
  const auto strip = [&] {
    while (!word.empty() && kAround.find(word.front()) != std::string_view::npos)
      word.remove_prefix(1);
    while (!word.empty() &&
           (kAround.find(word.back()) != std::string_view::npos || word.back() == '.'))
      word.remove_suffix(1);
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
  const std::string clean = without_invisible(text);
  if (const auto plain = trimmed(clean); !fault_in_address(plain)) {
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
  if (text.find(' ') != std::string_view::npos || text.find("\u00A0") != std::string_view::npos)
    return "a blank";
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
