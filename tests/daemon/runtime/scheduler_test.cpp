// What the scheduler knows of its jobs while they run: their trouble, and when they step again.
#include "daemon/runtime/scheduler.hpp"

#include <latch>
#include <thread>

#include <gtest/gtest.h>

#include "tests/daemon/metrics/kept_recorder.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;

class NoLog final : public Log {
 public:
  void write(Level, std::string_view) override {}
};

// Its first step lasts until the test ends it, and finds a trouble. The next one finds none.
class HeldJob final : public Job {
 public:
  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override {
    if (status_.trouble.empty() && steps_++ == 0) {
      begun.count_down();
      may_end.wait();
      status_.trouble = "HTTP 503";
    } else {
      status_.trouble.clear();
    }
    return now + 1h;
  }
  const JobStatus& status() const override { return status_; }

  std::latch begun{1}, may_end{1};

 private:
  std::string name_ = "push.orders";
  JobStatus status_;
  int steps_ = 0;
};

class Schedulers : public testing::Test {
 protected:
  Schedulers() {
    auto job = std::make_unique<HeldJob>();
    job_ = job.get();
    jobs_.push_back(std::make_unique<SupervisedJob>(std::move(job), log_, 1));
  }
  Scheduler::Waiting now() const { return scheduler_->waiting().at(0); }
  // Looks until it is so. A test that never gets there is ended by ctest.
  template <class Condition>
  void look_until(Condition condition) const {
    while (!condition())
      std::this_thread::yield();
  }

  NoLog log_;
  HeldJob* job_ = nullptr;
  std::vector<std::unique_ptr<SupervisedJob>> jobs_;
  std::unique_ptr<Scheduler> scheduler_;
};

TEST_F(Schedulers, KnowWhenAJobStepsAgainAndHowLongItHasATrouble) {
  scheduler_ = std::make_unique<Scheduler>(jobs_, [] { return TimePoint{}; });
  EXPECT_FALSE(now().next_in) << "it has not begun";
  scheduler_->start();
  job_->begun.wait();
  EXPECT_FALSE(now().next_in) << "it is in a step";
  EXPECT_FALSE(now().trouble_for);
  job_->may_end.count_down();
  look_until([&] { return now().next_in.has_value(); });
  EXPECT_LE(*now().next_in, 10min) << "no wait is longer, whatever the clock says";
  EXPECT_GT(*now().next_in, 9min);
  ASSERT_TRUE(now().trouble_for);
  EXPECT_GE(*now().trouble_for, 0s);
  EXPECT_EQ(scheduler_->wake([](const auto&) { return true; }), std::vector{job_->name()});
  look_until([&] { return !now().trouble_for; });
}

TEST_F(Schedulers, RecordEachStepAndWhetherItSucceeded) {
  metrics_test::KeptRecorder recorder;
  scheduler_ = std::make_unique<Scheduler>(
      jobs_, [] { return TimePoint{}; }, recorder);
  scheduler_->start();
  job_->may_end.count_down();
  look_until([&] { return recorder.lines().size() == 1; });
  look_until([&] { return now().next_in.has_value(); });
  scheduler_->wake([](const auto&) { return true; });
  look_until([&] { return recorder.lines().size() == 2; });
  EXPECT_EQ(recorder.lines(),
            (std::vector<std::string>{"push.orders failed", "push.orders succeeded"}));
}

}  // namespace
