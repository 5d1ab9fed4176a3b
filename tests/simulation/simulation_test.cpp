// "Never twice, never lost", on seeds of the suite's own; and that the simulator would notice.
// More schedules: build/…/bin/surveysimulate --seeds A..B (docs/GUARANTEES.md).
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulation/schedule.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace simulation;

// A sanitizer makes a schedule ten times as long; what it looks for is in every one of them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kSchedules = 80;
#else
constexpr std::uint64_t kSchedules = 800;
#endif
constexpr std::uint64_t kShards = 8;
constexpr int kAShard = static_cast<int>(kSchedules / kShards);
// A schedule of the tested world costs four times a plain one, so only the first draw its extras.
constexpr std::uint64_t kWithExtras = 160;
// The schedules after these, up to here, have the CRM and the store in two databases.
constexpr std::uint64_t kApart = 240;

World world_of(std::uint64_t seed) {
  if (seed < kWithExtras) return tested_world();
  if (seed >= kApart) return {};
  return {{Extra::apart, Share::each}, {Extra::write_back, Share::each}};
}

class Schedules : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Schedules, AddUp) {
  const support::TemporaryFolder folder(support::TemporaryFolder::Place::memory);
  int crashes = 0, doubts = 0, sent = 0, left_out = 0, told = 0;
  for (std::uint64_t seed = GetParam(); seed < kSchedules; seed += kShards) {
    const Report report = run_schedule(seed, Broken::nothing, world_of(seed), folder.path());
    for (const auto& fault : report.faults)
      ADD_FAILURE() << "seed " << seed << " (" << report.extras << "): " << fault;
    crashes += report.crashes;
    doubts += report.in_doubt;
    sent += report.sent;
    left_out += report.left_out;
    told += report.told;
  }
  // Schedules in which nothing goes wrong, or nothing goes out, would prove nothing.
  // Of ten of them each shard must have some.
  const int usual = kAShard < 50 ? kAShard / 10 : kAShard;
  EXPECT_GT(crashes, 2 * usual);
  EXPECT_GT(doubts, usual / 2);
  EXPECT_GT(sent, 8 * usual);
  EXPECT_GT(left_out, usual / 8);
  EXPECT_GT(told, usual / 8);
}

INSTANTIATE_TEST_SUITE_P(Shard, Schedules, testing::Range(std::uint64_t{0}, kShards));

// So many of forty schedules must notice that a rule is broken; then the others need not run.
constexpr int kCaught = 3;

class NegativeControl : public testing::TestWithParam<Broken> {};

TEST_P(NegativeControl, IsCaught) {
  const support::TemporaryFolder folder(support::TemporaryFolder::Place::memory);
  int caught = 0;
  for (std::uint64_t seed = 1; seed <= 40 && caught < kCaught; ++seed) {
    caught += run_schedule(seed, GetParam(), {}, folder.path()).faults.empty() ? 0 : 1;
  }
  EXPECT_EQ(caught, kCaught) << to_string(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Rule, NegativeControl, testing::ValuesIn(kAllBroken));

// Who is drawn by person comes from a secret that the bridge draws, so the seed draws it here.
TEST(Simulation, ReplaysASeedExactly) {
  const support::TemporaryFolder folder(support::TemporaryFolder::Place::memory);
  World world = tested_world();
  world[Extra::sample] = Share::each;
  for (const std::uint64_t seed : {4711, 4712, 4713, 4714}) {
    const Report first = run_schedule(seed, Broken::nothing, world, folder.path());
    const Report again = run_schedule(seed, Broken::nothing, world, folder.path());
    EXPECT_EQ(first.requests, again.requests) << seed;
    EXPECT_EQ(first.crashes, again.crashes) << seed;
    EXPECT_EQ(first.wire_faults, again.wire_faults) << seed;
    EXPECT_EQ(first.left_out, again.left_out) << seed;
  }
}

}  // namespace
