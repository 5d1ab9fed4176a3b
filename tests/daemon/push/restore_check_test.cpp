// A ledger that is older than the service: nobody whom the service already has is mailed again.
#include "daemon/push/restore_check.hpp"

#include "connectors/crm/daemon_state/brakes.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class Restored : public in_process::Shop {
 protected:
  Restored() { std::swap(settings_.pulls, pulls_); }
  void save() {
    for (const char* table : kTables)
      sql(std::string("CREATE TABLE saved_") + table + " AS SELECT * FROM " + table);
  }
  void restore() {
    for (const char* table : kTables) {
      sql(std::string("DELETE FROM ") + table);
      sql(std::string("INSERT INTO ") + table + " SELECT * FROM saved_" + table);
    }
  }
  std::string reason_of_brake() {
    const auto found = crm_->query({"SELECT reason FROM survey_brake", {}});
    const auto* text = std::get_if<std::string>(&found.rows.at(0).at(0));
    return text == nullptr ? "" : *text;
  }
  void release(std::int64_t rows) { crm::Brakes(*crm_).release("orders", "", rows); }
  std::size_t mailed() { return service_.customers().size(); }

  std::vector<config::Pull> pulls_;
  static constexpr const char* kTables[] = {"survey_push",  "survey_push_event", "survey_batch",
                                            "survey_brake", "survey_cursor",     "survey_person"};
};

TEST_F(Restored, SendsNobodyAgainAndAsksAPerson) {
  order("1");
  sync();
  save();
  clock_.now += 24h;
  order("2");
  order("3");
  sync();
  ASSERT_EQ(mailed(), 3u);
  clock_.now += 1h;
  restore();
  order("4");
  sync();
  EXPECT_EQ(mailed(), 3u);
  EXPECT_NE(reason_of_brake().find("the service lists 2 transactions"), std::string::npos)
      << reason_of_brake();
  release(10);
  clock_.now += 1h;
  sync();
  EXPECT_EQ(mailed(), 4u);
  for (const char* key : {"1", "2", "3", "4"})
    EXPECT_EQ(state(key), State::sent) << key;
}

// The pulls have not told yet who was invited since the backup.
TEST_F(Restored, KnowsWhomTheServiceWasAskedToMail) {
  settings_.pulls = pulls_;
  settings_.suppress = config::Suppress{};
  settings_.suppress->contact = {{.days = 90}};
  const auto order_of_ann = [&](const char* id) {
    sql(std::string("INSERT INTO orders VALUES ('") + id +
        "', 'ann@example.test', '5', '2026-11-09T12:00:00Z')");
  };
  order("1");
  sync();
  save();
  clock_.now += 1h;
  order_of_ann("2");
  sync();
  ASSERT_EQ(mailed(), 2u);
  restore();
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    const bool pull = request.url.find("DateFilter.To=") != std::string::npos &&
                      request.url.find("LastActivity") != std::string::npos;
    return pull ? service::Exchange{service::Response{
                      200, {{"content-type", "application/json"}}, R"({"Customers":[]})"}}
                : send();
  };
  order_of_ann("3");
  for (int i = 0; i < 4; ++i) {
    clock_.now += 1h;
    sync();
    release(10);
  }
  EXPECT_EQ(state("2"), State::sent);
  EXPECT_EQ(mailed(), 2u);
}

TEST_F(Restored, IsMadeWholeThoughTheLedgerIsLost) {
  order("1");
  order("2");
  sync();
  clock_.now += 1h;
  sql("DELETE FROM survey_push");
  sync();
  EXPECT_NE(reason_of_brake().find("the service lists 2 transactions"), std::string::npos);
  sync();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_EQ(state("2"), State::sent);
}

TEST_F(Restored, IsFoundWhileTheDaemonRuns) {
  settings_.pushes.at(0).batch.size = 1;
  in_process::Instance instance(settings_, outside_, 7, true);
  const auto run = [&] {
    for (int i = 0; i < 200; ++i) {
      in_process::TimePoint next = daemon::kNever;
      for (auto& job : instance.jobs())
        next = std::min(next, job->step(clock_.now));
      clock_.now += 1s;
    }
  };
  order("1");
  run();
  save();
  clock_.now += 24h;
  order("2");
  run();
  ASSERT_EQ(mailed(), 2u);
  restore();
  order("3");
  run();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_NE(state("2"), State::pending);
}

TEST_F(Restored, IsNotSuspectedWithoutCause) {
  order("1");
  sync();
  clock_.now += 24h;
  order("2");
  sync();
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(reason_of_brake(), "");
}

TEST_F(Restored, IsNotAskedAboutWhereCredentialsMayOnlyAdd) {
  order("1");
  sync();
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    const bool list =
        request.method == "GET" && request.url.find("LastActivity") != std::string::npos;
    return list ? service::Exchange{service::Response{403, {}, ""}} : send();
  };
  order("2");
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_EQ(state("2"), State::sent);
}

// The key is the same by chance, or another system uses the column: only a person can tell.
TEST_F(Restored, HoldsARowWhoseKeySomebodyElsesCustomerHas) {
  order("1");
  sync();
  clock_.now += 1h;
  order("2");
  service_.handle({"POST",
                   "/external/api/v3/customer/add",
                   {{"Content-Type", "application/json"}},
                   R"({"Customers":[{"Email":"somebody@else.test","Data":[)"
                   R"({"CustomerDataColumnId":1,"Value":"2"}]}]})"});
  ASSERT_EQ(mailed(), 2u);
  sync();
  EXPECT_EQ(state("2"), State::in_doubt);
  release(10);
  clock_.now += 2h;
  sync();
  EXPECT_EQ(state("2"), State::held);
  EXPECT_EQ(mailed(), 2u);
}

}  // namespace
