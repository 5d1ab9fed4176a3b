// A person erased while another session claims or stores a page with them: each comes wholly before
// or wholly after the other, on every database. The other session acts right before a commit and
// does not wait for locks.
#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "tests/crm/ledgers.hpp"
#include "tests/support/forwarding_database.hpp"

namespace surveybridge::crm {
namespace {

class BeforeCommit final : public support::ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  std::function<void()> act;
  void commit() override {
    if (act) std::exchange(act, {})();
    inner().commit();
  }
};

class ForgetRaces : public Ledgers {
 protected:
  ForgetRaces() {
    People(database).hash_key("key");
    forget(database, database, "somebody", "somebody@example.test", {});  // not the first time
    elsewhere.execute({no_patience(elsewhere.dialect()), {}});
  }
  std::vector<std::string> claim_ann(Database& in) {
    return Ledger(in).claim({"b1", "orders", "one"}, {{"1", "ann@example.test", kDate, "ann"}});
  }
  Erased forget_ann(Database& in) { return forget(in, in, "ann", "ann@example.test", {}); }
  static std::vector<mapping::Record> page() {
    mapping::Record record(mapping::customer());
    record.set("Id", std::int64_t{7});
    record.set("Email", std::string("ann@example.test"));
    return {record};
  }
  void store_ann(Database& in, std::int64_t forgets) {
    PullStore pulled(in, mapping::customer(), {});
    PageNotes notes;
    notes.forgets = forgets;
    pulled.save(page(), pulled.load("customers", "x"), std::nullopt, notes);
  }
  std::int64_t forgets() { return People(database).forgets(); }
  // What `action` in the other session meets: it has to wait.
  void has_to_wait(const std::function<void()>& action) {
    const auto error = error_of(action);
    EXPECT_EQ(error.kind, DatabaseError::Kind::busy) << error.what();
  }

  BeforeCommit here{database};
  Database& elsewhere = open();
};

TEST_P(ForgetRaces, AClaimWaitsForForgetAndLeavesThePersonOut) {
  here.act = [&] { has_to_wait([&] { claim_ann(elsewhere); }); };
  forget_ann(here);
  EXPECT_TRUE(claim_ann(elsewhere).empty());
}

TEST_P(ForgetRaces, ForgetWaitsForAClaimAndCountsIt) {
  here.act = [&] { has_to_wait([&] { forget_ann(elsewhere); }); };
  EXPECT_EQ(claim_ann(here).size(), 1u);
  EXPECT_EQ(forget_ann(elsewhere).under_way, 1);
}

TEST_P(ForgetRaces, ForgetWaitsForASettlementAndErasesItsWords) {
  claim_ann(database);
  here.act = [&] { has_to_wait([&] { forget_ann(elsewhere); }); };
  Ledger(here).settle("orders", "b1", {Outcome::refused, 400, "ann@example.test is odd"},
                      {{"1", State::quarantined, "ann@example.test is odd"}});
  forget_ann(elsewhere);
  EXPECT_EQ(ledger.find("orders", "1")->reason, "(erased)");
}

TEST_P(ForgetRaces, APageWaitsForForgetAndIsNotStored) {
  const auto checked = forgets();
  here.act = [&] { has_to_wait([&] { store_ann(elsewhere, checked); }); };
  forget_ann(here);
  EXPECT_THROW(store_ann(elsewhere, checked), DatabaseError);
  EXPECT_TRUE(database.query({"SELECT id FROM survey_customer", {}}).rows.empty());
}

TEST_P(ForgetRaces, ForgetWaitsForAPageAndErasesIt) {
  here.act = [&] { has_to_wait([&] { forget_ann(elsewhere); }); };
  store_ann(here, forgets());
  EXPECT_EQ(forget_ann(elsewhere).customers, 1);
  EXPECT_TRUE(database.query({"SELECT id FROM survey_customer", {}}).rows.empty());
}

TEST_P(ForgetRaces, PagesAndClaimsDoNotWaitForEachOther) {
  if (GetParam() == Server::sqlite) return;  // it has one writer at a time
  here.act = [&] { EXPECT_EQ(claim_ann(elsewhere).size(), 1u); };
  store_ann(here, forgets());
}

INSTANTIATE_TEST_SUITE_P(Databases, ForgetRaces, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
