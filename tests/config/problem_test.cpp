#include "config/problem.hpp"

#include <gtest/gtest.h>

namespace surveybridge::config {
namespace {

const std::vector<std::string> kKeys = {"email", "timeout", "time_zone", "id"};

TEST(Problems, NameFileLineColumnKeyAndRule) {
  EXPECT_EQ(to_string({{"bridge.toml", 14, 9}, "push.orders.key", "is required"}),
            "bridge.toml:14:9: push.orders.key: is required");
}

TEST(Problems, OfAWholeFileHaveNoLine) {
  EXPECT_EQ(to_string({{"bridge.toml", 0, 0}, "", "cannot be read"}),
            "bridge.toml: cannot be read");
}

TEST(Suggestions, SeeSwappedDroppedAddedAndChangedLetters) {
  EXPECT_EQ(closest("emial", kKeys), "email");
  EXPECT_EQ(closest("timout", kKeys), "timeout");
  EXPECT_EQ(closest("timezone", kKeys), "time_zone");
  EXPECT_EQ(closest("tineout", kKeys), "timeout");
}

TEST(Suggestions, IgnoreCase) {
  EXPECT_EQ(closest("ID", kKeys), "id");
  EXPECT_EQ(suggestion("Email", kKeys), " (did you mean \"email\"?)");
}

TEST(Suggestions, SayNothingWhereNothingIsNear) {
  EXPECT_EQ(closest("max_per_hour", kKeys), "");
  EXPECT_EQ(suggestion("x", kKeys), "");
  EXPECT_EQ(closest("", kKeys), "");
  EXPECT_EQ(closest("email", {}), "");
}

TEST(Suggestions, DoNotTurnAShortWordIntoAnother) {
  EXPECT_EQ(closest("to", {"if"}), "");
  EXPECT_EQ(closest("a", {"b"}), "");
}

TEST(Suggestions, AreNotSearchedForVeryLongWords) {
  EXPECT_EQ(closest(std::string(1'000'000, 'e'), kKeys), "");
}

}  // namespace
}  // namespace surveybridge::config
