// What the scheduler knows of its jobs while they run: their trouble, and when they step again.
#include "daemon/runtime/scheduler.hpp"

#include <atomic>
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
  void write(Level, std::string_view, const LogFields&) override {}
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

// Counts its steps, and says the same of itself after each.
class CountedJob final : public Job {
 public:
  CountedJob(std::string name, JobStatus status) : name_(std::move(name)), status_(status) {}
  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override {
    ++steps;
    return now + 1h;
  }
  const JobStatus& status() const override { return status_; }
  void make_due() override { ++made_due; }

  std::atomic<int> steps{0}, made_due{0};

 private:
  std::string name_;
  JobStatus status_;
};

// Its first poll takes two steps, of which the first one lasts until the test ends it.
class TwoStepJob final : public Job {
 public:
  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override {
    status_.caught_up = steps > 0;
    if (!status_.caught_up) {
      begun.count_down();
      may_end.wait();
    }
    return ++steps == 1 ? now : now + 1h;
  }
  const JobStatus& status() const override { return status_; }

  std::latch begun{1}, may_end{1};
  std::atomic<int> steps{0};

 private:
  std::string name_ = "push.orders";
  JobStatus status_;
};

class Schedulers : public testing::Test {
 protected:
  template <class J, class... Arguments>
  J& add(Arguments&&... arguments) {
    auto job = std::make_unique<J>(std::forward<Arguments>(arguments)...);
    J& added = *job;
    jobs_.push_back(std::make_unique<SupervisedJob>(
        std::move(job), log_, [] { return Duration{}; }, 1));
    return added;
  }
  void make_scheduler() {
    scheduler_ = std::make_unique<Scheduler>(jobs_, [] { return TimePoint{}; });
  }
  JobState now() const { return scheduler_->states().at(0); }
  // Looks until it is so. A test that never gets there is ended by ctest.
  template <class Condition>
  void look_until(Condition condition) const {
    while (!condition())
      std::this_thread::yield();
  }

  NoLog log_;
  std::vector<std::unique_ptr<SupervisedJob>> jobs_;
  std::unique_ptr<Scheduler> scheduler_;
};

TEST_F(Schedulers, KnowWhenAJobStepsAgainAndHowLongItHasATrouble) {
  HeldJob& job = add<HeldJob>();
  make_scheduler();
  EXPECT_FALSE(now().next_in) << "it has not begun";
  scheduler_->start();
  job.begun.wait();
  EXPECT_FALSE(now().next_in) << "it is in a step";
  EXPECT_FALSE(now().trouble_for);
  job.may_end.count_down();
  look_until([&] { return now().next_in.has_value(); });
  EXPECT_LE(*now().next_in, 10min) << "no wait is longer, whatever the clock says";
  EXPECT_GT(*now().next_in, 9min);
  ASSERT_TRUE(now().trouble_for);
  EXPECT_GE(*now().trouble_for, 0s);
  EXPECT_EQ(scheduler_->wake([](const auto&) { return true; }), std::vector{job.name()});
  look_until([&] { return !now().trouble_for; });
}

TEST_F(Schedulers, PollSoonerOnlyWhereAJobWaitsForItsNextPoll) {
  JobStatus caught_up, works_in_spite, waits, has_more;
  caught_up.caught_up = works_in_spite.caught_up = waits.caught_up = true;
  works_in_spite.trouble = "two rows have no key";
  works_in_spite.degraded = true;
  waits.trouble = "HTTP 503";
  CountedJob& first = add<CountedJob>("push.first", caught_up);
  CountedJob& second = add<CountedJob>("push.second", works_in_spite);
  const CountedJob& away = add<CountedJob>("push.away", waits);
  const CountedJob& paced = add<CountedJob>("push.paced", has_more);
  const CountedJob& other = add<CountedJob>("pull.customers", caught_up);
  make_scheduler();
  scheduler_->start();
  look_until([&] {
    for (const JobState& state : scheduler_->states())
      if (!state.next_in) return false;
    return true;
  });
  // So often that a job that must not poll would have done so.
  for (int round = 2; round <= 100; ++round) {
    scheduler_->poll([](const std::string& job) { return job.starts_with("push."); });
    look_until([&] { return first.steps >= round && second.steps >= round; });
  }
  EXPECT_EQ(away.steps, 1);
  EXPECT_EQ(paced.steps, 1);
  EXPECT_EQ(other.steps, 1);
}

TEST_F(Schedulers, MakeAJobDueWhenAPersonWakesItAndNotWhenRowsMayHaveCome) {
  JobStatus caught_up;
  caught_up.caught_up = true;
  const CountedJob& job = add<CountedJob>("pull.customers.LastActivityDate", caught_up);
  make_scheduler();
  scheduler_->start();
  const auto each = [](const std::string&) { return true; };
  look_until([&] { return now().next_in.has_value(); });
  scheduler_->poll(each);
  look_until([&] { return job.steps == 2; });
  EXPECT_EQ(job.made_due, 0);
  scheduler_->wake(each);
  look_until([&] { return job.steps == 3; });
  EXPECT_EQ(job.made_due, 1) << "before its step";
}

// The rest of a poll may not meet a row that was committed after the poll began.
TEST_F(Schedulers, PollOnceMoreWhereRowsMayHaveComeWithinAPoll) {
  TwoStepJob& polled = add<TwoStepJob>();
  TwoStepJob& woken = add<TwoStepJob>();
  make_scheduler();
  scheduler_->start();
  polled.begun.wait();
  woken.begun.wait();
  const auto each = [](const std::string&) { return true; };
  scheduler_->poll(each);
  polled.may_end.count_down();
  look_until([&] { return polled.steps == 3; });
  scheduler_->wake(each);
  woken.may_end.count_down();
  look_until([&] { return woken.steps == 3 && polled.steps == 4; });
}

TEST_F(Schedulers, RecordEachStepAndWhetherItSucceeded) {
  metrics_test::KeptRecorder recorder;
  HeldJob& job = add<HeldJob>();
  scheduler_ = std::make_unique<Scheduler>(
      jobs_, [] { return TimePoint{}; }, recorder);
  scheduler_->start();
  job.may_end.count_down();
  look_until([&] { return recorder.lines().size() == 1; });
  look_until([&] { return now().next_in.has_value(); });
  scheduler_->wake([](const auto&) { return true; });
  look_until([&] { return recorder.lines().size() == 2; });
  EXPECT_EQ(recorder.lines(),
            (std::vector<std::string>{"push.orders failed", "push.orders succeeded"}));
}

}  // namespace
