// The brake in a whole daemon: nothing goes out before a person confirms the number.
#include <utility>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "daemon/status/report.hpp"
#include "mapping/values/dates.hpp"
#include "tests/daemon/shop.hpp"
#include "tests/support/forwarding_database.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

class BrakeOn : public in_process::Shop {
 protected:
  BrakeOn() { push().brake = true; }
  config::Push& push() { return settings_.pushes.at(0); }

  std::string held() {
    const auto done = sync().result;
    EXPECT_EQ(done.exit_code, daemon::kNeedsPerson);
    return done.jobs.at(0).status.trouble;
  }
  void orders(int from, int to) {
    for (int i = from; i < to; ++i)
      order(std::to_string(i));
  }
};

TEST_F(BrakeOn, AFirstRunWaitsAndGoesOnceReleased) {
  orders(0, 150);
  EXPECT_NE(held().find("150 transactions"), std::string::npos);
  EXPECT_NE(held().find("`surveybridge release orders -c test.toml`"), std::string::npos);
  EXPECT_EQ(mailed(), 0u);
  release(150);
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_EQ(mailed(), 150u);
  order("later");
  EXPECT_EQ(sync().result.exit_code, daemon::kDone) << "it is no first run any more";
  EXPECT_EQ(mailed(), 151u);
}

TEST_F(BrakeOn, DoesNotCountWhatCannotGo) {
  orders(0, 20);
  sql("UPDATE orders SET email = 'nobody' WHERE id = '7'");
  EXPECT_NE(held().find("the first run: up to 19 transactions"), std::string::npos);
}

// What is left of the rows that were read fills no batch: that says nothing of those behind them.
TEST_F(BrakeOn, CountsAllThatArePendingThoughTheFirstAreGone) {
  order("first");
  (void)held();
  release(1);
  ASSERT_EQ(sync().result.exit_code, daemon::kDone);
  push().batch.size = 20;
  orders(125, 400);
  sql("WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 399)"
      " INSERT INTO survey_push (push, key, state, attempts, test, seen_at, changed_at)"
      " SELECT 'orders', CAST(i AS text), 'pending', 0, 0, '2026-11-01T00:00:00.000000Z',"
      " '2026-11-01T00:00:00.000000Z' FROM n");
  EXPECT_NE(held().find("up to 275"), std::string::npos);
  EXPECT_EQ(mailed(), 1u);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE state = 'pending'"), 300)
      << "nothing is decided on them while it holds";
  release(300);
  sync();
  EXPECT_EQ(mailed(), 276u);
}

// Rows that were let go and then suppressed or set aside.
TEST_F(BrakeOn, EndsWhatIsLeftOfAReleaseWhenNothingWaits) {
  orders(0, 150);
  (void)held();
  release(150);
  sql("UPDATE orders SET email = 'nobody' WHERE CAST(id AS integer) >= 50");
  sync();
  EXPECT_EQ(mailed(), 50u);
  EXPECT_EQ(crm::Brakes(*crm_).load("orders")->allowance, 0);
  orders(150, 500);
  EXPECT_NE(held().find("a spike: up to 350"), std::string::npos);
  EXPECT_EQ(mailed(), 50u) << "nobody has let these go";
}

// Three regular customers have 147 of the rows: they wait for months.
TEST_F(BrakeOn, EndsWhatIsLeftOfAReleaseWhereTheOthersAreDelayedForMonths) {
  settings_.suppress.emplace().contact = {
      {.days = 90, .then = config::Suppress::Contact::Then::delay}};
  orders(0, 150);
  sql("UPDATE orders SET email = 'regular' || (id % 3) || '@example.test'");
  (void)held();
  release(150);
  for (int i = 0; i < 2; ++i) {
    sync();
    clock_.now += 2min;
  }
  EXPECT_EQ(mailed(), 3u);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE state = 'pending'"), 147);
  EXPECT_EQ(crm::Brakes(*crm_).load("orders")->allowance, 0);
  orders(1000, 1250);
  (void)held();
  EXPECT_EQ(crm::Brakes(*crm_).load("orders")->reason.substr(0, 18), "a spike: up to 250");
  EXPECT_EQ(mailed(), 3u) << "nobody has let these go";
}

