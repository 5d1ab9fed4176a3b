// What the pace learns from an exchange; every exchange with the service is reported to it.
#include "daemon/pace/transport.hpp"

#include <gtest/gtest.h>

#include "daemon/pace/retry.hpp"
#include "tests/in_process/instance.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using Kind = PaceAnswer::Kind;
using service::Failure;
using service::Response;

constexpr TimePoint kNow{std::chrono::hours{500'000}};
const Requester kAsker{"pull.customers", RequestClass::read};

Response response(int status, std::vector<std::pair<std::string, std::string>> headers = {}) {
  return {status, std::move(headers), ""};
}

TEST(PaceAnswers, TellARefusalFromAFailureFromAnAnswer) {
  const std::vector<std::pair<int, Kind>> cases{
      {200, Kind::accepted}, {400, Kind::accepted}, {401, Kind::accepted}, {429, Kind::refused},
      {500, Kind::failed},   {502, Kind::failed},   {503, Kind::failed},   {408, Kind::failed}};
  for (const auto& [status, kind] : cases)
    EXPECT_EQ(pace_answer(response(status), kNow)->kind, kind) << status;
  EXPECT_EQ(pace_answer(response(503, {{"retry-after", "3"}}), kNow)->wait, 3s);
}

TEST(PaceAnswers, CarryTheWaitInEveryForm) {
  EXPECT_EQ(pace_answer(response(429, {{"retry-after", "7"}}), kNow)->wait, 7s);
  EXPECT_EQ(pace_answer(response(429, {{"retry-after", "1.5"}}), kNow)->wait, 1500ms);
  EXPECT_EQ(pace_answer(response(429, {{"retry-after", "2147483647"}}), kNow)->wait, 1h);
  EXPECT_FALSE(pace_answer(response(429, {{"retry-after", "soon"}}), kNow)->wait);
  EXPECT_FALSE(pace_answer(response(429), kNow)->wait);
  EXPECT_FALSE(pace_answer(response(200, {{"retry-after", "7"}}), kNow)->wait);
}

TEST(PaceAnswers, KnowASpentQuotaFromABucketThatFillsByItself) {
  const auto spent = [](const char* remaining, const char* reset) {
    return pace_answer(
               response(200, {{"ratelimit-remaining", remaining}, {"ratelimit-reset", reset}}),
               kNow)
        ->spent;
  };
  EXPECT_EQ(spent("0", "3600"), 1h);
  EXPECT_FALSE(spent("0", "1"));
  EXPECT_FALSE(spent("1", "3600"));
  EXPECT_FALSE(spent("none", "3600"));
  EXPECT_FALSE(pace_answer(response(200, {{"ratelimit-reset", "3600"}}), kNow)->spent);
}

TEST(PaceAnswers, SayNothingOfARequestThatNeverLeft) {
  EXPECT_FALSE(pace_answer(Failure{Failure::Kind::stopped, "", 0}, kNow));
  EXPECT_EQ(pace_answer(Failure{Failure::Kind::not_connected, "", 0}, kNow)->kind, Kind::failed);
  EXPECT_EQ(pace_answer(Failure{Failure::Kind::unknown, "", 0}, kNow)->kind, Kind::failed);
  EXPECT_EQ(pace_answer(Failure{Failure::Kind::too_large, "", 200}, kNow)->kind, Kind::accepted);
}

// Answers 429 with a wait, half a second after the request.
class Refusing final : public service::Transport {
 public:
  explicit Refusing(Duration& uptime) : uptime_(uptime) {}
  service::Exchange send(const service::Request&) override {
    uptime_ += 500ms;
    return response(429, {{"retry-after", "10"}});
  }

 private:
  Duration& uptime_;
};

config::Service at_service() {
  config::Service settings;
  settings.base_url = "http://service";
  return settings;
}

service::Request request(const char* url) {
  service::Request made;
  made.method = "GET";
  made.url = url;
  return made;
}

TEST(ObservedTransport, CountsAWaitFromTheAnswerNotFromTheRequest) {
  Duration uptime = 1h;
  Pace pace(
      {4, 20}, [&] { return uptime; }, 1);
  const config::Service settings = at_service();
  ObservedTransport transport(std::make_unique<Refusing>(uptime),
                              {.service = settings, .pace = pace});
  ASSERT_FALSE(pace.attempt(kNow, kAsker));
  transport.send(request("http://service/external/api/v3/customer"));
  pace.finished(RequestClass::read);
  EXPECT_GE(pace.held_until(), kNow + 500ms + 10s);
  EXPECT_TRUE(pace.attempt(kNow + 10s, kAsker));
}

TEST(ObservedTransport, LeavesOtherServersOut) {
  Duration uptime = 1h;
  Pace pace(
      {4, 20}, [&] { return uptime; }, 1);
  const config::Service settings = at_service();
  ObservedTransport transport(std::make_unique<Refusing>(uptime),
                              {.service = settings, .pace = pace});
  ASSERT_FALSE(pace.attempt(kNow, kAsker));
  transport.send(request("http://login/token"));
  pace.finished(RequestClass::read);
  EXPECT_LT(pace.held_until(), kNow);
}

TEST(Pace, KeepsAWaitWhenTheHostsClockJumps) {
  Duration uptime = 1h;
  Pace pace(
      {4, 20}, [&] { return uptime; }, 1);
  ASSERT_FALSE(pace.attempt(kNow, kAsker));
  pace.finished(RequestClass::read);
  pace.hold(1min);
  uptime += 10s;
  EXPECT_EQ(pace.attempt(kNow + 90min, kAsker), kNow + 90min + 50s);
  EXPECT_EQ(pace.attempt(kNow - 90min, kAsker), kNow - 90min + 50s);
}

TEST(Pace, KeepsAWaitAsItIsWhenTheHostsClockJumpsWithinARequest) {
  Duration uptime = 1h;
  Pace pace(
      {4, 1000}, [&] { return uptime; }, 1);
  in_process::KeptLog log;
  JobStatus status;
  RetryState patience(log, "push.orders", pace, status, 1);
  ASSERT_FALSE(pace.attempt(kNow, {"push.orders", RequestClass::write}));
  uptime += 1s;
  pace.attempt(kNow - 1h, kAsker);  // another request; the clock was set back in between
  patience.wait(kNow, 10s);
  EXPECT_TRUE(pace.held(kNow - 1h + 9s, kAsker));
  uptime += 1min;
  EXPECT_FALSE(pace.held(kNow - 1h + 1min, kAsker));
}

}  // namespace
