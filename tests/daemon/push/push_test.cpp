// What a push finds, rules on and claims: nobody is left out without a reason, and nobody mailed
// who must not be, however long a query takes and whatever happens beside it.
#include "tests/daemon/shop.hpp"
#include "tests/support/forwarding_database.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class Pushing : public in_process::Shop {
 protected:
  config::Push& push() { return settings_.pushes.at(0); }
  void spy(support::LookedAtDatabase::Look look) {
    outside_.wrap_database = [look](auto inner) {
      return std::make_unique<support::LookedAtDatabase>(std::move(inner), look);
    };
  }
  // What the service answers when it is asked for its data columns; "": 204.
  void list_columns(const std::string& body) {
    outside_.on_exchange = [body](const service::Request& request, const auto& send) {
      if (request.url.find("customerdatacolumn") == std::string::npos) return send();
      return service::Exchange{service::Response{
          body.empty() ? 204 : 200, {{"content-type", "application/json"}}, body}};
    };
  }
};

// An account without data columns.
constexpr const char* kNoColumns[] = {
    "", "null", "[]", "{}", R"({"CustomerDataColumns":null})", R"({"CustomerDataColumns":[]})"};

TEST_F(Pushing, GoesOnWhereTheServiceHasNoDataColumnsAndNamesNone) {
  push().correlate.clear();
  push().data.clear();
  std::size_t sent = 0;
  for (const std::string body : kNoColumns) {
    list_columns(body);
    order(std::to_string(++sent));
    sync();
    EXPECT_EQ(service_.customers().size(), sent) << body;
  }
}

TEST_F(Pushing, NamesTheColumnThatItLacksWhereTheServiceHasNoDataColumns) {
  order("1");
  for (const std::string body : kNoColumns) {
    list_columns(body);
    std::string trouble;
    for (const auto& job : sync().result.jobs)
      if (job.job == "push.orders") trouble = job.status.trouble;
    EXPECT_NE(trouble.find("push.orders.correlate: the service has no data column \"OrderNumber\": "
                           "it lists none at all"),
              std::string::npos)
        << body << ": " << trouble;
    EXPECT_EQ(service_.customers().size(), 0u) << body;
  }
}

TEST_F(Pushing, OfATestReachesNobodyOutsideTheTestDomains) {
  push().batch.is_test = true;
  push().batch.test_domains = {"ours.test", "EXAMPLE.test"};
  order("1");  // person1@example.test
  sync();
  EXPECT_EQ(service_.customers().size(), 1u);
  push().batch.test_domains = {"ours.test", "ample.test"};
  order("2");
  sync();
  EXPECT_EQ(service_.customers().size(), 1u);
  EXPECT_EQ(state("2"), State::pending);
  push().batch.is_test = false;
  clock_.now += 2h;
  sync();
  EXPECT_EQ(state("2"), State::sent) << "a real customer, once the test is over";
}

TEST_F(Pushing, AndTheOtherJobsLookForTheTablesOnceTogether) {
  sync();  // makes them
  int looks = 0;
  spy([&](const std::string& sql) { looks += sql.find("pragma_table_info") != std::string::npos; });
  sync();
  EXPECT_EQ(looks, 2) << "for the tables, and for the report's views";
}

// The polls in between find no row; that is no sign that the service takes customers again.
TEST_F(Pushing, SaysThatItWorksAgainWhenAnAddIsAccepted) {
  bool broken = true;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method != "POST" || !broken) return send();
    return service::Exchange{service::Response{503, {}, ""}};
  };
  in_process::Instance daemon(settings_, outside_, 5);
  const auto again = [&] { return daemon.log().has("push.orders: works again"); };
  for (const char* id : {"1", "2"}) {
    order(id);
    daemon.run_until(clock_.now + 3min);
    EXPECT_TRUE(daemon.log().has("push.orders: no certain answer"));
    EXPECT_FALSE(again());
  }
  broken = false;
  order("3");
  daemon.run_until(clock_.now + 3min);
  EXPECT_EQ(state("3"), State::sent);
  EXPECT_TRUE(again());
}

TEST_F(Pushing, SaysThatAKeyIsTooLongAndGoesOn) {
  settings_.pulls.clear();
  push().batch.size = 1;
  for (const char letter : {'j', 'k', 'l'})
    crm_->execute({"INSERT INTO orders VALUES (:p1, 'a@example.test', '5', '2026-11-09T12:00:00Z')",
                   {std::string(191, letter)}});
  order("1");
  in_process::Instance instance(settings_, outside_, 5);
  instance.run_until(clock_.now + 1min, 2000);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_TRUE(
      instance.log().has("3 rows have no \"id\" (key), or one that cannot be stored (text of 190 "
                         "bytes at most, without NUL)"));
}

TEST_F(Pushing, SendsAllThoughManyPendingAreGone) {
  settings_.pulls.clear();
  push().batch.size = 1;
  for (int i = 1; i <= 6; ++i)
    order(std::to_string(i));
  std::vector<crm::Ledger::Delay> delays;
  for (int i = 1; i <= 6; ++i)
    delays.push_back({std::to_string(i), "later", clock_.now});
  {
    in_process::Instance make(settings_, outside_, ++seed_);
    make.jobs()[0]->step(clock_.now - 24h * 300);
  }
  crm::Ledger(*crm_).delay("orders", delays);
  sql("DELETE FROM orders WHERE id < '5'");
  clock_.now += 1h;
  sync();
  EXPECT_EQ(service_.customers().size(), 2u);
}

