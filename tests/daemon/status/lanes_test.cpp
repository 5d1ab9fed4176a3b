// Answers that are made in different lanes of the status page's server.
#include <array>
#include <condition_variable>
#include <mutex>

#include <gmock/gmock.h>

#include "daemon/status/server.hpp"
#include "daemon/status/watch.hpp"
#include "tests/daemon/status/client.hpp"
#include "tests/daemon/status/hang.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using status_client::Client;
using status_client::Hang;
using testing::HasSubstr;

// Answers of "/" and "/report" are not made before the test says so.
class Held {
 public:
  StatusReply answer(const StatusRequest& request) {
    const StatusLane lane = lane_of(request.target);
    if (lane == StatusLane::pages || lane == StatusLane::report) {
      std::unique_lock lock(mutex_);
      ++begun_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return let_go_; });
    }
    return {200, "text/plain", "answer to " + request.target};
  }
  void wait_until_begun(int answers) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_ >= answers; });
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    let_go_ = true;
    changed_.notify_all();
  }
  int begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int begun_ = 0;
  bool let_go_ = false;
};

class ServerOfHeldAnswers : public testing::Test {
 protected:
  ~ServerOfHeldAnswers() override { held_.let_go(); }
  void ask(Client& client, const std::string& path) {
    ASSERT_TRUE(client.connect_to(server_.port()));
    client.ask(path);
  }
  std::string answer_to(const std::string& path) {
    Client client;
    ask(client, path);
    return client.hears();
  }

  Held held_;
  StatusServer server_{{"127.0.0.1", 0},
                       [this](const StatusRequest& request) { return held_.answer(request); }};
};

TEST_F(ServerOfHeldAnswers, HealthReadyAndMetricsWaitForNoPageAndNoReport) {
  Client page, report;
  ask(page, "/");
  ask(report, "/report");
  held_.wait_until_begun(2);
  EXPECT_THAT(answer_to("/health"), HasSubstr("answer to /health"));
  EXPECT_THAT(answer_to("/ready"), HasSubstr("answer to /ready"));
  EXPECT_THAT(answer_to("/metrics"), HasSubstr("answer to /metrics"));
  held_.let_go();
  EXPECT_THAT(page.hears(), HasSubstr("answer to /"));
  EXPECT_THAT(report.hears(), HasSubstr("answer to /report"));
}

TEST_F(ServerOfHeldAnswers, FewPagesWaitAndHealthIsAnsweredBesideThem) {
  std::array<Client, StatusServer::kWaiting> waiting;
  for (Client& client : waiting)
    ask(client, "/");
  Client one_more;
  ask(one_more, "/doubts");
  held_.wait_until_begun(1);
  EXPECT_THAT(answer_to("/health"), HasSubstr("answer to /health"));
  EXPECT_EQ(held_.begun(), 1) << "one after the other";
  held_.let_go();
  int made = 0, refused = 0;
  for (Client* client : {&waiting[0], &waiting[1], &waiting[2], &waiting[3], &one_more}) {
    const std::string heard = client->hears();
    made += heard.starts_with("HTTP/1.1 200") ? 1 : 0;
    refused += heard.starts_with("HTTP/1.1 503") ? 1 : 0;
  }
  EXPECT_EQ(made, StatusServer::kWaiting);
  EXPECT_EQ(refused, 1);
}

TEST_F(ServerOfHeldAnswers, AServerEndsThoughAnswersWait) {
  Client first, second;
  ask(first, "/");
  ask(second, "/doubts");
  held_.wait_until_begun(1);
  held_.let_go();
}

// The real answers, in a database that does not answer.
TEST(StatusLanes, HealthIsAnsweredWhileThePageWaitsForADatabaseThatHangs) {
  const auto hang = std::make_shared<Hang>();
  Environment environment;
  environment.uptime = [] { return Duration{0}; };
  environment.open_database = [hang]() -> std::unique_ptr<crm::Database> {
    hang->wait();
    throw crm::DatabaseError(crm::DatabaseError::Kind::connection, "away");
  };
  StatusWatch watch({}, environment,
                    {[] { return std::vector<JobState>{}; }, [] { return std::string(); },
                     [] { return AboutDaemon{}; }});
  StatusServer server({"127.0.0.1", 0},
                      [&](const StatusRequest& request) { return watch.answer(request.target); });
  Client page, health;
  ASSERT_TRUE(page.connect_to(server.port()));
  page.ask("/");
  hang->wait_until_asked();
  ASSERT_TRUE(health.connect_to(server.port()));
  health.ask("/health");
  EXPECT_THAT(health.hears(), HasSubstr("200 OK"));
  EXPECT_FALSE(page.hears_within(0)) << "the page did not wait: nothing is shown";
  hang->end();
  EXPECT_THAT(page.hears(), HasSubstr("The database does not answer"));
}

}  // namespace
