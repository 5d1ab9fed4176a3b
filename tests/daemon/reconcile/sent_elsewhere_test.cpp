// Rows in doubt that were sent to another service, or with another data column, than the
// configuration names now. They are looked up as they were sent, or held; none is mailed twice.
#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/ledger/sent_keys.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class SentElsewhere : public in_process::Shop {
 protected:
  // "1" is sent; "2" has arrived, its answer was lost, and no list answers.
  SentElsewhere() {
    settings_.pulls.clear();
    settings_.pushes.at(0).doubt = config::Push::Doubt::resend;
    order("1");
    sync();
    outside_.on_exchange = [](const service::Request& request, const auto& send) {
      if (in_process::is_search(request)) return service::Exchange{service::Response{503, {}, ""}};
      return in_process::lose_answers(request, send);
    };
    in_process::Instance instance(settings_, outside_, 7);
    order("2");
    instance.run_until(clock_.now + 2min);
    outside_.on_exchange = {};
  }
  // The settings name another place now, which lists nothing of what was sent before.
  void expect_held() {
    ASSERT_EQ(state("2"), State::in_doubt);
    ASSERT_EQ(service_.customers().size(), 2u);
    outside_.on_exchange = [](const service::Request& request, const auto& send) {
      if (request.method != "GET" || request.url.find("Filter") == std::string::npos) return send();
      return service::Exchange{in_process::no_customers()};
    };
    order("3");
    for (int i = 0; i < 4; ++i) {
      sync();
      clock_.now += 12h;
    }
    EXPECT_EQ(state("2"), State::held);
    EXPECT_NE(reason("2").find("it was sent to http://127.0.0.1:1"), std::string::npos)
        << reason("2");
    EXPECT_EQ(service_.customers().size(), 3u);
  }
};

TEST_F(SentElsewhere, StayHeldWhereTheServiceIsAnotherOne) {
  settings_.service.base_url = "http://127.0.0.1:2";
  expect_held();
}

// They are in doubt because that service lists them, and no batch tells where they went.
TEST_F(SentElsewhere, StayHeldWhereAnotherServiceHasListedThem) {
  crm::Ledger(*crm_).settle_listed("orders", {{"4", 77}}, {"http://127.0.0.1:1", "OrderNumber"});
  order("4");
  settings_.service.base_url = "http://127.0.0.1:2";
  expect_held();
  EXPECT_EQ(state("4"), State::held);
  EXPECT_NE(reason("4").find("it was sent to http://127.0.0.1:1"), std::string::npos)
      << reason("4");
}

// The same address, and another account there.
TEST_F(SentElsewhere, StayHeldWhereTheAccountIsAnotherOne) {
  settings_.service.auth.user = "branch2";
  expect_held();
}

TEST_F(SentElsewhere, AreLookedUpByTheColumnThatCarriedTheirKeys) {
  ASSERT_EQ(state("2"), State::in_doubt);
  settings_.pushes.at(0).correlate = "FirstName";
  clock_.now += 1h;
  sync();
  EXPECT_EQ(state("2"), State::sent);
  EXPECT_EQ(service_.customers().size(), 2u);
}

TEST_F(SentElsewhere, StayHeldWhereThatColumnIsGone) {
  crm_->execute({"UPDATE survey_batch SET correlate = 'Gone'", {}});
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    return in_process::is_walk(request) ? service::Exchange{in_process::no_customers()} : send();
  };
  clock_.now += 1h;
  sync();
  EXPECT_EQ(state("2"), State::held);
  EXPECT_NE(reason("2").find("\"Gone\" carried its key"), std::string::npos) << reason("2");
}

TEST_F(SentElsewhere, StayHeldWhereTheirKeysAreErased) {
  for (const char* table : {"survey_push", "survey_push_event"})
    crm_->execute(
        {std::string("UPDATE ") + table + " SET key = '(erased) 0123' WHERE key = '2'", {}});
  for (int i = 0; i < 4; ++i) {
    sync();
    clock_.now += 12h;
  }
  EXPECT_EQ(state("(erased) 0123"), State::held);
  EXPECT_NE(reason("(erased) 0123").find("is erased: it cannot be looked up"), std::string::npos);
  EXPECT_EQ(service_.customers().size(), 2u);
}

TEST_F(SentElsewhere, AreNoControlWhereTheirKeysAreErased) {
  crm_->execute({"UPDATE survey_push SET key = '(erased) 0123' WHERE key = '1'", {}});
  EXPECT_TRUE(
      crm::last_sent(*crm_, "orders", {{"http://127.0.0.1:1"}, "OrderNumber"}, clock_.now + 1h, 5)
          .empty());
}

TEST_F(SentElsewhere, AreNoControlWhereTheyAreNot) {
  const auto known = [&](const crm::SentTo& to) {
    return crm::last_sent(*crm_, "orders", to, clock_.now + 1h, 5).size();
  };
  EXPECT_EQ(known({{"http://127.0.0.1:1"}, "OrderNumber"}), 1u);
  EXPECT_EQ(known({{"http://127.0.0.1:2"}, "OrderNumber"}), 0u);
  EXPECT_EQ(known({{"http://127.0.0.1:1"}, "FirstName"}), 0u);
}

// Its daemon died with a batch on its way, and its section was taken out before the next start.
TEST_F(SentElsewhere, BecomeDoubtsOfAPushThatIsGone) {
  crm::Brakes(*crm_).pass("gone", "a query", 1);
  crm::Ledger(*crm_).claim({"b9", "gone", "a dead daemon"},
                           {{"9", "ann@example.test", clock_.now, "ann"}});
  in_process::Instance(settings_, outside_, 8).run_until(clock_.now + 10min);
  EXPECT_EQ(crm::Ledger(*crm_).find("gone", "9")->state, State::in_doubt);
}

// Another daemon has it, by another file: its time-outs are longer.
TEST_F(SentElsewhere, AreNoDoubtsOfAPushWhoseDaemonLives) {
  const auto database = in_process::environment_of(outside_, 9).open_database();
  crm::Brakes(*database).pass("other", "a query", 1);
  crm::Ledger(*database).claim({"b9", "other", "another daemon"},
                               {{"9", "ann@example.test", clock_.now, "ann"}});
  crm::Leases(*database).take("instance:another daemon", "another daemon", 50min);
  in_process::Instance(settings_, outside_, 8).run_until(clock_.now + 10min);
  EXPECT_EQ(database->now(), clock_.now);
  EXPECT_EQ(crm::Ledger(*crm_).find("other", "9")->state, State::claimed);
}

}  // namespace
