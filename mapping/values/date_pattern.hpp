// A pattern for dates in a text column: "%d-%m-%Y %H:%M". Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mapping/values/value.hpp"

namespace surveybridge::mapping {

class DatePattern {
 public:
  // %Y (four digits), %m, %d, %H, %M, %S (two digits; one is enough where no digit can follow), %f
  // (one to nine digits of a fraction), %z (Z, ±hh, ±hhmm, ±hh:mm), %% and any text as it is. Or
  // the sentence with the error: a pattern needs a year, a month and a day, each once.
  static std::variant<DatePattern, std::string> parse(std::string_view pattern);

  // An Instant if the pattern has %z, else a LocalTime. Empty if the text does not match, or is no
  // date ("30-02-2026"). Digits beyond microseconds are cut.
  std::optional<Value> read(std::string_view text) const;

 private:
  struct Piece {
    char of = 0;  // the letter behind %; 0: a text
    char text = 0;
    bool exact = false;  // two digits, because digits are beside it
  };
  static bool touches_digits(const std::vector<Piece>& before, std::string_view behind);

  std::vector<Piece> pieces_;
};

}  // namespace surveybridge::mapping
