// Real daemons on a real cluster (cluster_world.hpp): nobody is mailed twice, nothing is lost, and
// who was forgotten is gone on every node. Without the protection the same must be caught.
#include <iostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cluster/cluster_world.hpp"
#include "tests/cluster/options.hpp"

namespace cluster {
namespace {

class Cluster : public testing::Test {
 protected:
  static void SetUpTestSuite() { cluster_ = std::make_unique<support::GaleraCluster>(); }
  static void TearDownTestSuite() { cluster_.reset(); }

  static std::unique_ptr<support::GaleraCluster> cluster_;
};
std::unique_ptr<support::GaleraCluster> Cluster::cluster_;

std::string all_of(const Outcome& outcome) {
  std::string all;
  for (const auto& fault : outcome.faults)
    all += fault + "\n";
  return all;
}

// Several tries, for the moment when a page is stored is the daemon's. Either half of the
// protection is enough for this.
TEST_F(Cluster, ForgetsOnANodeThatLags) {
  constexpr int kTries = 3;
  for (const auto protection : {Protection::whole, Protection::late}) {
    int forgotten = 0;
    for (int i = 0; i < kTries && forgotten == 0; ++i) {
      const auto outcome =
          ClusterWorld(*cluster_, options().seed + i, protection).run_forget_on_a_node_that_lags();
      EXPECT_THAT(outcome.faults, testing::IsEmpty());
      forgotten = outcome.forgotten;
    }
    EXPECT_GT(forgotten, 0) << "no node lagged while a page was stored";
  }
}

TEST_F(Cluster, IsCaughtWhereANodeThatLagsMayLie) {
  constexpr int kTries = 10;
  std::string said;
  for (int i = 0; i < kTries; ++i) {
    said = all_of(ClusterWorld(*cluster_, options().seed + i, Protection::none)
                      .run_forget_on_a_node_that_lags());
    if (said.find("forgotten, and node") != std::string::npos) return;
  }
  FAIL() << "the control was not caught; the last round: " << said;
}

TEST_F(Cluster, MailsNobodyTwiceAndLosesNothing) {
  const Options& asked = options();
  const auto protection = asked.is_protected ? Protection::whole : Protection::none;
  int caught = 0;
  for (int round = 0; round < asked.rounds; ++round) {
    const auto outcome = ClusterWorld(*cluster_, asked.seed + round, protection).run();
    std::cout << outcome.text() << std::endl;
    caught += outcome.faults.empty() ? 0 : 1;
    if (!asked.is_protected && caught > 0) break;
  }
  if (asked.is_protected) {
    EXPECT_EQ(caught, 0);
  } else {
    EXPECT_GT(caught, 0) << "the control was not caught";
  }
}

}  // namespace
}  // namespace cluster
