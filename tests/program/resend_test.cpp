// `surveybridge doubt resend` with a real service: a row that has arrived is not sent again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connectors/service/curl_transport.hpp"
#include "tests/program/bridge_and_crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/support/raw_server.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;

// What the service at this address answers to a request that was heard elsewhere.
std::string answer_of(const std::string& url, const support::RawServer::Heard& heard) {
  namespace service = surveybridge::service;
  constexpr std::size_t kGet = 4;
  const std::string path = heard.head.substr(kGet, heard.head.find(' ', kGet) - kGet);
  service::CurlTransport transport({}, nullptr);
  const service::Exchange exchange = transport.send(
      {"GET", url + path, {{"Authorization", std::string("Bearer ") + kToken}}, {}, false, {}});
  const auto* response = std::get_if<service::Response>(&exchange);
  if (response != nullptr && response->status == 200) return support::ok(response->body);
  return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
}

class Resend : public BridgeAndCrm {
 protected:
  Resend() {
    crm_.insert(orders(4));
    bridge({"sync", "push", "-c", config_});
    hold("1");
    hold("2");
    for (const char* key : {"8", "9"}) {  // these have never arrived
      crm_.execute(
          "INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at) VALUES "
          "('orders', '" +
          std::string(key) + "', 'held', 1, '2026-11-01 00:00:00', '2026-11-01 00:00:00')");
    }
  }
  void hold(const std::string& key) {
    crm_.execute("UPDATE survey_push SET state = 'held' WHERE key = '" + key + "'");
  }
  std::string state(const std::string& key) {
    return crm_.cell("SELECT state FROM survey_push WHERE key = '" + key + "'");
  }
  support::Finished resend(Arguments words) {
    words.insert(words.begin(), {"doubt", "resend", "-c", config_});
    return bridge(words);
  }
};

