// What `surveybridge now` does to the jobs of a daemon while the service cannot be reached. The
// clock of the pace stands still between requests, so that no wait ends by itself.
#include "daemon/runtime/bridge.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <latch>
#include <thread>

#include <gtest/gtest.h>

#include "tests/in_process/instance.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::daemon {
namespace {

using namespace std::chrono_literals;

const char* const kPulls = R"(
[service]
base_url = "http://127.0.0.1:1"
[service.auth]
kind = "none"
[crm]
connection = "sqlite3:///unused"
[pull.customers]
from = 2026-11-01
[pull.ratings]
from = 2026-11-01
)";

// Counts requests; each takes a second of the pace's clock, and reaches nobody.
class NobodyThere {
 public:
  service::Exchange answer() {
    const std::lock_guard lock(mutex_);
    ++requests_;
    changed_.notify_all();
    return service::Failure{service::Failure::Kind::not_connected, "nobody is there"};
  }
  Duration uptime() const { return std::chrono::seconds{requests()}; }
  int requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  bool hears_more_than(int requests) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 20s, [&] { return requests_ > requests; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int requests_ = 0;
};

class TransportTo final : public service::Transport {
 public:
  explicit TransportTo(NobodyThere& nobody) : nobody_(nobody) {}
  service::Exchange send(const service::Request&) override { return nobody_.answer(); }

 private:
  NobodyThere& nobody_;
};

// Jobs write to it from their threads.
class MuteLog final : public Log {
 public:
  void write(Level, std::string_view, const LogFields&) override {}
};

// A failure that the pace has not heard of yet would end what `now` allows.
void until_all_wait(const Bridge& bridge) {
  const auto is_in_step = [](const JobState& job) { return !job.next_in; };
  while (std::ranges::any_of(bridge.states(), is_in_step))
    std::this_thread::yield();
}

TEST(Bridges, TryTheServiceEachTimeAPersonSaysNow) {
  const support::TemporaryFolder folder;
  NobodyThere nobody;
  MuteLog log;
  auto settings = in_process::settings_of(kPulls);
  auto credentials = std::get<0>(service::Credentials::make(settings.service.auth));
  Environment environment;
  environment.open_database = [path = "sqlite3://" + folder.path() + "/crm.db"] {
    return crm::open_database(path);
  };
  environment.open_transport = [&] { return std::make_unique<TransportTo>(nobody); };
  environment.uptime = [&] { return nobody.uptime(); };
  environment.owner = "one";
  Bridge bridge(settings, environment, log, *credentials, {.sessions = settings.crm.connections});
  bridge.start();
  ASSERT_TRUE(nobody.hears_more_than(0));
  for (int i = 0; i < 20; ++i) {  // after five failures in a row all jobs wait
    until_all_wait(bridge);
    const int before = nobody.requests();
    EXPECT_FALSE(bridge.wake("all").empty());
    ASSERT_TRUE(nobody.hears_more_than(before)) << i;
  }
  bridge.stop();
  EXPECT_TRUE(bridge.join_within(20s));
}

// A database that takes up a connection when it is let go.
struct Gatekeeper {
  std::latch open{1};
  std::atomic<int> asked{0};
};

TEST(Bridges, SayThatAJobWaitsForTheDatabaseBeforeItsStepHasEnded) {
  const support::TemporaryFolder folder;
  NobodyThere nobody;
  MuteLog log;
  Gatekeeper keeper;
  std::atomic<std::int64_t> seconds{0};
  auto settings = in_process::settings_of(kPulls);
  settings.crm.connections = 100;  // no job waits for the session of another one
  auto credentials = std::get<0>(service::Credentials::make(settings.service.auth));
  Environment environment;
  environment.open_database = [&, path = "sqlite3://" + folder.path() + "/crm.db"] {
    ++keeper.asked;
    keeper.open.wait();
    return crm::open_database(path);
  };
  environment.open_transport = [&] { return std::make_unique<TransportTo>(nobody); };
  environment.uptime = [&] { return std::chrono::seconds{seconds}; };
  environment.owner = "one";
  Bridge bridge(settings, environment, log, *credentials, {.sessions = settings.crm.connections});
  const auto troubles = [&] {
    int waiting = 0;
    for (const auto& job : bridge.states())
      waiting += job.status.trouble == "the database has not answered \"connect\" for 4 s" ? 1 : 0;
    return waiting;
  };
  bridge.start();
  while (keeper.asked < static_cast<int>(bridge.jobs().size()))
    std::this_thread::yield();
  EXPECT_EQ(troubles(), 0);
  seconds = 4;
  EXPECT_EQ(troubles(), static_cast<int>(bridge.jobs().size()));
  keeper.open.count_down();
  while (troubles() > 0)
    std::this_thread::yield();
  bridge.stop();
  EXPECT_TRUE(bridge.join_within(20s));
}

// Refuses every request.
class Refusing final : public service::Transport {
 public:
  explicit Refusing(std::atomic<int>& asked) : asked_(asked) {}
  service::Exchange send(const service::Request&) override {
    ++asked_;
    return service::Response{429, {}, "", 0};
  }

 private:
  std::atomic<int>& asked_;
};

TEST(Bridges, SayThatAJobWaitsForItsTurnWhenItsRefusalIsOver) {
  const support::TemporaryFolder folder;
  MuteLog log;
  std::atomic<int> asked{0};
  std::atomic<std::int64_t> seconds{0};
  auto settings = in_process::settings_of(kPulls);
  settings.service.pace.max_per_second = 0.001;
  auto credentials = std::get<0>(service::Credentials::make(settings.service.auth));
  Environment environment;
  environment.open_database = [path = "sqlite3://" + folder.path() + "/crm.db"] {
    return crm::open_database(path);
  };
  environment.open_transport = [&] { return std::make_unique<Refusing>(asked); };
  environment.uptime = [&] { return std::chrono::seconds{seconds}; };
  environment.owner = "one";
  Bridge bridge(settings, environment, log, *credentials, {.sessions = settings.crm.connections});
  const auto says = [&](const std::string& text) {
    return std::ranges::any_of(bridge.states(), [&](const JobState& job) {
      return job.status.trouble.find(text) != std::string::npos;
    });
  };
  bridge.start();
  while (asked == 0 || !says("too many requests: "))
    std::this_thread::yield();
  EXPECT_FALSE(says("waits for its turn")) << "the service has refused all";
  seconds = 300;
  while (!says("waits for its turn, at ")) {
    bridge.wake("all");  // a job that was still in its step does not hear it
    std::this_thread::yield();
  }
  EXPECT_EQ(asked, 1);
  bridge.stop();
  EXPECT_TRUE(bridge.join_within(20s));
}

}  // namespace
}  // namespace surveybridge::daemon
