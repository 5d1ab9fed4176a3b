// What a job says of itself after an exception of its step.
#include "daemon/context/supervised_job.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <gtest/gtest.h>

#include "connectors/crm/driver/database.hpp"
#include "tests/in_process/instance.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;

// Works although a person is needed, until the database is locked.
class LockedOut final : public Job {
 public:
  explicit LockedOut(const bool& locked) : locked_(locked) {
    status_.trouble = "two rows have no key";
    status_.degraded = true;
  }
  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override {
    if (locked_) throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "locked");
    return now;
  }
  const JobStatus& status() const override { return status_; }

 private:
  std::string name_ = "push.orders";
  JobStatus status_;
  const bool& locked_;
};

TEST(SupervisedJobs, DoNotWorkWhileTheirStepsFail) {
  bool locked = false;
  in_process::KeptLog log;
  SupervisedJob job(
      std::make_unique<LockedOut>(locked), log, [] { return Duration{}; }, 1);
  job.step({});
  EXPECT_TRUE(job.status().degraded);
  locked = true;
  job.step({});
  EXPECT_EQ(job.status().trouble, "database: locked");
  EXPECT_FALSE(job.status().degraded) << "it waits";
  locked = false;
  job.step({});
  EXPECT_TRUE(job.status().degraded);
}

// Its step fails while there is an error.
class Failing final : public Job {
 public:
  explicit Failing(const std::optional<crm::DatabaseError>& error, std::string name = "push.orders")
      : name_(std::move(name)), error_(error) {}
  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override {
    if (error_) throw *error_;
    return now;
  }
  const JobStatus& status() const override { return status_; }

 private:
  std::string name_;
  JobStatus status_;
  const std::optional<crm::DatabaseError>& error_;
};

// Its work fails while there is an error; held by the pace it does nothing.
class Interrupted final : public Job {
 public:
  Interrupted(const bool& fails, const bool& held) : fails_(fails), held_(held) {}
  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override {
    if (held_) return now;
    status_.interrupted = fails_;
    if (fails_) throw crm::DatabaseError(crm::DatabaseError::Kind::other, "it writes");
    return now;
  }
  const JobStatus& status() const override { return status_; }

 private:
  std::string name_ = "push.orders";
  JobStatus status_;
  const bool& fails_;
  const bool& held_;
};

TEST(SupervisedJobs, KeepATroubleUntilWhatHasFailedIsDoneAgain) {
  bool fails = true, held = false;
  in_process::KeptLog log;
  SupervisedJob job(
      std::make_unique<Interrupted>(fails, held), log, [] { return Duration{}; }, 1);
  job.step({});
  held = true;
  job.step({});
  EXPECT_EQ(job.status().trouble, "database: it writes");
  EXPECT_EQ(job.failures(), 1);
  EXPECT_FALSE(log.has("works again"));
  held = fails = false;
  job.step({});
  EXPECT_EQ(job.status().trouble, "");
  EXPECT_EQ(job.failures(), 0);
  EXPECT_TRUE(log.has("works again"));
}

// The longest of many waits in a row.
Duration longest_wait(crm::DatabaseError::Kind kind) {
  std::optional<crm::DatabaseError> error(std::in_place, kind, "away");
  in_process::KeptLog log;
  SupervisedJob job(
      std::make_unique<Failing>(error), log, [] { return Duration{}; }, 1);
  TimePoint now{};
  Duration longest{0};
  for (int failure = 0; failure < 100; ++failure) {
    const TimePoint next = job.step(now);
    longest = std::max<Duration>(longest, next - now);
    now = next;
  }
  return longest;
}

TEST(SupervisedJobs, TryADatabaseThatIsAwayAgainWithinHalfAMinute) {
  using Kind = crm::DatabaseError::Kind;
  EXPECT_LE(longest_wait(Kind::connection), std::chrono::seconds{30});
  EXPECT_GT(longest_wait(Kind::connection), std::chrono::seconds{15}) << "not all the time";
  EXPECT_LE(longest_wait(Kind::busy), std::chrono::seconds{30});
  EXPECT_GT(longest_wait(Kind::other), std::chrono::minutes{2}) << "waiting does not mend it";
}

TEST(SupervisedJobs, SayTogetherThatTheDatabaseIsAway) {
  using Kind = crm::DatabaseError::Kind;
  in_process::KeptLog log;
  DatabaseOutage outage(log, [] { return Duration{}; });
  std::optional<crm::DatabaseError> error(std::in_place, Kind::connection, "refused");
  std::vector<std::unique_ptr<SupervisedJob>> jobs;
  for (int i = 0; i < 3; ++i) {
    jobs.push_back(std::make_unique<SupervisedJob>(
        std::make_unique<Failing>(error, "pull." + std::to_string(i)), log,
        [] { return Duration{}; }, 1, &outage));
  }
  const auto step = [&] {
    for (auto& job : jobs)
      job->step({});
  };
  step();
  step();
  ASSERT_EQ(log.lines().size(), 1u);
  EXPECT_EQ(log.lines().front(), "database: refused; every job that needs it waits");
  EXPECT_EQ(jobs.back()->status().trouble, "database: refused");
  error.reset();
  jobs.front()->step({});
  EXPECT_EQ(log.lines().size(), 1u) << "the others have not tried again";
  step();
  step();
  ASSERT_EQ(log.lines().size(), 2u);
  EXPECT_EQ(log.lines().back(), "database: works again after 6 tries in 0 s");
  error.emplace(Kind::other, "no such column");
  step();
  EXPECT_EQ(log.lines().size(), 5u) << "what is wrong with a job it says itself";
}

