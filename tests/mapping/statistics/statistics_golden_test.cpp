// Every formula against scipy and statsmodels: make_golden.py beside this file wrote golden.json.
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "mapping/statistics/statistics.hpp"
#include "tests/support/paths.hpp"

namespace {

using nlohmann::json;
using namespace surveybridge::mapping;

const json& golden() {
  static const json all = [] {
    std::ifstream file(support::source_dir() + "/tests/mapping/statistics/golden.json");
    return json::parse(file);
  }();
  return all;
}

// Equal to 1e-9 of the larger number. `size`: what rounding errors are relative to where the
// result is a small difference of large numbers.
void expect_same(double found, const json& expected, double size, const json& of) {
  const double other = expected.get<double>();
  const double most = 1e-9 * std::max({std::abs(found), std::abs(other), 1e-3 * size});
  EXPECT_NEAR(found, other, most) << of.dump();
}

void expect_same(const std::optional<Interval>& found, double size, const json& of) {
  ASSERT_TRUE(found) << of.dump();
  expect_same(found->low, of["interval"][0], size, of);
  expect_same(found->high, of["interval"][1], size, of);
}

void expect_same(const std::optional<Difference>& found, double size, const json& of) {
  ASSERT_TRUE(found) << of.dump();
  expect_same(found->value, of["value"], size, of);
  expect_same(found->interval, size, of);
}

Proportion proportion_in(const json& pair) {
  return {pair[0].get<std::int64_t>(), pair[1].get<std::int64_t>()};
}

NetPromoter counts_in(const json& three) {
  return {three[0].get<std::int64_t>(), three[1].get<std::int64_t>(), three[2].get<std::int64_t>()};
}

Mean mean_in(const json& object) {
  Distribution answers;
  for (const auto& [value, number] : object.items())
    answers[std::stoll(value)] = number.get<std::int64_t>();
  return mean(answers, {-100, 100});
}

TEST(StatisticsGolden, SharesHaveWilsonsInterval) {
  ASSERT_GE(golden()["proportions"].size(), 13U);
  for (const json& of : golden()["proportions"]) {
    const Proportion proportion{of["part"].get<std::int64_t>(), of["whole"].get<std::int64_t>()};
    expect_same(wilson(proportion), 0, of);
  }
}

TEST(StatisticsGolden, DifferencesOfSharesHaveNewcombesInterval) {
  ASSERT_GE(golden()["proportion_differences"].size(), 12U);
  for (const json& of : golden()["proportion_differences"])
    expect_same(difference(proportion_in(of["now"]), proportion_in(of["before"])), 1, of);
}

TEST(StatisticsGolden, NetPromoterScoresHaveTheAdjustedWaldInterval) {
  ASSERT_GE(golden()["net_promoter_scores"].size(), 13U);
  for (const json& of : golden()["net_promoter_scores"]) {
    const NetPromoter counts = counts_in(of["counts"]);
    expect_same(score(counts).value(), of["value"], 0, of);
    expect_same(interval(counts), 1, of);
  }
}

TEST(StatisticsGolden, DifferencesOfNetPromoterScoresHaveTheWaldInterval) {
  ASSERT_GE(golden()["net_promoter_differences"].size(), 169U);
  for (const json& of : golden()["net_promoter_differences"])
    expect_same(difference(counts_in(of["now"]), counts_in(of["before"])), 100, of);
}

TEST(StatisticsGolden, MeansHaveStudentsInterval) {
  ASSERT_GE(golden()["means"].size(), 7U);
  for (const json& of : golden()["means"]) {
    const Mean found = mean_in(of["answers"]);
    expect_same(found.value, of["value"], 0, of);
    expect_same(found.variance, of["variance"], 0, of);
    expect_same(interval(found), 0, of);
  }
}

TEST(StatisticsGolden, DifferencesOfMeansHaveWelchsInterval) {
  ASSERT_GE(golden()["mean_differences"].size(), 60U);
  for (const json& of : golden()["mean_differences"])
    expect_same(difference(mean_in(of["now"]), mean_in(of["before"])), 1, of);
}

TEST(StatisticsGolden, QuantilesAreThoseOfTheDistributions) {
  EXPECT_DOUBLE_EQ(kNormalQuantile, golden()["normal_quantile"].get<double>());
  ASSERT_GE(golden()["t_quantiles"].size(), 8U);
  for (const json& of : golden()["t_quantiles"])
    expect_same(t_quantile(of["freedom"].get<double>()), of["value"], 0, of);
}

}  // namespace
