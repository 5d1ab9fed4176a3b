// What is known of people, on every database.
#include "connectors/crm/people/people.hpp"

#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "tests/crm/ledgers.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class PeopleTests : public Ledgers {
 protected:
  void claim_of(const std::string& batch, const std::string& key, const std::string& person) {
    ledger.claim({batch, "orders", "one"}, {{key, "x@example.test", kDate, person}});
  }
  std::optional<Instant> not_before() {
    return instant_in(cells_in(database, "SELECT not_before FROM survey_push").at(0));
  }
  People people{database};
};

TEST_P(PeopleTests, KeepTheFirstKeyOfTheHash) {
  EXPECT_EQ(people.hash_key("first"), "first");
  EXPECT_EQ(people.hash_key("second"), "first");
}

TEST_P(PeopleTests, KnowAFactOnceHoweverOftenItIsTold) {
  people.note({{"ann", FactKind::bounced_soft, "7", kDate}});
  people.note({{"ann", FactKind::bounced_soft, "7", kDate + 1h},
               {"ann", FactKind::bounced_soft, "8", kDate},
               {"ann", FactKind::bounced_soft, "8", kDate},
               {"bob", FactKind::opted_out, "7", kDate}});
  people.note({});
  auto contact_histories = people.contact_histories({"ann", "cleo"});
  ASSERT_EQ(contact_histories.size(), 1u);
  ASSERT_EQ(contact_histories["ann"].facts.size(), 1u);
  const auto& soft = contact_histories["ann"].facts.at(FactKind::bounced_soft);
  EXPECT_EQ(soft.count, 2);
  EXPECT_EQ(soft.latest, kDate + 1h);
  EXPECT_THAT(people.contact_histories({}), IsEmpty());
}

TEST_P(PeopleTests, AreNoLongerSupposedToHaveSaidWhatCanBeRead) {
  const std::string keyless = std::string(kKeylessRecord) + "1";
  people.note({{"ann", FactKind::unread_opt_out, "7", kDate},
               {"ann", FactKind::unread_contact, "7", kDate},
               {"ann", FactKind::invited, "7", kDate},
               {"ann", FactKind::unread_opt_out, "8", kDate},
               {"cleo", FactKind::unread_opt_out, "7", kDate},
               {"cleo", FactKind::unread_bounce, "7", kDate},
               {"bob", FactKind::unread_bounce, keyless, kDate},
               {"bob", FactKind::opted_out, keyless, kDate}});
  ledger.delay("orders", {{"1", "unread", database.time + 1h, "ann"}});
  people.note_read({"7", "9"}, false);
  auto histories = people.contact_histories({"ann", "bob", "cleo"});
  ASSERT_EQ(histories["cleo"].facts.size(), 1u) << "it may be of several";
  EXPECT_EQ(histories["cleo"].facts.count(FactKind::unread_bounce), 1u) << "of another list";
  EXPECT_EQ(histories["ann"].facts.size(), 2u);
  EXPECT_EQ(histories["ann"].facts.at(FactKind::unread_opt_out).count, 1);
  EXPECT_EQ(histories["bob"].facts.size(), 2u);
  EXPECT_EQ(not_before(), std::nullopt) << "it is looked at again";
  people.note_read_keyless({"bob"});
  EXPECT_EQ(people.contact_histories({"bob"}).at("bob").facts.size(), 1u)
      << "who has opted out stays so";
}

TEST_P(PeopleTests, KnowWhichTransactionsWentOutAndWhichMayHave) {
  claim_of("b1", "1", "ann");
  claim_of("b2", "2", "ann");
  claim_of("b3", "3", "ann");
  settle("b1", "1", State::sent);
  settle("b2", "2", State::pending);
  ledger.settle_listed("orders", {{"1", 77}});
  auto contact_histories = people.contact_histories({"ann"});
  const auto& latest = contact_histories["ann"].pushes["orders"].latest;
  ASSERT_EQ(latest.size(), 2u) << "what is pending went to nobody";
  EXPECT_EQ(latest.at(State::sent), database.time);
  EXPECT_EQ(latest.at(State::claimed), database.time);
}

