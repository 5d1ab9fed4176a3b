#include "mapping/values/address.hpp"

#include <algorithm>
#include <set>
#include <utility>

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

constexpr char32_t kApostrophe = 0x2019;  // people type it: o’neill@example.test

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Some have such an address.
bool is_picture(char32_t point) {
  return (point >= 0x2600 && point <= 0x27BF) || point == 0xFE0F || point >= 0x1F000;
}

// An apostrophe between two others may be there.
bool has_punctuation(std::string_view address) {
  if (is_ascii(address) || !is_utf8(address)) return false;
  const std::u32string points = config::code_points(address);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool within = points[i] == kApostrophe && i > 0 && i + 1 < points.size() &&
                        points.find(U'@', i) > i + 1 && points.find(U'@', i) != points.npos;
    if (is_sign(points[i]) && !is_picture(points[i]) && !within) return true;
  }
  return false;
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

// Without these characters, and signs beyond ASCII, at both ends.
std::string without_around(std::string_view word, std::string_view around) {
  std::u32string points = config::code_points(word);
  const auto is_around = [&](char32_t point) {
    return point < 0x80 ? around.find(static_cast<char>(point)) != std::string_view::npos
                        : is_sign(point);
  };
  const auto first = std::ranges::find_if_not(points, is_around);
  points.erase(points.begin(), first);
  while (!points.empty() && is_around(points.back()))
    points.pop_back();
  return config::utf8_of(points);
}

// Without what says what kind of address it is (SMTP:a@x.test, mailto:a@x.test?subject=x), and what
// follows the address then.
std::string_view without_scheme(std::string_view word) {
  const auto is_of_scheme = [](char c) { return is_letter_or_digit(c) || c == '-'; };
  while (true) {
    const auto colon = word.find(':');
    if (colon == std::string_view::npos) return word;
    const auto scheme = word.substr(0, colon);
    if (scheme.empty() || !std::ranges::all_of(scheme, is_of_scheme)) return word;
    word.remove_prefix(colon + 1);
    word = word.substr(0, word.find('?', std::min(word.find('@'), word.size())));
  }
}

// One word of a text, without what people write around an address.
std::string bare(std::string_view word) {
  constexpr std::string_view kAround = "\"'`()[]{}<>,;:|";
  std::string text = without_around(word, kAround);
  text = std::string(without_scheme(text));
  while (text.ends_with('.'))
    text.pop_back();
  return without_around(text, kAround);
}

// The word at signs beyond ASCII: "a@x.test、b@x.test".
std::vector<std::string> parts_of(std::string_view word) {
  if (is_ascii(word)) return {std::string(word)};
  std::vector<std::string> parts;
  std::u32string part;
  for (const char32_t point : config::code_points(word) + U"\u3001") {
    if (!is_sign(point) || point == kApostrophe) {
      part += point;
    } else if (!part.empty()) {
      parts.push_back(config::utf8_of(std::exchange(part, {})));
    }
  }
  return parts;
}

// What a list may mean, too, where a sign stands before an address: 7;#a@x.test, mail=a@x.test.
std::optional<std::string> behind_sign(std::string_view address) {
  constexpr std::string_view kSigns = "#*=+/~!$%&?^|'`-{}_";
  const auto local = address.substr(0, address.find('@'));
  auto from = local.find_last_of("=/#|");
  from = from == std::string_view::npos ? 0 : from + 1;
  from = std::min(local.find_first_not_of(kSigns, from), local.size());
  const auto rest = address.substr(from);
  return from == 0 || fault_in_address(rest) ? std::nullopt : std::optional(std::string(rest));
}

// Where a word ends. A quoted name may contain the others: "Jansen, Ann" <a@x.test>.
constexpr std::string_view kParts = " \t\r\n\v\f,;|<>()[]";

void take(std::string address, NamedAddresses& named) {
  auto inner = bare(address);
  if (auto other = behind_sign(inner))
    named.likely.push_back(*std::move(other));
  else if (inner != address && !fault_in_address(inner))
    named.likely.push_back(std::move(inner));
  named.addresses.push_back(std::move(address));
}

// Without blanks around an @, and a quote before it: ann @ x.test, "ann"@x.test.
std::string drawn_together(std::string_view text) {
  std::string drawn;
  for (std::size_t at = 0; at < text.size(); ++at) {
    drawn += text[at];
    if (text[at] != '@') continue;
    drawn.pop_back();
    drawn.resize(drawn.find_last_not_of(" \t\r\n\"") + 1);
    drawn += '@';
    while (at + 1 < text.size() && is_blank(text.substr(at + 1, 1)))
      ++at;
  }
  return drawn;
}

NamedAddresses as_written(std::string_view text) {
  NamedAddresses named;
  if (!is_utf8(text)) {
    named.whole = false;
    return named;
  }
  const std::string clean = visible(text);
  if (const auto plain = trimmed(clean); !fault_in_address(plain)) {
    take(std::string(plain), named);
    return named;
  }
  std::size_t at = 0;
  while ((at = clean.find_first_not_of(kParts, at)) != std::string::npos) {
    const auto end = std::min(clean.find_first_of(kParts, at), clean.size());
    const auto word = bare(std::string_view(clean).substr(at, end - at));
    at = end;
    if (word.find('@') == std::string::npos) continue;  // a name, say
    // A part without an address is one of a name, or of an address that is written wrongly.
    auto parts = parts_of(word);
    if (std::ranges::any_of(parts,
                            [](const auto& part) { return fault_in_address(part).has_value(); })) {
      named.whole = false;
      continue;
    }
    for (auto& part : parts)
      take(std::move(part), named);
  }
  if (named.addresses.empty() && !trimmed(clean).empty()) named.whole = false;
  if (const auto drawn = drawn_together(clean); !named.whole && drawn != clean)
    for (auto& address : as_written(drawn).addresses)
      named.likely.push_back(std::move(address));
  return named;
}

}  // namespace

NamedAddresses addresses_in(std::string_view text) {
  NamedAddresses named = as_written(text);
  const std::string usual = in_usual_characters(text);
  if (usual == text) return named;
  std::set<std::string> known(named.addresses.begin(), named.addresses.end());
  known.insert(named.likely.begin(), named.likely.end());
  const auto meant = as_written(usual);
  for (const auto* all : {&meant.addresses, &meant.likely})
    for (const auto& address : *all)
      if (known.insert(address).second) named.likely.push_back(address);
  return named;
}

Fault fault_in_address(std::string_view text) {
  if (std::ranges::any_of(text, is_control)) return "a control character";
  if (text.find("\uFFFD") != std::string_view::npos) return "a character that was lost on its way";
  const std::string seen = visible(text);
  if (seen.find(' ') != std::string::npos) return "a blank";
  if (seen.size() != text.size()) return "an invisible character";
  if (has_punctuation(text)) return "a symbol or punctuation mark beyond ASCII";
  const auto signs = std::ranges::count(text, '@');
  if (signs == 0) return "no @";
  if (signs > 1) return "more than one @";
  if (text.size() > kAddressBytes) return "more than 254 bytes";
  const auto at = text.find('@');
  if (const Fault fault = fault_in_local(text.substr(0, at))) return fault;
  return fault_in_domain(text.substr(at + 1));
}

}  // namespace surveybridge::mapping
