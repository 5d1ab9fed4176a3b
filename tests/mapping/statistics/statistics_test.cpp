// Shares, scores and means worked by hand, and what they do without answers, with one, with equal
// ones and with values beside the scale.
#include "mapping/statistics/statistics.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

namespace {

using namespace surveybridge::mapping;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
constexpr double kZ = kNormalQuantile;

TEST(Proportion, OfAnEmptyWholeHasNoShareAndEveryShareIsPossible) {
  EXPECT_FALSE(share({0, 0}));
  EXPECT_EQ(wilson({0, 0}).low, 0);
  EXPECT_EQ(wilson({0, 0}).high, 1);
  EXPECT_FALSE(difference(Proportion{0, 0}, Proportion{1, 2}));
  EXPECT_FALSE(difference(Proportion{1, 2}, Proportion{0, 0}));
}

// 5 of 10: the middle is 1/2, the half width z / 2 / sqrt(10 + z^2).
TEST(Proportion, OfOneHalfByHand) {
  EXPECT_EQ(share({5, 10}), 0.5);
  const double half = kZ / 2 / std::sqrt(10 + kZ * kZ);
  EXPECT_NEAR(wilson({5, 10}).low, 0.5 - half, 1e-12);
  EXPECT_NEAR(wilson({5, 10}).high, 0.5 + half, 1e-12);
}

// 0 of n: from 0 to z^2 / (n + z^2).
TEST(Proportion, OfNoneAndAllByHand) {
  EXPECT_EQ(wilson({0, 10}).low, 0);
  EXPECT_NEAR(wilson({0, 10}).high, kZ * kZ / (10 + kZ * kZ), 1e-12);
  EXPECT_EQ(wilson({10, 10}).high, 1);
  EXPECT_NEAR(wilson({10, 10}).low, 10 / (10 + kZ * kZ), 1e-12);
}

TEST(Proportion, OfNoneAndAllReachesZeroAndOneExactly) {
  for (std::int64_t whole = 1; whole < 2000; ++whole) {
    EXPECT_EQ(wilson({0, whole}).low, 0) << whole;
    EXPECT_EQ(wilson({whole, whole}).high, 1) << whole;
  }
}

TEST(Proportion, KeepsImpossibleCountsWithinTheWhole) {
  EXPECT_EQ(share({12, 10}), 1);
  EXPECT_EQ(share({-3, 10}), 0);
  EXPECT_FALSE(share({3, -10}));
}

// Newcombe (1998), table II: (a) 56/70 - 48/80, (b) 9/10 - 3/10, (d) 5/56 - 0/29.
TEST(Proportion, DifferencesAreThoseOfNewcombesPaper) {
  const auto a = difference(Proportion{56, 70}, Proportion{48, 80});
  EXPECT_NEAR(a->value, 0.2, 1e-12);
  EXPECT_NEAR(a->interval->low, 0.0524, 5e-5);
  EXPECT_NEAR(a->interval->high, 0.3339, 5e-5);
  EXPECT_TRUE(a->is_change());
  const auto b = difference(Proportion{9, 10}, Proportion{3, 10});
  EXPECT_NEAR(b->interval->low, 0.1705, 5e-5);
  EXPECT_NEAR(b->interval->high, 0.8090, 5e-5);
  const auto d = difference(Proportion{5, 56}, Proportion{0, 29});
  EXPECT_NEAR(d->interval->low, -0.0381, 5e-5);
  EXPECT_NEAR(d->interval->high, 0.1926, 5e-5);
  EXPECT_FALSE(d->is_change());
}

TEST(Difference, IsAChangeWhereTheIntervalExcludesZero) {
  EXPECT_TRUE((Difference{1, Interval{0.1, 2}}.is_change()));
  EXPECT_TRUE((Difference{-1, Interval{-2, -0.1}}.is_change()));
  EXPECT_FALSE((Difference{1, Interval{0, 2}}.is_change()));
  EXPECT_FALSE((Difference{-1, Interval{-2, 0}}.is_change()));
  EXPECT_FALSE((Difference{5, std::nullopt}.is_change()));
}

TEST(NetPromoter, CountsByTheScaleAndSaysWhatIsBesideIt) {
  const NetPromoter counts = net_promoter({{-1, 2},
                                           {0, 1},
                                           {6, 2},
                                           {7, 4},
                                           {8, 8},
                                           {9, 16},
                                           {10, 32},
                                           {11, 64},
                                           {kHighest, 1},
                                           {kLowest, 1}});
  EXPECT_EQ(counts.detractors, 3);
  EXPECT_EQ(counts.passives, 12);
  EXPECT_EQ(counts.promoters, 48);
  EXPECT_EQ(counts.outside, 68);
  EXPECT_EQ(counts.answers(), 63);
}

TEST(NetPromoter, HasNoScoreWithoutAnswers) {
  EXPECT_FALSE(score({}));
  EXPECT_FALSE(score(net_promoter({{11, 5}, {3, 0}, {4, -7}})));
  EXPECT_EQ(interval(NetPromoter{}).low, -100);
  EXPECT_EQ(interval(NetPromoter{}).high, 100);
  EXPECT_FALSE(difference(NetPromoter{}, NetPromoter{1, 1, 1}));
  EXPECT_FALSE(difference(NetPromoter{1, 1, 1}, NetPromoter{}));
}

// 10 promoters, 2 passives, 5 detractors: 100 * 5 / 17. With three answers more: shares 10.75/20
// and 5.75/20, difference 0.25, variance (0.825 - 0.0625) / 20 = 0.038125.
TEST(NetPromoter, ByHand) {
  const NetPromoter counts{10, 2, 5};
  EXPECT_NEAR(*score(counts), 500.0 / 17, 1e-12);
  EXPECT_NEAR(interval(counts).low, 100 * (0.25 - kZ * std::sqrt(0.038125)), 1e-9);
  EXPECT_NEAR(interval(counts).high, 100 * (0.25 + kZ * std::sqrt(0.038125)), 1e-9);
}

// Twice the variance of the score, and no difference.
TEST(NetPromoter, DifferenceByHand) {
  const auto same = difference(NetPromoter{10, 2, 5}, NetPromoter{10, 2, 5});
  EXPECT_EQ(same->value, 0);
  EXPECT_NEAR(same->interval->low, -100 * kZ * std::sqrt(2 * 0.038125), 1e-9);
  EXPECT_NEAR(same->interval->high, 100 * kZ * std::sqrt(2 * 0.038125), 1e-9);
  EXPECT_FALSE(same->is_change());
  EXPECT_TRUE(difference(NetPromoter{300, 50, 50}, NetPromoter{200, 50, 150})->is_change());
}

TEST(NetPromoter, EqualAnswersHaveAnIntervalWithAWidthThatContainsTheScore) {
  for (const std::int64_t number : {1, 2, 10, 10'000'000}) {
    const Interval all = interval(NetPromoter{number, 0, 0});
    EXPECT_LT(all.low, 100) << number;
    EXPECT_LE(all.high, 100) << number;
    EXPECT_NEAR(all.high, 100, 1e-4) << number;
    EXPECT_EQ(interval(NetPromoter{0, 0, number}).high, -all.low) << number;
  }
}

TEST(TopShare, IsOfTheBestPositionsOfTheScale) {
  struct Case {
    Scale scale;
    std::int64_t satisfied, at_ease;  // the lowest best position
  };
  for (const auto& [scale, csat, ces] :
       {Case{{1, 5}, 4, 4}, Case{{1, 7}, 6, 5}, Case{{0, 10}, 9, 7}, Case{{1, 10}, 9, 7},
        Case{{1, 4}, 3, 4}, Case{{1, 3}, 3, 3}, Case{{0, 1}, 1, 1}, Case{{1, 1}, 1, 1},
        Case{{-3, 3}, 2, 1}, Case{{kLowest, kHighest}, kHighest - 1, 1317624576693539402}}) {
    EXPECT_EQ(satisfied(scale).low, csat) << scale.low << " to " << scale.high;
    EXPECT_EQ(at_ease(scale).low, ces) << scale.low << " to " << scale.high;
    EXPECT_EQ(satisfied(scale).high, scale.high);
    EXPECT_EQ(at_ease(scale).high, scale.high);
  }
}

TEST(TopShare, CountsOnlyWhatIsOnTheScale) {
  const Distribution answers{{0, 100}, {1, 1}, {3, 2}, {4, 4}, {5, 8}, {6, 100}};
  const Proportion found = top_share(answers, {1, 5}, satisfied({1, 5}));
  EXPECT_EQ(found.part, 12);
  EXPECT_EQ(found.whole, 15);
  EXPECT_EQ(count(answers, {1, 5}).off, 200);
}

TEST(TopShare, OfAScaleWithoutValuesHasNoAnswers) {
  const Proportion found = top_share({{3, 5}}, {5, 1}, satisfied({5, 1}));
  EXPECT_EQ(found.whole, 0);
  EXPECT_FALSE(share(found));
  EXPECT_EQ(top_share({{3, 5}}, {5, 1}, at_ease({5, 1})).whole, 0);
}

TEST(Mean, OfNoAnswerOfOneAndOfEqualOnesHasNoInterval) {
  EXPECT_EQ(mean({}, {1, 5}).answers, 0);
  EXPECT_EQ(mean({{9, 4}, {2, 0}, {3, -1}}, {1, 5}).answers, 0);
  EXPECT_FALSE(interval(mean({}, {1, 5})));
  const Mean one = mean({{4, 1}}, {1, 5});
  EXPECT_EQ(one.value, 4);
  EXPECT_FALSE(interval(one));
  const Mean equal = mean({{4, 30}}, {1, 5});
  EXPECT_EQ(equal.value, 4);
  EXPECT_EQ(equal.variance, 0);
  EXPECT_FALSE(interval(equal));
}

// 1, 2 and 3: mean 2, variance 1, and 4.302653 is the quantile with two degrees of freedom.
TEST(Mean, ByHand) {
  const Mean found = mean({{1, 1}, {2, 1}, {3, 1}}, {1, 5});
  EXPECT_EQ(found.value, 2);
  EXPECT_EQ(found.variance, 1);
  EXPECT_NEAR(interval(found)->low, 2 - 4.30265272974946 / std::sqrt(3), 1e-9);
  EXPECT_NEAR(interval(found)->high, 2 + 4.30265272974946 / std::sqrt(3), 1e-9);
}

// Equal numbers and variances: Welch's degrees of freedom are 2 (n - 1) = 4.
TEST(Mean, DifferenceByHand) {
  const Mean now = mean({{3, 1}, {4, 1}, {5, 1}}, {1, 5});
  const Mean before = mean({{1, 1}, {2, 1}, {3, 1}}, {1, 5});
  const auto moved = difference(now, before);
  EXPECT_EQ(moved->value, 2);
  EXPECT_NEAR(moved->interval->high, 2 + 2.77644510519779 * std::sqrt(2.0 / 3), 1e-9);
  EXPECT_FALSE(moved->is_change());
}

TEST(Mean, DifferenceWithoutScatterIsNoChange) {
  const Mean four = mean({{4, 30}}, {1, 5}), five = mean({{5, 30}}, {1, 5});
  EXPECT_EQ(difference(five, four)->value, 1);
  EXPECT_FALSE(difference(five, four)->interval);
  EXPECT_FALSE(difference(five, four)->is_change());
  EXPECT_FALSE(difference(mean({{5, 1}}, {1, 5}), mean({{1, 5}, {2, 5}}, {1, 5}))->interval);
  EXPECT_FALSE(difference(mean({}, {1, 5}), four));
}

TEST(Median, IsTheMiddle) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({9, 1, 5, 6}), 5.5);
}

