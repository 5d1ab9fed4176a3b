// What a recorder is told: of requests, of waits for the pace, and of a daemon's rows and pages.
#include <gmock/gmock.h>

#include "daemon/pace/transport.hpp"
#include "tests/daemon/metrics/kept_recorder.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using metrics_test::KeptRecorder;
using testing::Contains;
using testing::ElementsAre;

// Answers after a time, by the test's clock.
class AnswersLate final : public service::Transport {
 public:
  AnswersLate(daemon::Duration& uptime, service::Exchange answer)
      : uptime_(uptime), answer_(std::move(answer)) {}
  service::Exchange send(const service::Request&) override {
    uptime_ += 250ms;
    return answer_;
  }

 private:
  daemon::Duration& uptime_;
  service::Exchange answer_;
};

class RecorderOf : public in_process::Shop {
 protected:
  RecorderOf() { config_.base_url = "https://surveys.example.com"; }
  void send(service::Exchange answer) {
    daemon::Pace pace(
        {}, [this] { return uptime_; }, 1);
    daemon::ObservedTransport transport(std::make_unique<AnswersLate>(uptime_, std::move(answer)),
                                        {.service = config_, .pace = pace, .recorder = recorder_});
    transport.send(
        {"POST", config_.base_url + "/external/api/v3/customer/add", {}, "{\"a\":1}", true, {}});
  }

  config::Service config_;
  daemon::Duration uptime_{1h};
  KeptRecorder recorder_;
};

TEST_F(RecorderOf, RequestsHearsOperationCodeTimeAndBytes) {
  service::Response answered{200, {}, "{}"};
  answered.certificate_ends = 1'800'000'000;
  send(answered);
  send(service::Response{429, {}, ""});
  send(service::Failure{service::Failure::Kind::unknown, "", 0, true});
  EXPECT_THAT(
      recorder_.lines(),
      ElementsAre("add 200 250 ms, 7 sent, 2 received", "certificate 1800000000",
                  "add 429 250 ms, 7 sent, 0 received", "add timeout 250 ms, 7 sent, 0 received"));
}

TEST_F(RecorderOf, ThePaceHearsHowLongAJobWaitedAndWhy) {
  config::Pace ceilings;
  ceilings.max_per_second = 10;
  ceilings.max_in_flight = 1;
  daemon::Pace pace(
      ceilings, [this] { return uptime_; }, 1, recorder_);
  const daemon::Requester push{"push.orders", daemon::RequestClass::write};
  const daemon::TimePoint start{};
  ASSERT_FALSE(pace.attempt(start, push));
  ASSERT_TRUE(pace.attempt(start, push)) << "the only slot is taken";
  uptime_ += 2ms;
  pace.finished(push.request_class);
  ASSERT_TRUE(pace.attempt(start + 2ms, push)) << "too early for the rate";
  uptime_ += 48ms;
  ASSERT_TRUE(pace.attempt(start + 50ms, push));
  pace.hold(5s);
  uptime_ += 1h;
  ASSERT_FALSE(pace.attempt(start + 1h, push));
  pace.finished(push.request_class);
  pace.hold(5s);
  ASSERT_TRUE(pace.held(start + 1h, push));
  uptime_ += 4s;
  ASSERT_TRUE(pace.held(start + 1h + 4s, push));
  const auto lines = recorder_.lines();
  ASSERT_EQ(lines.size(), 4u) << testing::PrintToString(lines);
  EXPECT_EQ(lines[0], "slot 2 ms");
  EXPECT_EQ(lines[1], "rate 48 ms");
  EXPECT_THAT(lines[2], testing::MatchesRegex("rate [0-9]{1,3} ms")) << "not the hour";
  EXPECT_EQ(lines[3], "refused 4000 ms");
}

TEST_F(RecorderOf, APushAndAPullHearsRowsAndPages) {
  order("1");
  order("2");
  order("a b");  // its address has a blank
  outside_.recorder = &recorder_;
  sync();
  EXPECT_THAT(recorder_.lines(), Contains("orders sent 2"));
  EXPECT_THAT(recorder_.lines(), Contains("orders quarantined 1"));
  EXPECT_THAT(recorder_.lines(), Contains("customers LastActivityDate 2"));
}

TEST_F(RecorderOf, ADoubtHearsThatTheRowIsThere) {
  order("1");
  outside_.recorder = &recorder_;
  outside_.on_exchange = in_process::lose_answers;
  sync();
  EXPECT_THAT(recorder_.lines(), Contains("orders in_doubt 1"));
  EXPECT_THAT(recorder_.lines(), Contains("orders found 1"));
}

}  // namespace
