#include "config/keys/patterns.hpp"

#include <random>
#include <regex>

#include <gtest/gtest.h>

#include "config/clock.hpp"

namespace surveybridge::config {
namespace {

using namespace std::chrono_literals;

TEST(Patterns, MatchEachIntegerOfTheirRangeAndNoOther) {
  std::mt19937 random(1);
  for (int i = 0; i < 40; ++i) {
    const int least = static_cast<int>(random() % 2000);
    const int most = least + static_cast<int>(random() % (i % 2 == 0 ? 20 : 8000));
    const std::regex pattern(integer_pattern(least, most));
    for (int number = 0; number < 12000; number += i % 2 == 0 ? 3 : 17)
      ASSERT_EQ(std::regex_match(std::to_string(number), pattern),
                least <= number && number <= most)
          << number << " of " << least << " to " << most;
    for (const int edge : {least - 1, least, most, most + 1})
      ASSERT_EQ(edge >= 0 && std::regex_match("00" + std::to_string(edge), pattern),
                least <= edge && edge <= most)
          << edge << " of " << least << " to " << most;
  }
}

TEST(Patterns, MatchOfOneUnitWhatIsWithinTheBounds) {
  std::mt19937 random(2);
  const auto check = [](Milliseconds least, Milliseconds most, const std::string& text) {
    const auto read = read_duration(text);
    const std::regex pattern(bounds_pattern(least, most));
    ASSERT_EQ(std::regex_search(text, pattern), read && *read >= least && *read <= most)
        << text << " of " << write_duration(least) << " to " << write_duration(most);
  };
  for (int i = 0; i < 60; ++i) {
    const Milliseconds least(1 + random() % 100'000'000),
        most = least + Milliseconds(random() % 800'000'000);
    for (const auto& [name, length] : kDurationUnits)
      for (const std::int64_t about : {least / length, most / length})
        for (std::int64_t number = std::max<std::int64_t>(about - 1, 0); number <= about + 1;
             ++number)
          check(least, most, std::to_string(number) + std::string(name));
  }
  check(5s, 1h, "2h");
  check(1h, 3650 * 24h, "59m");
}

TEST(Patterns, LeaveSeveralUnitsToTheParser) {
  EXPECT_TRUE(std::regex_search("0h90m", std::regex(bounds_pattern(1h, 24h))));
}

}  // namespace
}  // namespace surveybridge::config