TEST_F(BrakeOn, DoesNotCountWhatIsDelayed) {
  settings_.suppress.emplace().contact = {
      {.days = 90, .then = config::Suppress::Contact::Then::delay}};
  push().batch.size = 1;  // so that rows wait behind those that are looked at
  orders(0, 100);
  sql("UPDATE orders SET email = 'regular@example.test'");
  (void)held();
  release(100);
  sync();
  ASSERT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE state = 'pending'"), 99);
  for (int id = 1000; id < 1060; id += 20) {
    orders(id, id + 20);
    EXPECT_EQ(sync().result.exit_code, daemon::kDone);
    clock_.now += 1h;
  }
  EXPECT_EQ(mailed(), 61u);
}

// The rows are not in the ledger yet, and are older than `look_back` by the time they go.
TEST_F(BrakeOn, LosesNoRowThatWasFoundAfterAStandstillAndIsHeld) {
  push().look_back = 48h;
  order("first");
  (void)held();
  release(1);
  ASSERT_EQ(sync().result.exit_code, daemon::kDone);
  for (int i = 0; i < 150; ++i)
    sql("INSERT INTO orders VALUES ('" + std::to_string(i) + "', 'p" + std::to_string(i) +
        "@example.test', '5', '" + mapping::write_instant(clock_.now + 1h * i) + "')");
  clock_.now += 151h;
  EXPECT_NE(held().find("a spike: up to 150"), std::string::npos);
  clock_.now += 24h;
  (void)held();
  release(150);
  for (int i = 0; i < 4; ++i)
    sync();
  EXPECT_EQ(mailed(), 151u);
}

// The window does not move on while nobody has let the first run go.
TEST_F(BrakeOn, LosesNoRowOfAFirstRunThatIsHeldForLongerThanLookBack) {
  push().look_back = 48h;
  orders(0, 3);
  EXPECT_NE(held().find("the first run: up to 3"), std::string::npos);
  clock_.now += 24h * 5;
  EXPECT_NE(held().find("the first run: up to 3"), std::string::npos);
  release(3);
  sync();
  EXPECT_EQ(mailed(), 3u);
}

// Each step is too small for itself.
TEST_F(BrakeOn, HoldsAFloodThatComesInSteps) {
  orders(0, 3);
  (void)held();
  release(3);
  sync();
  clock_.now += 24h * 9;
  const auto come = [&](int from, int to) {
    orders(from, to);
    sql("UPDATE orders SET delivered_at = '2026-11-18T12:00:00Z'");
  };
  for (int step = 1; step <= 5; ++step) {
    come(step * 1000, step * 1000 + 60);
    sync();
    clock_.now += 1h;
  }
  EXPECT_EQ(mailed(), 63u);
  EXPECT_NE(held().find("a spike: up to 60 transactions would go out after 60 within a day, and"
                        " 100 is what passes unasked"),
            std::string::npos);
  release(240);
  for (int i = 0; i < 4; ++i)
    sync();
  EXPECT_EQ(mailed(), 303u);
  come(9000, 9050);
  EXPECT_EQ(sync().result.exit_code, daemon::kDone) << "what was let go counts no more";
}

TEST_F(BrakeOn, LetsNoMoreGoThanAPersonHasSaid) {
  orders(0, 3);
  (void)held();
  release(3);
  orders(3, 500);  // they came after the person had looked
  EXPECT_NE(held().find("a spike: up to 497"), std::string::npos);
  EXPECT_EQ(mailed(), 3u);
}

// After what was let through has been taken for a batch and before that is claimed.
TEST_F(BrakeOn, LosesNothingOfAReleaseWithTheInstanceThatDied) {
  push().batch.size = 200;
  orders(0, 200);
  (void)held();
  release(200);
  bool armed = true;
  outside_.wrap_database = [&](auto inner) {
    return std::make_unique<support::LookedAtDatabase>(
        std::move(inner), [&](const std::string& sql) {
          const bool claims = sql.find("INTO \"survey_batch\"") != std::string::npos;
          if (claims && std::exchange(armed, false)) throw in_process::Died{};
        });
  };
  EXPECT_THROW(sync(), in_process::Died);
  EXPECT_EQ(mailed(), 0u);
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_EQ(mailed(), 200u);
}

// Without `correlate` the service's list does not tell what the ledger has lost
// (push/restored_ledger_test.cpp).
TEST_F(BrakeOn, ALostLedgerMailsNobodyAgain) {
  settings_.pushes.at(0).correlate.clear();
  orders(0, 20);
  (void)held();
  release(20);
  sync();
  sql("DELETE FROM survey_push");
  EXPECT_NE(held().find("the ledger is empty though 20"), std::string::npos);
  EXPECT_EQ(mailed(), 20u);
}

