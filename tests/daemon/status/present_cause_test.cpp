// A job that was refused and waits for its turn since.
#include <gtest/gtest.h>

#include "daemon/status/job_state.hpp"

namespace surveybridge::daemon {
namespace {

constexpr const char* kRefused = "too many requests: HTTP 429";

class PresentCause : public testing::Test {
 protected:
  std::string told() {
    std::vector<JobState> states{state_};
    tell_present_cause(states, pace_);
    return states[0].status.trouble;
  }

  JobState state_ = [] {
    JobState state{"push.orders", {}};
    state.status.trouble = kRefused;
    state.status.fault = JobStatus::Fault::throttled;
    return state;
  }();
  Pace::PaceSnapshot pace_{
      {{0.2, 0}, std::nullopt}, TimePoint{}, std::nullopt, {"push.orders"}, false};
};

TEST_F(PresentCause, IsTheTurnThatAJobWaitsForAfterARefusal) {
  EXPECT_EQ(told(),
            "waits for its turn, at 0.2 requests a second; before: too many requests: HTTP"
            " 429");
  pace_.learned.read = LearnedRate::Learned{5, 0};
  EXPECT_EQ(told(),
            "waits for its turn, at 0.2 requests a second writing, 5.0 reading; before: too"
            " many requests: HTTP 429");
}

TEST_F(PresentCause, IsTheRefusalAsLongAsAllWaitForTheService) {
  pace_.held_until = TimePoint{} + std::chrono::minutes{1};
  EXPECT_EQ(told(), kRefused);
}

TEST_F(PresentCause, IsTheFailureAsLongAsTheServiceIsAway) {
  pace_.away = true;
  EXPECT_EQ(told(), kRefused);
}

TEST_F(PresentCause, IsTheRefusalWhereTheJobWaitsForNoTurn) {
  pace_.waiting = {"pull.ratings"};
  EXPECT_EQ(told(), kRefused);
}

TEST_F(PresentCause, IsWhatNeedsAPersonAndWhatHangs) {
  state_.status.fault = JobStatus::Fault::configuration;
  EXPECT_EQ(told(), kRefused);
  state_.status.fault = JobStatus::Fault::throttled;
  state_.stuck = true;
  EXPECT_EQ(told(), kRefused);
  state_.stuck = false;
  state_.status.trouble = "";
  EXPECT_EQ(told(), "") << "to wait for a turn is no trouble";
}

}  // namespace
}  // namespace surveybridge::daemon
