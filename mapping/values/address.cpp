#include "mapping/values/address.hpp"

#include <algorithm>

#include "config/text.hpp"

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

}  // namespace

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
