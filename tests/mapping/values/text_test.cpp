#include "mapping/values/text.hpp"

#include <string>

#include <gtest/gtest.h>

namespace surveybridge::mapping {
namespace {

using namespace std::string_view_literals;

TEST(Text, KnowsWellFormedUtf8) {
  for (const auto text : {""sv, "plain"sv, "Zoë"sv, "€"sv, "👍🏽"sv, "\0"sv, "\xED\x9F\xBF"sv,
                          "\xEE\x80\x80"sv, "\xF4\x8F\xBF\xBF"sv}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Text, KnowsBrokenUtf8) {
  const std::string_view broken[] = {
      "\x80",              // a continuation byte alone
      "\xC3",              // cut off
      "\xE2\x82",          // cut off
      "\xF0\x9F\x91",      // cut off
      "\xC3\x28",          // no continuation byte
      "\xC0\xAF",          // overlong "/"
      "\xE0\x80\xAF",      // overlong "/"
      "\xF0\x80\x80\xAF",  // overlong "/"
      "\xED\xA0\x80",      // a surrogate
      "\xF4\x90\x80\x80",  // above U+10FFFF
      "\xF5\x80\x80\x80",  // likewise
      "caf\xE9",           // Latin-1
      "\xF0\x9F\x28\x8D",  // no continuation byte in the middle
  };
  for (const auto text : broken)
    EXPECT_FALSE(is_utf8(text)) << text.size();
}

TEST(Text, TrimsBlanksAtBothEndsOnly) {
  EXPECT_EQ(trimmed(" \t\r\n a b \f\v"), "a b");
  EXPECT_EQ(trimmed("\u00A0\u200B\uFEFFa\u00A0"), "a");
  EXPECT_EQ(trimmed(" \u00A0 "), "");
  EXPECT_EQ(trimmed("\u202F\u3000a\u2003\u2028"), "a");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("é"), "é");  // its last byte is also the last byte of a blank
}

TEST(Text, LosesWhatNobodySees) {
  EXPECT_EQ(visible("\u202Aa\u00ADb\u202C\u200E"), "ab");
  EXPECT_EQ(visible("a\u202Fb c\t"), "a b c\t");
  EXPECT_EQ(visible("\u00E9 👍"), "\u00E9 👍");
  EXPECT_EQ(visible("\xE9\x80"), "\xE9\x80") << "broken text stays as it is";
}

TEST(Text, CutsBetweenCharacters) {
  EXPECT_EQ(first_characters("ab👍é", 0), "");
  EXPECT_EQ(first_characters("ab👍é", 2), "ab");
  EXPECT_EQ(first_characters("ab👍é", 3), "ab👍");
  EXPECT_EQ(first_characters("ab👍é", 4), "ab👍é");
  EXPECT_EQ(first_characters("ab👍é", 9), "ab👍é");
}

TEST(Text, ComparesNamesWithoutRegardToCase) {
  EXPECT_TRUE(same_name("OrderNumber", "ordernumber"));
  EXPECT_FALSE(same_name("OrderNumber", "ordernumbe"));
  EXPECT_FALSE(same_name("a", "b"));
  EXPECT_FALSE(same_name("[", "{"));  // they differ in one bit, like the two cases of a letter
}

}  // namespace
}  // namespace surveybridge::mapping