TEST_F(BrakeOn, LostTablesAreAFirstRun) {
  settings_.pushes.at(0).correlate.clear();
  orders(0, 20);
  (void)held();
  release(20);
  sync();
  for (const char* table : {"survey_push", "survey_batch", "survey_brake"})
    sql(std::string("DROP TABLE ") + table);
  EXPECT_NE(held().find("the first run: up to 20"), std::string::npos);
  EXPECT_EQ(mailed(), 20u);
}

TEST_F(BrakeOn, AWiderQueryWaitsWhenItAsksMany) {
  sql("CREATE TABLE others AS SELECT * FROM orders");
  orders(0, 5);
  (void)held();
  release(5);
  sync();
  sql("INSERT INTO others SELECT 'x' || a.id || '-' || b.id || '-' || c.id, a.email, a.grade,"
      " a.delivered_at FROM orders a, orders b, orders c");
  query("SELECT * FROM orders UNION ALL SELECT * FROM others");
  EXPECT_NE(held().find("the query was changed: of 125 transactions that would go out 125"),
            std::string::npos);
  EXPECT_EQ(mailed(), 5u);
}

// Fewer than pass unasked go out; the log says that they do.
TEST_F(BrakeOn, SaysThatAQueryWasChangedWhereItsRowsGoUnasked) {
  orders(0, 5);
  (void)held();
  release(5);
  sync();
  sql("CREATE TABLE others AS SELECT * FROM orders");
  sql("UPDATE others SET id = 'x' || id, delivered_at = '" +
      mapping::write_instant(clock_.now + 1min) + "'");
  query("SELECT * FROM orders UNION ALL SELECT * FROM others");
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 10min);
  EXPECT_EQ(mailed(), 10u);
  EXPECT_TRUE(instance.log().has("time_zone was changed: up to 5 rows go out, no more than pass"));
  in_process::Instance next(settings_, outside_, ++seed_);
  order("later");
  next.run_until(clock_.now + 10min);
  EXPECT_EQ(mailed(), 11u);
  EXPECT_FALSE(next.log().has("was changed"));
}

TEST_F(BrakeOn, StaysOnWhenTheHourIsOver) {
  push().brake = false;
  push().max_per_hour = 10;
  push().batch.size = 10;
  orders(0, 15);
  EXPECT_NE(held().find("max_per_hour"), std::string::npos);
  EXPECT_EQ(mailed(), 10u);
  clock_.now += 2h;
  EXPECT_NE(held().find("max_per_hour"), std::string::npos) << "a person has to say so";
  release(5);
  sync();
  EXPECT_EQ(mailed(), 15u);
}

TEST_F(BrakeOn, AnotherServiceWaitsForAPersonAndSaysWhatItMeans) {
  settings_.pulls.clear();
  order("1");
  (void)held();
  release(1);
  sync();
  ASSERT_EQ(mailed(), 1u);
  settings_.service.base_url = "http://127.0.0.1:2";
  order("2");
  EXPECT_NE(held().find("the service was changed: 1 transaction went out, the last of them to "
                        "http://127.0.0.1:1, and the ledger counts them as sent; 1 that wait would "
                        "go to http://127.0.0.1:2"),
            std::string::npos)
      << held();
  EXPECT_EQ(mailed(), 1u);
  release(1);
  sync();
  EXPECT_EQ(mailed(), 2u);
  order("3");
  sync();
  EXPECT_EQ(mailed(), 3u) << "it is the usual one now";
  settings_.service.base_url = "http://127.0.0.1:3";
  order("4");
  EXPECT_NE(held().find("3 transactions went out (1 to http://127.0.0.1:1, 2 to "
                        "http://127.0.0.1:2), the last of them to http://127.0.0.1:2"),
            std::string::npos)
      << held();
}

TEST_F(BrakeOn, APushThatIsNoTestAnyMoreWaitsForAPerson) {
  settings_.pulls.clear();
  push().batch.is_test = true;
  push().batch.test_domains = {"example.test"};
  order("1");
  (void)held();
  release(1);
  sync();
  push().batch.is_test = false;
  order("2");
  EXPECT_NE(held().find("(test customers)"), std::string::npos);
}

