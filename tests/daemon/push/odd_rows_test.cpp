// Rows that a query should not return: reported once, without effect on the other rows.
#include <algorithm>

#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class OddRows : public in_process::Shop {
 protected:
  void run(daemon::Duration length) {
    if (!bridge_) bridge_ = std::make_unique<in_process::Instance>(settings_, outside_, 7);
    bridge_->run_until(clock_.now + length);
  }
  daemon::JobStatus status() { return bridge_->jobs().at(0)->status(); }
  // Without the reminders that count how often it happened again.
  std::ptrdiff_t said(const std::string& text) {
    const auto& lines = bridge_->log().lines();
    return std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.find(text) != std::string::npos && line.find(" (again, ") == std::string::npos;
    });
  }

  void order_with_manager(const std::string& id) {
    sql("INSERT INTO orders (id, email, grade, delivered_at) VALUES ('" + id + "', 'person" + id +
        "@example.test', '5', '2026-11-09T12:00:00Z')");
  }
  std::ptrdiff_t number_at_the_service(const std::string& address) {
    const auto& all = service_.customers();
    return std::count_if(all.begin(), all.end(),
                         [&](const auto& customer) { return customer.email == address; });
  }

  // Orders 1 to 5, each in a batch of its own.
  void five_that_are_refused() {
    settings_.pushes.at(0).batch.size = 1;
    outside_.on_exchange = [](const service::Request& request, const auto& send) {
      if (request.method != "POST") return send();
      return service::Exchange{service::Response{400, {}, ""}};
    };
    for (int i = 1; i <= 5; ++i)
      order(std::to_string(i));
  }

  std::unique_ptr<in_process::Instance> bridge_;
};

TEST_F(OddRows, RowsWithoutAKeyAreToldOnceWhileOthersGoOut) {
  order("1");
  order("");
  run(10min);
  order("2");
  run(10min);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_EQ(state("2"), State::sent);
  EXPECT_EQ(said("push.orders: 1 row has no \"id\" (key), or one that cannot be stored (text of "
                 "190 bytes at most, without NUL), and is "
                 "never sent"),
            1);
  EXPECT_EQ(said("works again"), 0);
  EXPECT_EQ(status().fault, daemon::JobStatus::Fault::person);
}

// As a query makes them whose key is the same for many rows.
TEST_F(OddRows, RowsOfDifferentDatesWithOneKeyAreTold) {
  order_with_manager("1");
  sql("INSERT INTO orders (id, email, grade, delivered_at) VALUES ('1', 'other@example.test', '5',"
      " '2026-11-09T12:00:01Z')");
  run(10min);
  EXPECT_EQ(
      said("push.orders: 1 row shares its \"id\" (key) with others of another \"delivered_at\""),
      1);
}

TEST_F(OddRows, RowsThatGotTheirKeyAreTroubleNoMore) {
  order("");
  run(10min);
  EXPECT_NE(status().trouble, "");
  sql("UPDATE orders SET id = '1'");
  run(10min);
  EXPECT_EQ(status().trouble, "");
  EXPECT_EQ(said("works again"), 1);
}

TEST_F(OddRows, ARowWithoutADateIsSetAsideAndGoesOutOnceItHasOne) {
  order("1");
  order("2");
  order("3");
  sql("UPDATE orders SET delivered_at = NULL WHERE id = '2'");
  sql("UPDATE orders SET delivered_at = '09-11-2026 02:30' WHERE id = '3'");
  run(10min);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_EQ(state("2"), State::quarantined);
  EXPECT_EQ(state("3"), State::quarantined);
  EXPECT_EQ(said("push.orders: 2 rows quarantined: \"delivered_at\" (when) is no date in them"), 1);
  sql("UPDATE orders SET delivered_at = '2026-11-09T12:00:00Z' WHERE id = '2'");
  run(10min);
  EXPECT_EQ(state("2"), State::sent);
  EXPECT_EQ(state("3"), State::quarantined);
  EXPECT_EQ(service_.customers().size(), 2u);
}

// A row that waits leaves the query, because somebody narrows it, and comes back.
TEST_F(OddRows, ARowThatTheQueryDoesNotReturnIsSetAsideAndGoesOutOnceItDoes) {
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    return request.method == "POST" ? service::Exchange{service::Response{429, {}, ""}} : send();
  };
  order("1");
  run(1min);
  ASSERT_EQ(state("1"), State::pending);
  outside_.on_exchange = {};
  sql("UPDATE orders SET id = 'away', delivered_at = '2025-11-09T12:00:00Z'");
  bridge_ = nullptr;
  clock_.now += 10min;
  run(10min);
  ASSERT_EQ(state("1"), State::quarantined);
  sql("UPDATE orders SET id = '1', delivered_at = '2026-11-09T12:00:00Z'");
  run(25h);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_EQ(number_at_the_service("person1@example.test"), 1);
}