// They wait because the service has asked to; then the operator cuts them off.
TEST_F(Pushing, SendsNoWaitingRowFromBeforeAStartThatWasRaised) {
  order("1");  // of 12:00
  order("2");
  order("3");
  sql("UPDATE orders SET delivered_at = '2026-11-09T13:00:00Z' WHERE id = '2'");
  sql("UPDATE orders SET delivered_at = '2026-11-09T13:59:59+01:00' WHERE id = '3'");
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    return request.method == "POST" ? service::Exchange{service::Response{429, {}, ""}} : send();
  };
  sync();
  for (const char* id : {"1", "2", "3"})
    ASSERT_EQ(state(id), State::pending) << id;
  outside_.on_exchange = {};
  push().start.local += 24h * 8 + 13h;  // 2026-11-09T13:00:00
  for (int again = 0; again < 2; ++again) {
    clock_.now += 1h;
    sync();
    for (const char* id : {"1", "3"}) {
      EXPECT_EQ(state(id), State::suppressed) << id;
      EXPECT_EQ(reason(id), "from before start: nothing older is sent");
    }
    EXPECT_EQ(state("2"), State::sent);
    EXPECT_EQ(mailed(), 1u);
    crm::Ledger(*crm_).judge_again("orders", {"1", "3"}, "by hand");
  }
}

TEST_F(Pushing, SendsThoughTheQueryTakesLongerThanATurn) {
  pull_and_suppress(R"(
[pull.customers]
from = 2026-11-01
[suppress]
contact = { days = 3 }
)");
  order("1");
  const auto slow = 31s;
  spy([&, slow](const std::string& sql) {
    if (sql.find("bridge_key") != std::string::npos &&
        sql.find("NOT EXISTS") != std::string::npos && sql.find("LIMIT") != std::string::npos)
      clock_.now += slow;
  });
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 12h, 1'000'000);
  EXPECT_EQ(service_.customers().size(), 1u);
}

TEST_F(Pushing, SendsNobodyWhoWasForgottenBeforeTheClaim) {
  settings_.pulls.clear();
  push().max_per_hour = 1000;
  order("0");
  bool armed = false, forgotten = false;
  spy([&](const std::string& sql) {
    // The brake looks at what went out, and may count the query: that may take long.
    if (sql.find("SUM(") == std::string::npos || !std::exchange(armed, false)) return;
    forget("person1@example.test");
    forgotten = true;
  });
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 90s);
  ASSERT_EQ(service_.customers().size(), 1u);
  order("1");
  armed = true;
  instance.run_until(clock_.now + 5min);
  EXPECT_TRUE(forgotten);
  EXPECT_EQ(service_.customers().size(), 1u);
}

class TheList : public Pushing {
 protected:
  TheList() {
    settings_.pulls.clear();
    settings_.suppress.emplace().lists = {
        {"", {}, "SELECT address FROM do_not_mail -- all", "", {}}};
    sql("CREATE TABLE do_not_mail (address TEXT)");
  }
};

// A turn is 180 s long: to judge may take longer as long as nobody else has had a turn meanwhile.
// The list is read before the turn, and is not read again in it.
class TheSlowList : public TheList {
 protected:
  TheSlowList() {
    const auto with = in_process::settings_of(R"(
[pull.customers]
from = 2026-11-01
[suppress]
contact = { days = 3 }
)");
    settings_.pulls = with.pulls;
    settings_.suppress->contact = with.suppress->contact;
    order("1");
    spy([this](const std::string& sql) {
      if (!sql.starts_with(slow_)) return;
      clock_.now += 200s;
      if (another_) take_turn();
    });
  }
  // Of another push, and given back at once.
  void take_turn() {
    const auto database = in_process::watched(crm::open_database(connection_), clock_, {});
    crm::Leases leases(*database);
    const auto lease = leases.take("suppress", "another", 30s);
    if (lease) leases.release(*lease);
  }

  std::string slow_ = "SELECT address FROM do_not_mail";  // how the statement begins
  bool another_ = false;
};

TEST_F(TheSlowList, IsAskedAndThenTheBatchGoesOut) {
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 6h, 1'000'000);
  EXPECT_EQ(service_.customers().size(), 1u);
}

TEST_F(TheSlowList, GivesNobodyElseATurnMeanwhile) {
  another_ = true;
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 6h, 1'000'000);
  EXPECT_EQ(service_.customers().size(), 1u);
}

TEST_F(TheSlowList, SaysThatAnotherPushHadItsTurnMeanwhile) {
  another_ = true;
  slow_ = "SELECT \"person\", \"kind\", COUNT(*)";
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 6h, 1'000'000);
  EXPECT_EQ(service_.customers().size(), 0u);
  EXPECT_TRUE(instance.log().has("another push had its turn meanwhile"));
  slow_ = "nothing";
  instance.run_until(clock_.now + 6h, 1'000'000);
  EXPECT_EQ(service_.customers().size(), 1u);
}

TEST_F(TheList, CountsWithBlanksAroundAndWithAComment) {
  sql("INSERT INTO do_not_mail VALUES (' Person1@example.test ')");
  order("1");
  order("2");
  sync();
  EXPECT_EQ(state("1"), State::suppressed);
  EXPECT_EQ(state("2"), State::sent);
}

}  // namespace