// A push whose pace holds it takes a step without a question.
TEST(SupervisedJobs, TakeAStepThatAsksNothingForNoSignThatTheDatabaseIsBack) {
  using Kind = crm::DatabaseError::Kind;
  in_process::KeptLog log;
  std::uint64_t answered = 7;
  DatabaseOutage outage(
      log, [] { return Duration{}; }, [&](const std::string&) { return answered; });
  std::optional<crm::DatabaseError> error(std::in_place, Kind::connection, "refused");
  SupervisedJob job(
      std::make_unique<Failing>(error), log, [] { return Duration{}; }, 1, &outage);
  job.step({});
  ASSERT_EQ(log.lines().size(), 1u);
  error.reset();
  job.step({});
  EXPECT_EQ(job.status().trouble, "") << "what it waits for now it says itself";
  EXPECT_EQ(log.lines().size(), 1u) << "it asked nothing";
  error.emplace(Kind::connection, "refused");
  job.step({});
  EXPECT_EQ(log.lines().size(), 1u) << "the same outage";
  error.reset();
  ++answered;
  job.step({});
  ASSERT_EQ(log.lines().size(), 2u);
  EXPECT_TRUE(log.has("works again after 2 tries in 0 s"));
}

// One that waits for hours, for the pace say, keeps nobody from saying that the outage is over.
TEST(SupervisedJobs, SayThatTheDatabaseIsBackThoughOneOfThemAsksNothing) {
  using Kind = crm::DatabaseError::Kind;
  in_process::KeptLog log;
  std::map<std::string, std::uint64_t> answered;
  DatabaseOutage outage(
      log, [] { return Duration{}; }, [&](const std::string& job) { return answered[job]; });
  std::optional<crm::DatabaseError> error(std::in_place, Kind::connection, "refused");
  SupervisedJob held(
      std::make_unique<Failing>(error, "push.orders"), log, [] { return Duration{}; }, 1, &outage);
  SupervisedJob other(
      std::make_unique<Failing>(error, "pull.customers"), log, [] { return Duration{}; }, 1,
      &outage);
  held.step({});
  other.step({});
  error.reset();
  held.step({});
  EXPECT_EQ(log.lines().size(), 1u);
  ++answered["pull.customers"];
  other.step({});
  ASSERT_EQ(log.lines().size(), 2u);
  EXPECT_TRUE(log.has("database: works again after 2 tries"));
  error.emplace(Kind::connection, "refused");
  other.step({});
  EXPECT_EQ(log.lines().size(), 2u) << "it may be over at once";
  other.step({});
  other.step({});
  EXPECT_EQ(log.lines().size(), 3u) << "another outage";
}

// Fails as the database says, so many times.
class Conflicts final : public Job {
 public:
  Conflicts(std::string says, std::string sqlstate, int times)
      : says_(std::move(says)), code_{std::move(sqlstate)}, times_(times) {}
  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override {
    if (times_-- > 0) throw crm::DatabaseError(crm::DatabaseError::Kind::busy, says_, code_);
    return now;
  }
  const JobStatus& status() const override { return status_; }

 private:
  std::string name_ = "push.orders";
  JobStatus status_;
  std::string says_;
  crm::ErrorCode code_;
  int times_;
};

TEST(SupervisedJobs, RepeatAStepSoonThatConflictedWithAnotherTransaction) {
  using namespace std::chrono_literals;
  in_process::KeptLog log;
  SupervisedJob job(
      std::make_unique<Conflicts>("Zugriff konnte nicht serialisiert werden", "40001", 2), log,
      [] { return Duration{}; }, 1);
  EXPECT_LE(job.step({}), TimePoint{} + 20ms);
  EXPECT_TRUE(log.lines().empty()) << "one conflict is usual";
  EXPECT_NE(job.status().trouble, "") << "but no secret";
  EXPECT_LE(job.step({}), TimePoint{} + 40ms);
  EXPECT_TRUE(log.has("Zugriff konnte nicht serialisiert werden"));
  job.step({});
  EXPECT_EQ(job.status().trouble, "");
}

TEST(SupervisedJobs, WaitForALockThatAnotherHolds) {
  using namespace std::chrono_literals;
  in_process::KeptLog log;
  SupervisedJob job(
      std::make_unique<Conflicts>("the table is locked", "55P03", 1), log,
      [] { return Duration{}; }, 1);
  EXPECT_GE(job.step({}), TimePoint{} + 500ms);
  EXPECT_TRUE(log.has("the table is locked"));
}

}  // namespace
