#include "mapping/values/date_pattern.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "mapping/values/dates.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

constexpr std::string_view kLetters = "YmdHMSfz";

// The leading digits of `text`, at most `most`, removed from it.
std::string_view take_digits(std::string_view& text, std::size_t most) {
  std::size_t count = 0;
  while (count < std::min(most, text.size()) && is_digit(text[count]))
    ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

// "Z", or what follows a sign: digits and a colon.
std::string_view take_offset(std::string_view& text) {
  std::size_t count = text.empty() ? 0 : 1;
  if (text.starts_with('+') || text.starts_with('-')) {
    while (count < text.size() && (is_digit(text[count]) || text[count] == ':'))
      ++count;
  }
  const std::string_view offset = text.substr(0, count);
  text.remove_prefix(count);
  return offset;
}

// The parts of the text, as read_date() needs them.
struct Parts {
  std::string year, month = "01", day = "01", hour = "00", minute = "00", second = "00", fraction,
                    offset;

  std::string* of(char letter) {
    const std::array places = {&year, &month, &day, &hour, &minute, &second, &fraction, &offset};
    return places[kLetters.find(letter)];
  }
  std::string written() const {
    return fmt::format("{}-{}-{}T{}:{}:{}{}{}{}", year, month, day, hour, minute, second,
                       fraction.empty() ? "" : ".", fraction, offset);
  }
};

}  // namespace

// Where digits are directly before or after, one digit could be read in two ways.
bool DatePattern::touches_digits(const std::vector<Piece>& before, std::string_view behind) {
  if (!before.empty() && (before.back().of != 0 || is_digit(before.back().text))) return true;
  if (behind.starts_with('%')) return behind.size() > 1 && behind[1] != '%' && behind[1] != 'z';
  return !behind.empty() && is_digit(behind.front());
}

std::variant<DatePattern, std::string> DatePattern::parse(std::string_view pattern) {
  DatePattern made;
  std::string seen;
  while (!pattern.empty()) {
    const char c = pattern.front();
    const char letter = c == '%' && pattern.size() > 1 ? pattern[1] : '\0';
    pattern.remove_prefix(letter == 0 ? 1 : 2);
    if (c != '%' || letter == '%') {
      made.pieces_.push_back({0, c, false});
      continue;
    }
    if (letter == 0 || kLetters.find(letter) == kLetters.npos)
      return fmt::format("\"%{}\" is none of %Y %m %d %H %M %S %f %z %%",
                         letter == 0 ? std::string() : std::string(1, letter));
    if (seen.find(letter) != seen.npos) return fmt::format("%{} comes twice", letter);
    seen += letter;
    made.pieces_.push_back({letter, 0, touches_digits(made.pieces_, pattern)});
  }
  for (const char needed : {'Y', 'm', 'd'}) {
    if (seen.find(needed) == seen.npos)
      return fmt::format("a date needs %Y, %m and %d: no %{}", needed);
  }
  return made;
}

std::optional<Value> DatePattern::read(std::string_view text) const {
  Parts parts;
  for (const Piece& piece : pieces_) {
    if (piece.of == 0) {
      if (text.empty() || text.front() != piece.text) return std::nullopt;
      text.remove_prefix(1);
      continue;
    }
    std::string& part = *parts.of(piece.of);
    if (piece.of == 'z') {
      part = take_offset(text);
      if (part.empty()) return std::nullopt;
      continue;
    }
    const std::size_t most = piece.of == 'Y' ? 4 : piece.of == 'f' ? 9 : 2;
    const std::string_view digits = take_digits(text, most);
    const std::size_t least = piece.of == 'f' ? 1 : piece.exact || piece.of == 'Y' ? most : 1;
    if (digits.size() < least) return std::nullopt;
    part = piece.of != 'f' && digits.size() == 1 ? "0" + std::string(digits) : digits;
  }
  if (!text.empty()) return std::nullopt;
  const auto date = read_date(parts.written());
  return date ? std::optional{date->value} : std::nullopt;
}

}  // namespace surveybridge::mapping
