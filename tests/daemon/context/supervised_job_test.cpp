// What a job says of itself after an exception of its step.
#include "daemon/context/supervised_job.hpp"

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

}  // namespace
