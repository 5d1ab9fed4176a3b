// Numbers and names as a report shows them.
#include "daemon/report/shown_text.hpp"

#include <gmock/gmock.h>

#include "daemon/report/pictures.hpp"

namespace {

using namespace surveybridge::daemon;
using surveybridge::mapping::Interval;
using testing::ElementsAre;

TEST(ShownNumber, HasCommasAndItsUnitBehindAHardBlank) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(10'000'000), "10,000,000");
  EXPECT_EQ(count_text(-1234), "-1,234");
  EXPECT_EQ(number_text(29.6, Unit::percent, 0), "30\u00a0%");
  EXPECT_EQ(number_text(-0.2, Unit::score, 0), "0") << "never -0";
  EXPECT_EQ(number_text(4.256, Unit::mean, 2), "4.26");
  EXPECT_EQ(number_text(1, Unit::points, 0), "1\u00a0points");
}

TEST(ShownNumber, RangesHaveADashAndNegativeOnesAWord) {
  EXPECT_EQ(range_text({26.6, 33.4}, Unit::percent, 0), "27–33\u00a0%");
  EXPECT_EQ(range_text({-5, 12}, Unit::score, 0), "-5 to 12");
  EXPECT_EQ(range_text({-9, -5}, Unit::score, 0), "-9 to -5");
  EXPECT_EQ(range_text({-0.3, 12}, Unit::score, 0), "0–12");
}

TEST(ShownNumber, PartsNeverLookLikeNoneOrAllWithoutBeingIt) {
  EXPECT_EQ(part_text(0, 1000), "0\u00a0%");
  EXPECT_EQ(part_text(1000, 1000), "100\u00a0%");
  EXPECT_EQ(part_text(3, 1000), "0.3\u00a0%");
  EXPECT_EQ(part_text(1, 10'000'000), "<0.1\u00a0%");
  EXPECT_EQ(part_text(997, 1000), "99.7\u00a0%");
  EXPECT_EQ(part_text(9'999'999, 10'000'000), ">99.9\u00a0%");
  EXPECT_EQ(part_text(5, 0), "–");
}

TEST(ShownNumber, ANarrowIntervalHasADecimalMore) {
  EXPECT_EQ(decimals_of(30, Interval{27, 33}, Unit::percent), 0);
  EXPECT_EQ(decimals_of(30, Interval{29.6, 30.4}, Unit::percent), 1);
  EXPECT_EQ(decimals_of(99.7, Interval{95, 100}, Unit::percent), 1);
  EXPECT_EQ(decimals_of(4, Interval{1, 5}, Unit::mean), 2);
}

TEST(ShownNumber, NoEndOfAChangeLooksLikeZero) {
  EXPECT_EQ(decimals_of_change({0.1, 8}, 0), 1);
  EXPECT_EQ(decimals_of_change({-8, -0.04}, 0), 2);
  EXPECT_EQ(decimals_of_change({1, 8}, 0), 0);
  EXPECT_EQ(decimals_of_change({0, 8}, 0), 0);
}

TEST(ShownNumber, ForProgramsHasSixDecimalsAtMost) {
  EXPECT_EQ(plain_number(30), "30");
  EXPECT_EQ(plain_number(-0.5), "-0.5");
  EXPECT_EQ(plain_number(100.0 / 3), "33.333333");
  EXPECT_EQ(plain_number(1e7), "10000000");
}

TEST(DataText, IsFitToShow) {
  EXPECT_EQ(fit_to_show("Köln"), "Köln");
  EXPECT_EQ(fit_to_show("a\tb\x1b[31m\r\nc\x7f"), "a b [31m  c ");
  EXPECT_EQ(fit_to_show("a\xff\xc3"), "a\ufffd\ufffd");
  EXPECT_EQ(fit_to_show("\xe2\x80\xae"
                        "evil\xe2\x81\xa9"),
            "evil")
      << "turns the text behind it";
  EXPECT_EQ(fit_to_show("\xc2\x9b"
                        "31m"),
            " 31m")
      << "a control character of ISO 8859";
}

TEST(DataText, HasNoAddress) {
  EXPECT_EQ(without_addresses("to ann@example.test, now"), "to (an address) now");
  EXPECT_EQ(without_addresses("a @ b @c d@"), "a @ b @c d@");
}

TEST(DataText, FromRightToLeftIsIsolated) {
  EXPECT_EQ(isolated("Köln"), "Köln");
  EXPECT_EQ(isolated("دمشق"), "\u2068دمشق\u2069");
  EXPECT_EQ(isolated("1 מרוצה"), "\u20681 מרוצה\u2069");
}

TEST(DataText, IsMeasuredInCells) {
  EXPECT_EQ(display_width("Köln"), 4U);
  EXPECT_EQ(display_width("横浜"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("👍"), 2U);
  EXPECT_EQ(cut("Hamburg", 7), "Hamburg");
  EXPECT_EQ(cut("Hamburg", 6), "Hambu…");
  EXPECT_EQ(cut("横浜市", 5), "横浜…");
  EXPECT_EQ(cut("横浜市", 4), "横…");
}

TEST(Axis, HasRoundTicksAroundAllValues) {
  const Axis axis = axis_of({12, 57}, {0, 100}, 20);
  EXPECT_EQ(axis.low, 10);
  EXPECT_EQ(axis.high, 60);
  EXPECT_THAT(axis.ticks, ElementsAre(10, 20, 30, 40, 50, 60));
  EXPECT_EQ(axis.place(10), 0);
  EXPECT_EQ(axis.place(60), 1);
  EXPECT_EQ(axis.place(35), 0.5);
  EXPECT_EQ(axis.place(1000), 1);
}

TEST(Axis, IsAtLeastSoWideAndStaysWithinThePossible) {
  const Axis narrow = axis_of({99, 100}, {0, 100}, 20);
  EXPECT_EQ(narrow.low, 80);
  EXPECT_EQ(narrow.high, 100);
  const Axis odd = axis_of({1, 11}, {1, 11}, 2);
  EXPECT_EQ(odd.low, 1);
  EXPECT_EQ(odd.high, 11);
  const Axis one = axis_of({3, 3}, {3, 3}, 0);
  EXPECT_LT(one.low, 3);
  EXPECT_GT(one.high, 3);
  EXPECT_THAT(one.ticks, ElementsAre(3));
}

TEST(Axis, HasFewTicksForEverySpan) {
  for (double span = 1e-6; span < 1e12; span *= 1.7) {
    const Axis axis = axis_of({0.3 * span, 1.3 * span}, {-1e15, 1e15}, span);
    EXPECT_GE(axis.ticks.size(), 2U) << span;
    EXPECT_LE(axis.ticks.size(), 8U) << span;
    EXPECT_LE(axis.low, 0.3 * span * (1 + 1e-9));
    EXPECT_GE(axis.high, 1.3 * span * (1 - 1e-9));
  }
}

}  // namespace