// With mean 10 and variance 20 the negative binomial distribution has size 10 and probability 1/2.
TEST(SoFew, AreAsLikelyAsTheDistributionSays) {
  EXPECT_NEAR(at_most(0, 3, 3), std::exp(-3), 1e-12);
  EXPECT_NEAR(at_most(1, 3, 2), 4 * std::exp(-3), 1e-12) << "never less than Poisson's variance";
  EXPECT_NEAR(at_most(0, 10, 20), std::pow(0.5, 10), 1e-12);
  EXPECT_NEAR(at_most(9, 10, 20), 0.5, 1e-12);
  EXPECT_NEAR(at_most(10, 10, 10.0001), at_most(10, 10, 10), 1e-4);
}

TEST(Statistics, StandTenMillionAnswers) {
  constexpr std::int64_t kMany = 10'000'000;
  EXPECT_LT(wilson({kMany / 2, kMany}).high - wilson({kMany / 2, kMany}).low, 0.001);
  EXPECT_LT(interval(NetPromoter{kMany / 2, 0, kMany / 2}).high, 0.1);
  const Mean wide = mean({{0, kMany / 2}, {10, kMany / 2}}, {0, 10});
  EXPECT_EQ(wide.value, 5);
  EXPECT_NEAR(interval(wide)->high, 5 + kZ * 5 / std::sqrt(kMany), 1e-8);
}

}  // namespace
