#include "mapping/values/service_copy.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge::mapping;
using namespace std::chrono_literals;

TEST(ServiceCopy, AKeyCoversTheFormOfWhatIsNoLongerAndHasNoCharacterOfAnotherKind) {
  EXPECT_TRUE(covers_form_of("1001", "1002"));
  EXPECT_TRUE(covers_form_of("1001", "7"));
  EXPECT_TRUE(covers_form_of("ORDER-2026-000002", "ORDER-2026-000001"));
  EXPECT_TRUE(covers_form_of("9f1c-AB", "1c"));
  EXPECT_TRUE(covers_form_of("999", "10000000")) << "eight bytes";
  EXPECT_FALSE(covers_form_of("99999999", "100000000")) << "cut";
  EXPECT_FALSE(covers_form_of("A000", "b001")) << "its case";
  EXPECT_FALSE(covers_form_of("a000", "B001")) << "its case";
  EXPECT_FALSE(covers_form_of("A0000", "A-001")) << "a mark";
  EXPECT_FALSE(covers_form_of("A0000", "A 001")) << "a blank";
  EXPECT_FALSE(covers_form_of("A 0000", "A001 ")) << "a blank at an end";
  EXPECT_FALSE(covers_form_of("A 0000", " A001")) << "a blank at an end";
  EXPECT_FALSE(covers_form_of("A 0000 0", "A0  1")) << "blanks in a row";
  EXPECT_FALSE(covers_form_of("A0000000", "Ä001")) << "a letter beyond ASCII";
  EXPECT_FALSE(covers_form_of("Ä0000000", "Ö001")) << "another one";
  EXPECT_FALSE(covers_form_of("A0000000", "A\t01")) << "a control character";
  EXPECT_FALSE(covers_form_of("A1000", "1001")) << "a number";
  EXPECT_FALSE(covers_form_of("12000", "0012")) << "zeros in front";
  EXPECT_FALSE(covers_form_of("12.51", "12.50")) << "zeros behind the point";
  EXPECT_FALSE(covers_form_of("e5-1000", "1e5")) << "a number with an exponent";
  EXPECT_TRUE(covers_form_of("12.51", "13.7"));
}

TEST(ServiceCopy, ADateIsRoundedToASecondShiftedByAZoneOrKeptAsADay) {
  const Instant sent{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20} + 10h + 7min + 3s};
  EXPECT_TRUE(may_be_date(sent, sent));
  EXPECT_TRUE(may_be_date(sent + 900ms, sent));
  EXPECT_TRUE(may_be_date(sent + 1h, sent));
  EXPECT_TRUE(may_be_date(sent - 5h - 45min - 500ms, sent));
  EXPECT_TRUE(may_be_date(std::chrono::floor<std::chrono::days>(sent), sent));
  EXPECT_TRUE(may_be_date(std::chrono::floor<std::chrono::days>(sent) - 24h, sent));
  EXPECT_FALSE(may_be_date(sent + 7min, sent));
  EXPECT_FALSE(may_be_date(sent + 27h, sent));
  EXPECT_FALSE(may_be_date(std::chrono::floor<std::chrono::days>(sent) + 72h, sent));
}

}  // namespace
