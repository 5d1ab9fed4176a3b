// Kept numbers of a large ledger say what a count says.
#include "connectors/crm/daemon_state/count_store.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class CountStoreTests : public OnEveryDatabase {
 protected:
  CountStoreTests() { make_schema(database); }
  void set_row(const std::string& push, const std::string& key, State state, Instant at) {
    const Dialect dialect = database.dialect();
    database.execute({in_dialect(dialect, R"(DELETE FROM "survey_push" WHERE "push" = {key})"
                                          R"( AND "key" = {key})"),
                      {push, key}});
    database.execute({in_dialect(dialect, R"(INSERT INTO "survey_push" ("push", "key", "state",)"
                                          R"( "attempts", "seen_at", "changed_at") VALUES ({key},)"
                                          R"( {key}, {key}, {integer}, {instant}, {instant}))"),
                      {push, key, to_string(state), std::int64_t{1}, at, at}});
  }
  std::vector<std::string> shown(const std::vector<Ledger::Count>& counts) {
    std::vector<std::string> lines;
    for (const auto& count : counts)
      lines.push_back(count.push + " " + to_string(count.state) + " " + std::to_string(count.rows));
    return lines;
  }
  std::vector<std::string> kept() {
    std::vector<std::string> lines;
    for (const auto& each : kept_counts(database))
      lines.push_back(each.push + " " + each.counted + " " + std::to_string(each.rows));
    return lines;
  }
  void expect_like_a_count() {
    EXPECT_EQ(shown(count_by_kept(database)), shown(Ledger(database).counts()));
  }
  Database& database = open();
  const Instant now_ = database.now();
  const Instant old_ = now_ - 1h;
};
INSTANTIATE_TEST_SUITE_P(Databases, CountStoreTests, every_database(), server_name);

TEST_P(CountStoreTests, KeepNumbersOfStatesThatNoRowLeaves) {
  for (const char* key : {"1", "2", "3"})
    set_row("orders", key, State::sent, old_);
  set_row("orders", "4", State::suppressed, old_);
  set_row("orders", "5", State::suppressed, old_);
  for (const char* key : {"6", "7", "8"})
    set_row("orders", key, State::quarantined, old_);
  set_row("visits", "1", State::sent, old_);
  renew_kept_counts(database, 2);
  EXPECT_THAT(kept(), ElementsAre("orders sent 3", "orders suppressed 2"));
  expect_like_a_count();
}

TEST_P(CountStoreTests, AddWhatCameSince) {
  for (const char* key : {"1", "2", "3"})
    set_row("orders", key, State::sent, old_);
  set_row("orders", "4", State::pending, old_);
  set_row("orders", "5", State::quarantined, old_);
  set_row("orders", "6", State::sent, now_ - 1min);  // too young to be in the number
  renew_kept_counts(database, 1);
  EXPECT_THAT(kept(), ElementsAre("orders sent 3"));
  expect_like_a_count();
  set_row("orders", "4", State::sent, now_);
  set_row("orders", "5", State::suppressed, now_);
  set_row("orders", "7", State::in_doubt, now_);
  set_row("a push that is new", "1", State::held, now_);
  set_row("visits", "1", State::claimed, now_);
  expect_like_a_count();
  EXPECT_THAT(shown(count_by_kept(database)),
              ElementsAre("a push that is new held 1", "orders in_doubt 1", "orders sent 5",
                          "orders suppressed 1", "visits claimed 1"));
}

TEST_P(CountStoreTests, CountWhereNoNumberIsKept) {
  EXPECT_THAT(count_by_kept(database), IsEmpty());
  set_row("orders", "1", State::sent, old_);
  renew_kept_counts(database);
  EXPECT_THAT(kept(), IsEmpty());
  EXPECT_EQ(age_of_kept_counts(database), std::nullopt);
  expect_like_a_count();
}

TEST_P(CountStoreTests, RenewNumbersAndRemoveThoseOfOtherRows) {
  set_row("orders", "1", State::sent, old_);
  set_row("visits", "1", State::sent, old_);
  renew_kept_counts(database, 1);
  const auto age = age_of_kept_counts(database);
  ASSERT_TRUE(age);
  EXPECT_LT(*age, 1min);
  EXPECT_GE(*age, 0s);
  keep_never_listed(database, "orders", 1);
  keep_never_listed(database, "visits", 0);
  set_row("orders", "2", State::sent, old_);
  renew_kept_counts(database, 2);
  EXPECT_THAT(kept(), ElementsAre("orders never listed 1", "orders sent 2"));
}

TEST_P(CountStoreTests, KeepWhatWasNeverListedOfALargeLedgerOnly) {
  set_row("orders", "1", State::sent, old_);
  keep_never_listed(database, "orders", 1);
  EXPECT_EQ(kept_never_listed(database, "orders"), std::nullopt);
  renew_kept_counts(database, 1);
  keep_never_listed(database, "orders", 1);
  keep_never_listed(database, "orders", 7);
  EXPECT_EQ(kept_never_listed(database, "orders"), 7);
  EXPECT_EQ(kept_never_listed(database, "visits"), std::nullopt);
  keep_never_listed(database, "orders", std::nullopt);
  EXPECT_EQ(kept_never_listed(database, "orders"), std::nullopt);
}

}  // namespace
}  // namespace surveybridge::crm