TEST_F(BrakeOn, NothingGoesOutOfHours) {
  push().brake = false;
  push().send_window = config::Window{8h, 20h};  // the clock starts at midnight
  order("1");
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_EQ(mailed(), 0u);
  clock_.now += 8h;
  sync();
  EXPECT_EQ(mailed(), 1u);
}

TEST_F(BrakeOn, NothingGoesOutOnClosedDays) {
  push().brake = false;
  const auto today = std::chrono::floor<std::chrono::days>(clock_.now);
  push().closed = {std::chrono::local_days{today.time_since_epoch()}};
  order("1");
  EXPECT_EQ(sync().result.exit_code, daemon::kDone);
  EXPECT_EQ(mailed(), 0u);
  const auto database = in_process::watched(crm::open_database(connection_), clock_, nullptr);
  const auto told = [&] { return daemon::report(settings_, *database, *database).waiting.at(0); };
  EXPECT_EQ(told().opens, today + std::chrono::days{1});
  const auto lines = daemon::lines_of(told(), clock_.now);
  EXPECT_STREQ(lines.back().what, "closed until");
  EXPECT_EQ(lines.back().why, mapping::write_instant(today + std::chrono::days{1}) +
                                  " (send_window, send_days and closed)");
  clock_.now = today + std::chrono::days{1};
  sync();
  EXPECT_EQ(mailed(), 1u);
  EXPECT_FALSE(told().opens);
}

TEST_F(BrakeOn, TwoDaemonsLetNoMoreGoThanAPersonHasSaid) {
  settings_.pulls.clear();
  push().batch.size = 3;
  orders(1, 501);
  (void)held();
  in_process::Outside other = outside_;
  in_process::Instance second(settings_, other, 77);
  second.jobs()[0]->step(clock_.now);  // reads the data columns, and is held back
  clock_.now += 1min;
  bool once = false;
  outside_.on_moment = [&](const in_process::Moment& moment) {
    const bool committed = moment.side == in_process::Moment::Side::after &&
                           moment.what == in_process::Moment::What::commit;
    const std::string claimed = "SELECT COUNT(*) FROM survey_push WHERE state = 'claimed'";
    if (!committed || once || number(claimed) == 0) return;
    once = true;
    second.jobs()[0]->step(clock_.now);
  };
  release(3);
  in_process::Instance first(settings_, outside_, 78);
  first.run_until(clock_.now + 10s);
  EXPECT_TRUE(once);
  EXPECT_EQ(mailed(), 3u);
}

TEST_F(BrakeOn, GivesBackWhatItHasTakenForNothing) {
  settings_.pulls.clear();
  orders(0, 3);
  (void)held();
  release(3);
  // It waits for two days, so that what is left does not lapse.
  sql("INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at, not_before, test)"
      " VALUES ('orders', 'later', 'pending', 0, '2026-11-09T12:00:00Z', '2026-11-09T12:00:00Z',"
      " '2026-11-12T00:00:00.000000Z', 0)");
  bool once = false;
  outside_.on_moment = [&](const in_process::Moment& moment) {
    const bool committed = moment.side == in_process::Moment::Side::after &&
                           moment.what == in_process::Moment::What::commit;
    const std::string about_to_claim = "SELECT COUNT(*) FROM survey_lease WHERE owner <> ''";
    if (!committed || once || number(about_to_claim) == 0) return;
    once = true;  // another instance is quicker with one of them
    sql("INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at, test) VALUES"
        " ('orders', '1', 'sent', 1, '2026-11-09T12:00:00Z', '2026-11-09T12:00:00Z', 0)");
  };
  in_process::Instance first(settings_, outside_, 78);
  first.run_until(clock_.now + 10s);
  EXPECT_TRUE(once);
  EXPECT_EQ(mailed(), 2u);
  EXPECT_EQ(number("SELECT allowance FROM survey_brake"), 1);
}

TEST_F(BrakeOn, AsksAgainForWhatComesInTheMiddleOfAWave) {
  order("1");
  (void)held();
  release(1);
  sync();
  order("2");
  bool once = false;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    if (request.method == "POST" && !std::exchange(once, true)) orders(1000, 2000);
    return send();
  };
  EXPECT_NE(held().find("a spike: up to 1000"), std::string::npos);
  EXPECT_EQ(mailed(), 2u);
}

}  // namespace
