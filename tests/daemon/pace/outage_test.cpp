// Many jobs of one instance while the service cannot be reached. The test turns the clock.
#include <gtest/gtest.h>

#include "daemon/job/log.hpp"
#include "daemon/pace/retry.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;

class QuietLog final : public Log {
 public:
  void write(Level, std::string_view, const LogFields&) override {}
};

const TimePoint kOutageBegins{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};

// Jobs that want one thing from the service, each in its own backoff, over one pace.
class Outage : public testing::Test {
 protected:
  struct OneJob {
    OneJob(int number, Log& log, Pace& pace)
        : name("job." + std::to_string(number)),
          retry(log, name, pace, status, static_cast<std::uint64_t>(number)) {}
    std::string name;
    JobStatus status;
    RetryState retry;
    TimePoint at = kOutageBegins;
  };

  Outage() {
    for (int i = 0; i < 30; ++i)
      jobs_.push_back(std::make_unique<OneJob>(i, log_, pace_));
  }
  OneJob& first() {
    return **std::ranges::min_element(jobs_, {}, [](const auto& each) { return each->at; });
  }
  // Steps the job that is due first.
  void step(std::optional<int> status) {
    auto& job = first();
    now_ = std::max(now_, job.at);
    const Requester requester{job.name, RequestClass::read};
    if (const auto later = pace_.attempt(now_, requester)) {
      job.at = *later;
      return;
    }
    const RequestSlot slot(pace_, RequestClass::read);
    requests_.push_back(now_);
    PaceAnswer answer;
    answer.kind = status ? PaceAnswer::Kind::failed : PaceAnswer::Kind::accepted;
    answer.sent_at = pace_.steady();
    pace_.answered(answer);
    if (!status) {
      job.retry.succeeded();
      job.at = now_ + 1h;
      return;
    }
    const service::Trouble trouble{service::Trouble::Kind::unavailable, *status, std::nullopt, "x"};
    job.at = job.retry.failed(retry_after(Operation::page, trouble), trouble, now_);
  }
  void run(Duration duration, std::optional<int> status) {
    const TimePoint end = now_ + duration;
    while (first().at < end)
      step(status);
    now_ = end;
  }

  QuietLog log_;
  TimePoint now_ = kOutageBegins;
  Pace pace_{config::Pace{4, 100}, [this] { return now_.time_since_epoch(); }, 1};
  std::vector<std::unique_ptr<OneJob>> jobs_;
  std::vector<TimePoint> requests_;
};

TEST_F(Outage, ThirtyJobsTogetherTryItAsOftenAsOneWould) {
  run(10min, 0);
  requests_.clear();
  run(1h, 0);
  EXPECT_LE(requests_.size(), 3600u / 15 + 1) << "half of thirty seconds lies between two";
  EXPECT_GE(requests_.size(), 3600u / 30);
  for (std::size_t i = 1; i < requests_.size(); ++i) {
    EXPECT_LE(requests_[i] - requests_[i - 1], 30s);
    EXPECT_GE(requests_[i] - requests_[i - 1], 15s);
  }
}

TEST_F(Outage, TheNextRequestComesWithinThirtySecondsOfItsEndAndAllOfThemSoon) {
  for (const int status : {0, 408, 502, 503, 504}) {
    run(20min, status);
    requests_.clear();
    const TimePoint back = now_;
    while (requests_.empty())
      step(std::nullopt);
    EXPECT_LE(requests_.front() - back, 30s) << status;
    run(1min, std::nullopt);
    EXPECT_EQ(requests_.size(), jobs_.size()) << status;
    for (auto& job : jobs_)
      job->at = now_;
  }
}

TEST_F(Outage, APersonEndsTheWait) {
  run(20min, 0);
  ASSERT_TRUE(pace_.attempt(now_, {"job.0", RequestClass::read}));
  pace_.try_now();
  EXPECT_FALSE(pace_.attempt(now_, {"job.0", RequestClass::read}));
  pace_.finished(RequestClass::read);
}

// An answer of the service itself, and a wait that it asked for, keep their own times.
TEST(RetryTimes, AreShortOnlyWhereTheServiceCannotBeReached) {
  using Kind = service::Trouble::Kind;
  const auto longest = [](const service::Trouble& trouble) {
    QuietLog log;
    Pace pace(
        config::Pace{4, 100}, [] { return Duration{}; }, 1);
    JobStatus status;
    RetryState retry(log, "job", pace, status, 1);
    Duration most{};
    for (int i = 0; i < 50; ++i) {
      const TimePoint next =
          retry.failed(retry_after(Operation::page, trouble), trouble, kOutageBegins);
      most = std::max(most, next - kOutageBegins);
    }
    return most;
  };
  for (const int status : {0, 408, 502, 503, 504})
    EXPECT_LE(longest({Kind::unavailable, status, std::nullopt, "x"}), 30s) << status;
  EXPECT_GT(longest({Kind::unavailable, 500, std::nullopt, "x"}), 2min);
  EXPECT_GT(longest({Kind::malformed, 200, std::nullopt, "x"}), 2min);
  EXPECT_GT(longest({Kind::unauthorized, 401, std::nullopt, "x"}), 2min);
  EXPECT_GE(longest({Kind::unavailable, 503, service::Wait{10min}, "x"}), 10min);
  EXPECT_GE(longest({Kind::too_many, 429, service::Wait{10min}, "x"}), 10min);
}

}  // namespace
