// A ledger that is older than the service: nobody is mailed who has opted out, was forgotten or was
// mailed since.
#include "connectors/crm/schema/schema.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "tests/daemon/push/restored.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;
using in_process::Restored;

// The service has the customer of transaction 2, who has opted out; the ledger has lost both.
class RestoredPeople : public Restored {
 protected:
  // From now on the service lists her customers as opted out, and masks their address.
  void ann_opts_out() {
    change_answers([](const service::Request&, service::Response& response) {
      auto& body = response.body;
      for (auto at = body.find("\"ann@"); at != std::string::npos; at = body.find("\"ann@", at)) {
        body.replace(at, 4, "\"a***");
        const auto out = body.find("\"OptedOut\":false", body.rfind("\"Id\":", at));
        if (out != std::string::npos) body.replace(out, 16, "\"OptedOut\":true");
      }
    });
  }
  void lose_ann_who_opts_out() {
    std::swap(settings_.pulls, pulls_);
    std::erase_if(settings_.pulls,
                  [](const auto& pull) { return pull.list != config::Pull::List::customers; });
    settings_.suppress.emplace().opted_out = true;
    order("1");
    sync();
    save();
    clock_.now += 24h;
    order_of_ann("2");
    sync();
    EXPECT_EQ(mailed(), 2u);
    ann_opts_out();
    clock_.now += 1h;
    restore();
  }
  // What was sent to her is lost, and a person is mailed once in 90 days.
  void lose_what_contact_counts() {
    settings_.suppress = config::Suppress{};
    settings_.suppress->contact = {{.days = 90}};
    order("1");
    sync();
    save();
    clock_.now += 1h;
    order_of_ann("2");
    sync();
    ASSERT_EQ(mailed(), 2u);
    restore();
  }
  void release_and_sync() {
    for (int i = 0; i < 4; ++i) {
      clock_.now += 1h;
      sync();
      release(10);
    }
  }
};

// The service masks the address of whoever has opted out, and the ledger has lost whose the
// transaction is.
TEST_F(RestoredPeople, KnowsWhoOptedOutByATransactionThatItHasLost) {
  lose_ann_who_opts_out();
  sync();
  release(10);
  order_of_ann("3");
  sync_hourly(4);
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("3"), State::suppressed);
}

// The pull is not due before tomorrow; the check that a start makes reads the opt-out.
TEST_F(RestoredPeople, KnowsWhoOptedOutBeforeAStartThoughThePullIsNotDue) {
  std::swap(settings_.pulls, pulls_);
  std::erase_if(settings_.pulls,
                [](const auto& pull) { return pull.list != config::Pull::List::customers; });
  settings_.pulls.at(0).every = 24h;
  settings_.suppress.emplace().opted_out = true;
  order("1");
  order_of_ann("2");
  in_process::Instance(settings_, outside_, 7).run_until(clock_.now + 5min);
  ASSERT_EQ(mailed(), 2u);
  change_answers([](const service::Request&, service::Response& response) {
    auto& body = response.body;
    const auto at = body.find("\"ann@");
    const auto out = body.find("\"OptedOut\":false", at == std::string::npos ? at : 0);
    if (at != std::string::npos && out != std::string::npos)
      body.replace(body.find("\"OptedOut\":false", body.rfind("\"Id\":", at)), 16,
                   "\"OptedOut\":true");
  });
  order_of_ann("3");
  in_process::Instance(settings_, outside_, 8).run_until(clock_.now + 5min);
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("3"), State::suppressed);
}

// Nobody knows whose that customer is before its row is back in the CRM.
TEST_F(RestoredPeople, KnowsWhoOptedOutWhenTheRowComesBack) {
  lose_ann_who_opts_out();
  sql("DELETE FROM orders WHERE id = '2'");
  sync_and_release(4, 10);
  answer_lists([](const std::string&) { return nothing_listed(); });
  order_of_ann("2");
  sync_and_release(4, 10);
  ASSERT_NE(state("2"), State::pending);
  order_of_ann("3");
  sync_and_release(4, 10);
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("3"), State::suppressed);
}