TEST_F(OddRows, ARowThatTheDatabaseFailsToMakeIsSetAsideAndGoesOutOnceItCanBeRead) {
  query(
      "SELECT id, delivered_at, CASE WHEN abs(CASE WHEN grade = 'bad' THEN -9223372036854775808"
      " ELSE 1 END) > 0 THEN email END AS email FROM orders");
  for (int i = 1; i <= 9; ++i)
    order(std::to_string(i), i == 3 ? "bad" : "5");
  run(10min);
  EXPECT_EQ(mailed(), 8u);
  ASSERT_EQ(state("3"), State::quarantined);
  EXPECT_TRUE(reason("3").starts_with("the database cannot read the row: ")) << reason("3");
  EXPECT_EQ(status().trouble, "");
  order("10");
  run(10min);
  EXPECT_EQ(state("10"), State::sent);
  sql("UPDATE orders SET grade = '5' WHERE id = '3'");
  run(2h);
  EXPECT_EQ(state("3"), State::sent);
  EXPECT_EQ(mailed(), 10u);
}

TEST_F(OddRows, AViewMadeAnewMailsNobodyElse) {
  sql("ALTER TABLE orders ADD COLUMN manager TEXT DEFAULT 'manager@example.test'");
  sql("CREATE VIEW todo AS SELECT id, email, manager, delivered_at FROM orders");
  query("SELECT * FROM todo");
  auto& data = settings_.pushes.at(0).data;  // all columns are read
  data.push_back(data.front());
  data.back().column = "FirstName";
  data.back().source.column = "manager";
  order_with_manager("1");
  run(10min);
  sql("DROP VIEW todo");
  sql("CREATE VIEW todo AS SELECT id, manager, email, delivered_at FROM orders");
  order_with_manager("2");
  run(10min);
  EXPECT_EQ(state("2"), State::sent);
  EXPECT_EQ(number_at_the_service("manager@example.test"), 0);
  EXPECT_EQ(said("its columns have changed"), 1);
}

TEST_F(OddRows, AColumnMoreCostsNoRow) {
  query("SELECT o.* FROM orders o");
  order("1");
  run(10min);
  sql("ALTER TABLE orders ADD COLUMN phone TEXT");
  sql("INSERT INTO orders VALUES ('2', 'person2@example.test', '5', '2026-11-09T12:00:00Z', '1')");
  run(10min);
  EXPECT_EQ(state("2"), State::sent);
  EXPECT_EQ(status().trouble, "");
}

TEST_F(OddRows, AColumnThatTheMapNeedsAndIsGoneStopsThePushWithAMessage) {
  sql("CREATE VIEW todo AS SELECT id, email, delivered_at FROM orders");
  query("SELECT * FROM todo");
  order("1");
  run(10min);
  sql("DROP VIEW todo");
  sql("CREATE VIEW todo AS SELECT id, email AS mail, delivered_at FROM orders");
  order("2");
  run(10min);
  EXPECT_EQ(service_.customers().size(), 1u);
  EXPECT_EQ(status().fault, daemon::JobStatus::Fault::configuration);
  EXPECT_NE(status().trouble.find("email"), std::string::npos) << status().trouble;
  EXPECT_EQ(crm::Ledger(*crm_).find("orders", "2"), std::nullopt);
}

TEST_F(OddRows, TwinsThatDifferAreToldAndSetAside) {
  order("1");
  order("2");
  order("2");
  sql("UPDATE orders SET email = 'another@example.test' WHERE rowid = 3");
  order("3", "4");
  order("3", "9");
  run(10min);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_EQ(state("3"), State::sent) << "nobody reads in what they differ";
  EXPECT_EQ(number_at_the_service("person3@example.test"), 1);
  EXPECT_EQ(state("2"), State::quarantined);
  EXPECT_EQ(said("push.orders: 1 row quarantined; the first: 2: the query returns this key"), 1);
}

TEST_F(OddRows, ATransactionThatTheServiceRefusesIsToldByItsKeyAlone) {
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    if (request.method != "POST") return send();
    return service::Exchange{service::Response{400, {}, R"({"Message":"person7 is at fault"})"}};
  };
  order("7");
  run(10min);
  EXPECT_EQ(state("7"), State::quarantined);
  EXPECT_EQ(said("push.orders: 1 row quarantined; the first: 7: refused by the service"), 1);
  EXPECT_EQ(said("person7"), 0);
}

TEST_F(OddRows, RowsThatFollowTheFirstOneWithinAMinuteAreToldTogether) {
  five_that_are_refused();
  run(10min);
  EXPECT_EQ(said("push.orders: 1 row quarantined; the first: 1: refused by the service"), 1);
  EXPECT_EQ(said("push.orders: 4 rows quarantined; the first: 2: refused by the service"), 1);
  EXPECT_EQ(said("quarantined"), 2);
}

TEST_F(OddRows, RowsThatWereNotToldAreToldAtAGracefulStop) {
  five_that_are_refused();
  run(daemon::Duration{0});
  while (crm::Ledger(*crm_).find("orders", "2") == std::nullopt || state("2") != State::quarantined)
    bridge_->step();
  ASSERT_EQ(said("quarantined"), 1);
  bridge_->leave();
  EXPECT_EQ(said("push.orders: 1 row quarantined; the first: 2: refused by the service"), 1);
}

TEST_F(OddRows, ALostAnswerIsTroubleOnlyUntilNothingIsLeftToSend) {
  outside_.on_exchange = in_process::lose_answers;
  order("1");
  run(10min);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_EQ(status().trouble, "");
}

}  // namespace
