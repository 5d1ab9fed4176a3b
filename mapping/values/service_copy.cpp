#include "mapping/values/service_copy.hpp"

#include <algorithm>
#include <bitset>
#include <chrono>

#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

using namespace std::chrono_literals;

// Bytes. So few have room everywhere, and running numbers grow longer.
constexpr std::size_t kNeverCut = 8;

// A mark and a byte beyond ASCII stand for themselves; control characters, which no key needs to
// share with another, have room below ' ' for what else is told apart.
using Traits = std::bitset<256>;
enum Trait : std::size_t {
  kUpper = 'A',
  kLower = 'a',
  kDigit = '0',
  kBlankAtAnEnd = 1,
  kBlanksInARow,
  kNumber,
  kLeadingZero,
  kTrailingZero,
  kControl,
};

std::size_t digits_at(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

// "-12.50e3" and its like: what a program may read as a number.
void add_number(std::string_view text, Traits& traits) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  const std::string_view whole = text.substr(0, digits_at(text));
  text.remove_prefix(whole.size());
  std::string_view decimals;
  if (!text.empty() && (text.front() == '.' || text.front() == ',')) {
    text.remove_prefix(1);
    decimals = text.substr(0, digits_at(text));
    text.remove_prefix(decimals.size());
  }
  if (whole.empty() && decimals.empty()) return;
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    text.remove_prefix(1);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    if (text.empty()) return;
    text.remove_prefix(digits_at(text));
  }
  if (!text.empty()) return;
  traits.set(kNumber);
  if (whole.size() > 1 && whole.front() == '0') traits.set(kLeadingZero);
  if (decimals.ends_with('0')) traits.set(kTrailingZero);
}

Traits traits_of(std::string_view key) {
  Traits traits;
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z')
      traits.set(kUpper);
    else if (c >= 'a' && c <= 'z')
      traits.set(kLower);
    else if (is_digit(c))
      traits.set(kDigit);
    else if (const auto byte = static_cast<unsigned char>(c); byte < ' ')
      traits.set(kControl);
    else
      traits.set(byte);
  }
  if (key.starts_with(' ') || key.ends_with(' ')) traits.set(kBlankAtAnEnd);
  if (key.find("  ") != std::string_view::npos) traits.set(kBlanksInARow);
  add_number(key, traits);
  return traits;
}

}  // namespace

bool covers_form_of(std::string_view known, std::string_view key) {
  const bool whole = key.size() <= kNeverCut || known.size() >= key.size();
  return whole && (traits_of(key) & ~traits_of(known)).none();
}

bool may_be_date(Instant listed, Instant sent) {
  const auto apart = std::chrono::abs(listed - sent);
  if (apart < 1s) return true;
  const bool day_alone = listed - std::chrono::floor<std::chrono::days>(listed) == 0s;
  if (day_alone) return apart <= 48h;
  const auto rest = apart % 15min;
  return apart <= 26h && (rest < 1s || rest > 15min - 1s);
}

}  // namespace surveybridge::mapping