// The pulls have not told yet who was invited since the backup.
TEST_F(RestoredPeople, KnowsWhomTheServiceWasAskedToMail) {
  settings_.pulls = pulls_;
  lose_what_contact_counts();
  answer_lists([](const std::string& url) {
    const bool pull = url.find("DateFilter.To=") != std::string::npos && is_by_activity(url);
    return pull ? listed(R"({"Customers":[]})") : std::nullopt;
  });
  order_of_ann("3");
  release_and_sync();
  EXPECT_EQ(state("2"), State::sent);
  EXPECT_EQ(mailed(), 2u);
}

// The service gives new customers no date of activity, and the row of what was lost comes back to
// the CRM only after another of that person.
TEST_F(RestoredPeople, CountsForContactWhatItHasLostThoughItsRowIsNotBack) {
  lose_what_contact_counts();
  sql("DELETE FROM orders WHERE id = '2'");
  order_of_ann("3");
  release_and_sync();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("3"), State::suppressed);
  order_of_ann("2");
  release_and_sync();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("2"), State::sent);
}

// Two pushes of one shop: what the second has lost counts for the first, which goes on before the
// second has looked.
class RestoredPushes : public RestoredPeople {
 protected:
  RestoredPushes() {
    settings_.pushes = in_process::settings_of(R"(
[push.orders]
brake = false
every = "10m"
query = "SELECT * FROM orders WHERE id NOT LIKE 'r%'"
key = "id"
when = "delivered_at"
start = 2026-11-01
correlate = "OrderNumber"
customer = { Email = "email", Data = { OrderNumber = "id" } }
[push.returns]
brake = false
every = "10m"
query = "SELECT * FROM orders WHERE id LIKE 'r%'"
key = "id"
when = "delivered_at"
start = 2026-11-01
correlate = "LastName"
customer = { Email = "email", Data = { LastName = "id" } }
)")
                           .pushes;
    settings_.suppress.emplace().contact = {{.days = 90}};
    order("1");
    order("r1");
  }
  void mail_ann() {
    save();
    order_of_ann("r2");
    in_process::Instance(settings_, outside_, 8).run_until(clock_.now + 20s);
    ASSERT_EQ(mailed(), 3u);
  }
};

TEST_F(RestoredPushes, CountForContactWhatEachOtherHasLost) {
  sync();
  mail_ann();
  restore();
  order_of_ann("2");
  sync();
  EXPECT_EQ(mailed(), 3u);
  EXPECT_EQ(state("2"), State::suppressed);
}

// It does not stand still meanwhile, and its own last batch is still there.
TEST_F(RestoredPushes, NoticeUnderADaemonWhatEachOtherHasLost) {
  in_process::Instance daemon(settings_, outside_, 7);
  daemon.run_until(clock_.now + 1min);
  mail_ann();
  daemon.run_until(clock_.now + 1h);
  restore();
  order_of_ann("2");
  daemon.run_until(clock_.now + 1h);
  EXPECT_EQ(mailed(), 3u);
  EXPECT_EQ(state("2"), State::suppressed);
}

// Of whoever was forgotten the ledger keeps no address, not even of a row in doubt.
TEST_F(RestoredPeople, LetsWhatIsListedPassTheRulesUnlessItsPersonWasForgotten) {
  settings_.suppress = config::Suppress{};
  settings_.suppress->contact = {{.days = 90}};
  crm::make_schema(*crm_);
  const std::string address = "ann@example.test";
  const std::string ann = person(address);
  crm::Ledger(*crm_).settle_listed("orders", {{"2", 77, ann}});
  daemon::SuppressionCheck check(settings_.pushes.at(0), settings_,
                                 [] { return daemon::Duration{0}; });
  const auto screened = [&](const char* key) {
    daemon::BatchItem item{{key, address, clock_.now, ""}, mapping::Record(mapping::customer())};
    return check.rule(*crm_, *crm_, {item}, clock_.now);
  };
  EXPECT_EQ(screened("2").go.size(), 1u);
  EXPECT_EQ(screened("3").suppressed.size(), 1u);
  crm::mark_forgotten(*crm_, ann, "");
  EXPECT_EQ(screened("2").suppressed.size(), 1u);
}

}  // namespace
