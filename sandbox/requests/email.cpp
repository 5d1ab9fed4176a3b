#include <algorithm>

#include "sandbox/requests/intake.hpp"

namespace sandbox {
namespace {

bool letter_or_digit(char c) {
  // Bytes of UTF-8 beyond ASCII are accepted, for internationalised addresses.
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80);
}

bool valid_local_part(std::string_view part) {
  constexpr std::string_view kAlso = "!#$%&'*+-/=?^_`{|}~.";
  if (part.empty() || part.size() > 64) return false;
  if (part.front() == '.' || part.back() == '.' || part.find("..") != part.npos) return false;
  return std::all_of(part.begin(), part.end(),
                     [&](char c) { return letter_or_digit(c) || kAlso.find(c) != kAlso.npos; });
}

bool valid_label(std::string_view label) {
  if (label.empty() || label.size() > 63) return false;
  if (label.front() == '-' || label.back() == '-') return false;
  return std::all_of(label.begin(), label.end(),
                     [](char c) { return letter_or_digit(c) || c == '-'; });
}

bool valid_domain(std::string_view domain) {
  int labels = 0;
  while (true) {
    const auto dot = domain.find('.');
    if (!valid_label(domain.substr(0, dot))) return false;
    ++labels;
    if (dot == domain.npos) return labels > 1;
    domain.remove_prefix(dot + 1);
  }
}

}  // namespace

bool valid_email(std::string_view address) {
  constexpr std::size_t kLongest = 254;
  const auto at = address.rfind('@');
  if (at == address.npos || address.size() > kLongest) return false;
  return valid_local_part(address.substr(0, at)) && valid_domain(address.substr(at + 1));
}

}  // namespace sandbox
