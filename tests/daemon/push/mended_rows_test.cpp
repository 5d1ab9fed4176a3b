// Rows that were set aside for what the CRM can mend: they are tried again once it has.
#include <algorithm>

#include "tests/daemon/shop.hpp"
#include "tests/support/forwarding_database.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

// The whole row of this key cannot be read in time; empty: each can.
class SlowRow final : public support::ForwardingDatabase {
 public:
  SlowRow(std::unique_ptr<Database> inner, const std::string& key)
      : ForwardingDatabase(std::move(inner)), key_(key) {}

  crm::Result query(const crm::Statement& statement) override {
    const auto& [text, values] = statement;
    const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
    const bool reads = has("bridge_key") && has(" IN (") && !has("bridge_when");
    if (reads && std::ranges::find(values, crm::Value(key_)) != values.end())
      throw crm::DatabaseError(crm::DatabaseError::Kind::busy, "too slow");
    return inner().query(statement);
  }

 private:
  const std::string& key_;
};

class MendedRows : public in_process::Shop {
 protected:
  MendedRows() {
    customers_ = settings_.pulls.at(0);
    settings_.pulls.clear();
    order("1");
  }
  // The list of customers is read before there is a row, and two hours later. A refusal may lie.
  void refuse(bool keeps) {
    sql("DELETE FROM orders");
    customers_.every = 2h;
    settings_.pulls = {customers_};
    outside_.on_exchange = [this, keeps](const service::Request& request,
                                         const std::function<service::Exchange()>& send) {
      if (request.method != "POST" || !refuses_) return send();
      if (keeps) send();
      return service::Exchange{service::Response{400, {}, R"({"Message":"the name is bad"})"}};
    };
  }
  void skip_without_address() {
    push().customer.rules.at(0).source.required = config::FieldSource::Required::skip;
  }
  void set_address(const std::string& address) { sql("UPDATE orders SET email = " + address); }
  config::Push& push() { return settings_.pushes.at(0); }
  config::Pull customers_;
  bool refuses_ = true;
  std::int64_t events() { return number("SELECT COUNT(*) FROM survey_push_event"); }
};

TEST_F(MendedRows, WithoutAnAddressIsLeftOutAndGoesOutOnceItHasOne) {
  skip_without_address();
  set_address("NULL");
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(clock_.now + 10min);
  EXPECT_EQ(state("1"), State::suppressed);
  EXPECT_EQ(reason("1"), "Email: skipped, the column \"email\" is null or empty");
  EXPECT_EQ(bridge.jobs().at(0)->status().fault, daemon::JobStatus::Fault::none);
  const auto before = events();
  sql("UPDATE orders SET grade = '1'");
  bridge.run_until(clock_.now + 2h);
  EXPECT_EQ(events(), before) << "no cell that is mapped has changed";
  set_address("'ann@example.test'");
  bridge.run_until(clock_.now + 2h);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_EQ(mailed(), 1u);
}

TEST_F(MendedRows, AreSentByASyncToo) {
  skip_without_address();
  set_address("''");
  sync();
  ASSERT_EQ(state("1"), State::suppressed);
  set_address("'ann@example.test'");
  clock_.now += 1h;
  sync();
  EXPECT_EQ(state("1"), State::sent);
}

TEST_F(MendedRows, StayOnceTheyAreOlderThanLookBack) {
  skip_without_address();
  set_address("NULL");
  run(10min);
  ASSERT_EQ(state("1"), State::suppressed);
  sql("UPDATE orders SET delivered_at = '2026-11-02T00:00:00Z'");
  set_address("'ann@example.test'");
  run(25h);
  EXPECT_EQ(state("1"), State::suppressed);
}

TEST_F(MendedRows, GoOutWhereTheyCouldBeNoCustomer) {
  set_address("'nobody'");
  run(10min);
  ASSERT_EQ(state("1"), State::quarantined);
  set_address("'ann@example.test'");
  run(2h);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_EQ(mailed(), 1u);
}

TEST_F(MendedRows, ThatCannotBeReadInTimeStopNoNewOne) {
  std::string slow;
  outside_.wrap_database = [&](auto inner) {
    return std::make_unique<SlowRow>(std::move(inner), slow);
  };
  set_address("'nobody'");
  run(10min);
  ASSERT_EQ(state("1"), State::quarantined);
  slow = "1";
  order("2");
  run(2h);
  EXPECT_EQ(state("1"), State::quarantined);
  EXPECT_EQ(state("2"), State::sent);
}

TEST_F(MendedRows, GoOutWhereTheirKeyHadTwoRows) {
  order("1");
  sql("UPDATE orders SET email = 'another@example.test' WHERE rowid = 2");
  run(10min);
  ASSERT_EQ(state("1"), State::quarantined);
  run(2h);
  ASSERT_EQ(state("1"), State::quarantined) << "they are still two";
  sql("DELETE FROM orders WHERE rowid = 2");
  run(2h);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_EQ(mailed(), 1u);
}

TEST_F(MendedRows, AreNotSentAgainWhereTheServiceKeptWhatItRefused) {
  refuse(true);
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(clock_.now + 1min);
  order("1");
  bridge.run_until(clock_.now + 10min);
  ASSERT_EQ(state("1"), State::quarantined);
  ASSERT_EQ(mailed(), 1u);
  set_address("'ann@example.test'");
  bridge.run_until(clock_.now + 1h);
  EXPECT_EQ(mailed(), 1u) << "nobody has looked yet whether it is listed";
}

TEST_F(MendedRows, GoOutOnceTheListDoesNotShowThatTheyWereKept) {
  refuse(false);
  in_process::Instance bridge(settings_, outside_, 7);
  bridge.run_until(clock_.now + 1min);
  order("1");
  bridge.run_until(clock_.now + 10min);
  ASSERT_EQ(state("1"), State::quarantined);
  refuses_ = false;
  set_address("'ann@example.test'");
  bridge.run_until(clock_.now + 4h);
  EXPECT_EQ(state("1"), State::sent);
  EXPECT_EQ(mailed(), 1u);
}

TEST_F(MendedRows, StayAsAPersonHasDecided) {
  set_address("'nobody'");
  run(10min);
  ASSERT_EQ(crm::Ledger(*crm_).drop("orders", {"1"}, "dropped for good, decided by ann"), 1);
  set_address("'ann@example.test'");
  run(25h);
  EXPECT_EQ(state("1"), State::suppressed);
  EXPECT_EQ(mailed(), 0u);
}

TEST_F(MendedRows, AreTriedOnceAnHourWhereACellIsAnotherOneAtEachLook) {
  query("SELECT id, 'nobody' || random() AS email, delivered_at FROM orders");
  run(24h);
  EXPECT_EQ(state("1"), State::quarantined);
  EXPECT_GT(events(), 2) << "it was tried again";
  EXPECT_LT(events(), 100) << "and not at each poll";
}

}  // namespace
