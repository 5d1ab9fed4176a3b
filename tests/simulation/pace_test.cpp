// The promises of the pace, on a virtual clock: every kind of limit, with a few seeds.
#include <gtest/gtest.h>

#include "tests/simulation/pace/report.hpp"

namespace {

using namespace pace_simulation;

const Scenario& scenario(const std::string& name) {
  for (const Scenario& one : scenarios())
    if (one.name == name) return one;
  throw std::invalid_argument(name);
}

// Where requests 50 ms apart arrive up to 15 ms early or late, 79 % is the most that is possible.
constexpr const char* kRestless = "the same, restless network";

double promised(const Scenario& scenario) {
  if (scenario.name == kRestless) return 0.6;
  // A rate that fits a number at the same time keeps some of them free.
  return scenario.name == "4 at the same time" ? 0.75 : 0.9;
}

class EveryLimit : public testing::TestWithParam<const Scenario*> {};

TEST_P(EveryLimit, IsUsedWithFewRefusals) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Figures figures = figures_of(*GetParam(), run_pace(*GetParam(), Peer::learned, seed));
    EXPECT_GE(figures.used, promised(*GetParam())) << seed;
    EXPECT_LT(figures.refused, 0.01) << seed;
    EXPECT_EQ(figures.within_wait, 0) << seed;
    const bool changes = GetParam()->phases.size() > 1;
    EXPECT_LE(changes ? figures.recovery.value_or(1e9) : 0, 120) << seed;
  }
}

TEST_P(EveryLimit, IsUsedBetterThanByPeers) {
  const auto keeps = [](const Figures& figures) { return figures.refused < 0.005; };
  const Figures ours = figures_of(*GetParam(), run_pace(*GetParam(), Peer::learned, 1));
  for (const Peer peer : kAllPeers) {
    if (peer == Peer::learned) continue;
    const Figures theirs = figures_of(*GetParam(), run_pace(*GetParam(), peer, 1));
    EXPECT_TRUE(!keeps(theirs) || theirs.used <= ours.used) << name_of(peer);
  }
}

std::vector<const Scenario*> all() {
  std::vector<const Scenario*> list;
  for (const Scenario& one : scenarios())
    list.push_back(&one);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Pace, EveryLimit, testing::ValuesIn(all()));

TEST(PaceSimulation, IsTheSameForTheSameSeed) {
  const Scenario& bucket = scenario("bucket, 20/s, burst 5");
  const auto one = run_pace(bucket, Peer::learned, 7), other = run_pace(bucket, Peer::learned, 7);
  EXPECT_EQ(one.accepted, other.accepted);
  EXPECT_EQ(one.refused, other.refused);
}

}  // namespace