TEST_P(PeopleTests, KnowWhenTheCustomersOfOnePushAnswered) {
  claim_of("b1", "1", "ann");
  settle("b1", "1", State::sent);
  ledger.settle_listed("orders", {{"1", 77}});
  people.note({{"ann", FactKind::answered, "77", kDate},
               {"ann", FactKind::answered, "78", kDate + 1h},
               {"bob", FactKind::answered, "77", kDate + 2h}});
  const auto history = people.contact_histories({"ann"}, Asked::customers).at("ann");
  EXPECT_EQ(history.facts.at(FactKind::answered).latest, kDate + 1h);
  EXPECT_EQ(history.pushes.at("orders").customers.at(FactKind::answered), kDate);
  EXPECT_TRUE(people.contact_histories({"ann"}).at("ann").pushes.at("orders").customers.empty());
}

TEST_P(PeopleTests, OfManyTransactionsAreCountedByTheDatabase) {
  std::vector<Claim> rows;
  for (int i = 0; i < 500; ++i)
    rows.push_back({std::to_string(i), "x@example.test", kDate, "kiosk"});
  ledger.claim({"b1", "orders", "one"}, rows);
  const auto history = people.contact_histories({"kiosk"}).at("kiosk");
  EXPECT_EQ(history.pushes.size(), 1u);
  EXPECT_EQ(history.pushes.at("orders").latest.size(), 1u);
}

TEST_P(PeopleTests, KnowWhenAListWasReadToItsEnd) {
  EXPECT_EQ(people.fed("customers", {"LastActivityDate"}), std::nullopt);
  PullStore pulled(database, mapping::customer(), {});
  StoredWalk walk = pulled.load("customers", "LastActivityDate");
  pulled.save({}, walk, std::nullopt);
  EXPECT_EQ(people.fed("customers", {"LastActivityDate"}), std::nullopt) << "never to its end";
  walk.finished_at = kDate;
  pulled.save({}, walk, std::nullopt);
  EXPECT_EQ(people.fed("customers", {"LastActivityDate"}), kDate);
  EXPECT_EQ(people.fed("bouncers", {"TransactionDate"}), std::nullopt);
  const std::vector<std::string> both = {"LastActivityDate", "TransactionDate"};
  EXPECT_EQ(people.fed("customers", both), std::nullopt) << "half of it is not all";
  StoredWalk other = pulled.load("customers", "TransactionDate");
  other.finished_at = kDate - std::chrono::hours{9};
  pulled.save({}, other, std::nullopt);
  EXPECT_EQ(people.fed("customers", both), kDate - std::chrono::hours{9});
  walk.finished_at = database.time + 1h;
  pulled.save({}, walk, std::nullopt);
  EXPECT_EQ(people.fed("customers", both), std::nullopt) << "the clock was ahead: nobody knows";
}

TEST_P(PeopleTests, DelayARowUntilItsTime) {
  EXPECT_EQ(ledger.delay("orders", {{"1", "invited lately", database.time + 1h}}), 1);
  EXPECT_EQ(state_of("1"), State::pending);
  EXPECT_EQ(claim("b1", {"1"}).size(), 1u) << "the delay binds who asks for it, not the ledger";
  EXPECT_EQ(ledger.delay("orders", {{"1", "too late", database.time + 1h}}), 0);
}

TEST_P(PeopleTests, TellADelayOnceHoweverOftenItIsMadeLonger) {
  for (int hour = 1; hour <= 3; ++hour) {
    EXPECT_EQ(ledger.delay("orders", {{"1", "another is held", database.time + 1h * hour}}), 1);
  }
  EXPECT_EQ(ledger.history("orders", "1").size(), 1u);
  EXPECT_EQ(not_before(), database.time + 3h);
  EXPECT_EQ(ledger.delay("orders", {{"1", "invited lately", database.time + 1h}}), 1);
  EXPECT_EQ(ledger.history("orders", "1").size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Databases, PeopleTests, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