TEST_P(Resend, SendsWhatTheServiceDoesNotListAndNamesTheCustomerOfWhatItLists) {
  const auto ran = resend({"1", "9"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("9  resend\n"));
  EXPECT_THAT(ran.err, HasSubstr("1: stays held, because the service lists it: customer "));
  EXPECT_THAT(ran.err, HasSubstr("type `surveybridge doubt sent 1 -c " + config_ + "`"));
  EXPECT_EQ(state("1"), "held");
  EXPECT_EQ(state("9"), "pending");
  EXPECT_EQ(resend({"--force", "1"}).status, 0);
  EXPECT_EQ(state("1"), "pending");
}

TEST_P(Resend, AsksForEachOfMany) {
  const auto ran = resend({"--all"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("orders  2 rows  resend\n"));
  EXPECT_THAT(ran.err, HasSubstr("orders: 2 rows stay held, because the service lists them"));
  EXPECT_EQ(state("1") + state("2"), "heldheld");
  EXPECT_EQ(state("8") + state("9"), "pendingpending");
}

// The service may still list what came into doubt less than `settle` ago.
TEST_P(Resend, LeavesHeldWhatIsYoung) {
  crm_.execute("UPDATE survey_push SET doubt_since = '2999-01-01 00:00:00' WHERE key = '9'");
  const auto ran = resend({"9", "8"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("9: stays held, because the service may still list it"));
  EXPECT_EQ(state("9"), "held");
  EXPECT_EQ(state("8"), "pending");
}

// It was still in doubt when the command looked which rows it has to ask for.
TEST_P(Resend, LeavesHeldWhatComesToBeHeldWhileTheServiceIsAsked) {
  crm_.execute("UPDATE survey_push SET state = 'in_doubt' WHERE key = '8'");
  const auto beside = crm_.open();
  const support::RawServer between([&](const support::RawServer::Heard& heard) {
    beside->execute({"UPDATE survey_push SET state = 'held' WHERE key = '8'", {}});
    return support::RawServer::Said{answer_of(sandbox_.url(), heard)};
  });
  config_ = folder_.write("between.toml", configuration(crm_.connection(), between.url()));
  const auto ran = resend({"8", "9"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_FALSE(between.heard().empty());
  EXPECT_THAT(ran.err, HasSubstr("8: came to be held just now: type it again"));
  EXPECT_EQ(state("8"), "held");
}

TEST_P(Resend, SpeaksOfAPushThatOnlyTheLedgerHas) {
  crm_.execute("UPDATE survey_push SET push = 'former' WHERE key = '9'");
  crm_.execute("UPDATE survey_brake SET push = 'former'");
  EXPECT_THAT(bridge({"doubt", "list", "-c", config_}).out, HasSubstr("former  9  held"));
  for (const Arguments& words : {Arguments{"9"}, Arguments{"--force", "9"}}) {
    const auto ran = resend(words);
    EXPECT_EQ(ran.status, 1);
    EXPECT_THAT(ran.err, HasSubstr("9: is held in push former; no push of this name is configured: "
                                   "nothing sends it"));
    EXPECT_THAT(ran.err, Not(HasSubstr("--force")));
    EXPECT_EQ(state("9"), "held");
  }
  const auto all = resend({"--force", "--all"});
  EXPECT_EQ(all.status, 1);
  EXPECT_THAT(all.err, HasSubstr("former: 1 row left alone; no push of this name is configured"));
  EXPECT_EQ(state("8") + state("9"), "pendingheld");
  EXPECT_EQ(bridge({"doubt", "sent", "9", "-c", config_}).status, 0);
  EXPECT_EQ(state("9"), "sent");
}

TEST_P(Resend, LeavesAloneWhatIsSetAsideInAPushThatOnlyTheLedgerHas) {
  crm_.execute("UPDATE survey_brake SET push = 'former'");
  for (const std::string of : {"quarantined", "suppressed"}) {
    crm_.execute("UPDATE survey_push SET push = 'former', state = '" + of + "' WHERE key = '9'");
    const std::string command = of == "suppressed" ? of : "quarantine";
    for (const char* which : {"9", "--all"}) {
      const auto ran = bridge({command, "retry", which, "-c", config_});
      EXPECT_EQ(ran.status, 1);
      EXPECT_THAT(ran.err, HasSubstr("no push of this name is configured: nothing sends it"));
      EXPECT_EQ(state("9"), of);
    }
  }
}

TEST_P(Resend, SaysOfADoubtWhetherAPushLooksItUp) {
  crm_.execute("UPDATE survey_push SET push = 'former', state = 'in_doubt' WHERE key = '9'");
  crm_.execute("DELETE FROM survey_push WHERE key IN ('1', '2', '8')");
  crm_.execute("UPDATE survey_brake SET push = 'former'");
  const auto listed = bridge({"doubt", "list", "-c", config_});
  EXPECT_EQ(listed.status, 1);
  EXPECT_THAT(listed.err, HasSubstr("in_doubt in former: no push of this name is configured: "
                                    "nothing looks these up"));
  EXPECT_THAT(listed.err, HasSubstr("surveybridge doubt sent KEY"));
  EXPECT_THAT(bridge({"status", "-c", config_}).out,
              HasSubstr("no push of this name is configured: nothing looks them up"));
  crm_.execute("UPDATE survey_batch SET push = 'former'");  // a push sends by the same column
  const auto again = bridge({"doubt", "list", "-c", config_});
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.err, "in_doubt: the bridge looks these up at the service by itself\n");
}

TEST_P(Resend, SendsNothingWhereTheServiceCannotBeAsked) {
  for (int i = 0; i < 9; ++i)
    sandbox_.fault("before:403:v3/customer");
  const auto ran = resend({"9"});
  EXPECT_EQ(ran.status, 78) << "it refuses the account";
  EXPECT_THAT(ran.err, HasSubstr("the rows stay held, because the service could not be asked"));
  EXPECT_EQ(state("9"), "held");
  EXPECT_EQ(resend({"--force", "9"}).status, 0);
  EXPECT_EQ(state("9"), "pending");
}

INSTANTIATE_TEST_SUITE_P(Databases, Resend, testing::Values(Server::sqlite, Server::postgresql),
                         server_name);

}  // namespace
}  // namespace program
