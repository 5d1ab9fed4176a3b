// Lengths of time in words.
#include "daemon/job/length_text.hpp"

#include <gtest/gtest.h>

namespace {

using surveybridge::daemon::length_text;
using namespace std::chrono_literals;

TEST(LengthTexts, AreInTheLargestUnitOfWhichThereAreTwo) {
  EXPECT_EQ(length_text(-5s), "1 s");
  EXPECT_EQ(length_text(0s), "1 s");
  EXPECT_EQ(length_text(1200ms), "2 s");
  EXPECT_EQ(length_text(119s), "119 s");
  EXPECT_EQ(length_text(2min), "2 min");
  EXPECT_EQ(length_text(119min + 59s), "119 min");
  EXPECT_EQ(length_text(2h), "2 h");
  EXPECT_EQ(length_text(47h + 59min), "47 h");
  EXPECT_EQ(length_text(48h), "2 days");
}

}  // namespace
