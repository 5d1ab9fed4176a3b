// Answers that are made in different lanes of the status page's server.
#include <array>
#include <condition_variable>
#include <mutex>

#include <gmock/gmock.h>

#include "daemon/status/server.hpp"
#include "tests/support/socket_client.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using support::get_request;
using support::SocketClient;
using testing::HasSubstr;

// Answers of "/" and "/report" are not made before the test says so.
class Held {
 public:
  http::Reply answer(const http::Request& request) {
    const StatusLane lane = lane_of(request.target);
    if (lane == StatusLane::pages || lane == StatusLane::report) {
      std::unique_lock lock(mutex_);
      ++begun_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return let_go_; });
    }
    return http::text_reply(200, "answer to " + request.target);
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
  void ask(SocketClient& client, const std::string& path) {
    client.connect_to(server_->port());
    client.send(get_request(path));
  }
  std::string answer_to(const std::string& path) {
    SocketClient client;
    ask(client, path);
    return client.rest();
  }

  Held held_;
  std::unique_ptr<http::Server> server_ = serve_status(
      {"127.0.0.1", 0}, [this](const http::Request& request) { return held_.answer(request); });
};

TEST_F(ServerOfHeldAnswers, HealthReadyAndMetricsWaitForNoPageAndNoReport) {
  SocketClient page, report;
  ask(page, "/");
  ask(report, "/report");
  held_.wait_until_begun(2);
  EXPECT_THAT(answer_to("/health"), HasSubstr("answer to /health"));
  EXPECT_THAT(answer_to("/ready"), HasSubstr("answer to /ready"));
  EXPECT_THAT(answer_to("/metrics"), HasSubstr("answer to /metrics"));
  held_.let_go();
  EXPECT_THAT(page.rest(), HasSubstr("answer to /"));
  EXPECT_THAT(report.rest(), HasSubstr("answer to /report"));
}

TEST_F(ServerOfHeldAnswers, FewPagesWaitAndHealthIsAnsweredBesideThem) {
  std::array<SocketClient, kStatusWaiting> waiting;
  for (SocketClient& client : waiting)
    ask(client, "/");
  SocketClient one_more;
  ask(one_more, "/doubts");
  held_.wait_until_begun(1);
  EXPECT_THAT(answer_to("/health"), HasSubstr("answer to /health"));
  EXPECT_EQ(held_.begun(), 1) << "one after the other";
  held_.let_go();
  std::size_t made = 0, refused = 0;
  for (SocketClient* client : {&waiting[0], &waiting[1], &waiting[2], &waiting[3], &one_more}) {
    const std::string heard = client->rest();
    made += heard.starts_with("HTTP/1.1 200") ? 1U : 0U;
    refused += heard.starts_with("HTTP/1.1 503") ? 1U : 0U;
  }
  EXPECT_EQ(made, kStatusWaiting);
  EXPECT_EQ(refused, 1U);
}

TEST_F(ServerOfHeldAnswers, AServerEndsThoughAnswersWait) {
  SocketClient first, second;
  ask(first, "/");
  ask(second, "/doubts");
  held_.wait_until_begun(1);
  held_.let_go();
}

}  // namespace
