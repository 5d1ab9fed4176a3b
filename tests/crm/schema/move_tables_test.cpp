// A move between two places, at each of its steps; on every database as the old place.
#include "connectors/crm/schema/move_tables.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/schema/schema_version.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/forwarding_database.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::crm {
namespace {

using testing::HasSubstr;

// Fails at an INSERT into this table.
class FailsAt final : public support::ForwardingDatabase {
 public:
  FailsAt(Database& inner, std::string table)
      : ForwardingDatabase(inner), table_(std::move(table)) {}
  std::int64_t execute_each(const std::string& sql, const Rows& rows) override {
    if (sql.find(table_) != std::string::npos)
      throw DatabaseError(DatabaseError::Kind::connection, "lost");
    return inner().execute_each(sql, rows);
  }

 private:
  std::string table_;
};

class MovedTables : public OnOurTables {
 protected:
  MovedTables() {
    People(from).hash_key("the key of the hash");
    Transaction transaction(from);
    People(from).count_forget();
    transaction.commit();
    Ledger ledger(from);
    ledger.claim({"batch", "orders", "one"},
                 {{"1", "ann@example.test", {}}, {"2", "b@c.test", {}}});
    ledger.settle("orders", "batch", {Outcome::accepted, 200, ""},
                  {{"1", State::sent, ""}, {"2", State::in_doubt, "no answer"}});
  }
  static std::string refusal(Database& database) {
    return refusal_of([&] { make_schema(database); });
  }

  support::TemporaryFolder folder;
  Database& from = open();
  std::unique_ptr<Database> to = open_database("sqlite3://" + folder.path() + "/new.db");
};
INSTANTIATE_TEST_SUITE_P(Databases, MovedTables, every_database(), server_name);

TEST_P(MovedTables, HaveEveryRowInTheNewPlaceAndTheHistoryOfEach) {
  EXPECT_EQ(why_not_to(*to), std::nullopt);
  const auto named = [](const std::vector<MovedTable>& tables) {
    std::map<std::string, std::int64_t> rows;
    for (const auto& table : tables)
      rows[table.name] = table.rows;
    return rows;
  };
  const auto to_move = named(tables_to_move(from));
  EXPECT_EQ(to_move.at("survey_push"), 2);
  close_for_move(from, *to, "/etc/new.toml");
  EXPECT_EQ(named(tables_to_move(from)), to_move) << "also after an interrupted move";
  EXPECT_EQ(named(copy_tables(from, *to).value()), to_move);
  Ledger ledger(*to);
  EXPECT_EQ(ledger.find("orders", "1").value().state, State::sent);
  EXPECT_EQ(ledger.find("orders", "2").value().reason, "no answer");
  EXPECT_EQ(ledger.in_doubt("orders", 10).at(0).email, "b@c.test");
  EXPECT_EQ(ledger.history("orders", "1").size(), 2u);
  EXPECT_EQ(ledger.batches("orders", 10).size(), 1u);
  EXPECT_EQ(People(*to).stored_hash_key(), "the key of the hash");
  EXPECT_EQ(People(*to).forgets(), 1);
  EXPECT_EQ(refusal(*to), "");
  EXPECT_TRUE(moved_before(from, *to));
}

// A daemon that was connected before the move began.
TEST_P(MovedTables, CannotBeClaimedInTheOldPlace) {
  Database& daemon = open();
  make_schema(*to);
  close_for_move(from, *to, "/etc/new.toml");
  EXPECT_THROW(Ledger(daemon).claim({"late", "orders", "two"}, {{"3", "d@e.test", {}}}),
               DatabaseError);
  EXPECT_THAT(refusal(daemon), HasSubstr("were moved from here to another place at "));
  EXPECT_THAT(refusal(daemon), HasSubstr("Z (then named by /etc/new.toml): use the configuration"));
}

TEST_P(MovedTables, CannotBeUsedInTheNewPlaceBeforeTheyAreWhole) {
  make_schema(*to);
  close_for_move(from, *to, "/etc/new.toml");
  EXPECT_THAT(refusal(*to), HasSubstr("are being moved to here"));
  copy_tables(from, *to);
  EXPECT_EQ(refusal(*to), "");
}

TEST_P(MovedTables, CanBeMovedAgainAfterAFailure) {
  make_schema(*to);
  close_for_move(from, *to, "/etc/new.toml");
  FailsAt failing(*to, "survey_push_event");
  EXPECT_THROW(copy_tables(from, failing), DatabaseError);
  EXPECT_FALSE(Ledger(*to).find("orders", "1")) << "all or nothing";
  EXPECT_FALSE(moved_before(from, *to));
  EXPECT_EQ(why_not_to(*to), std::nullopt);
  close_for_move(from, *to, "/etc/new.toml");
  copy_tables(from, *to);
  EXPECT_TRUE(Ledger(*to).find("orders", "1"));
}

TEST_P(MovedTables, CanBeMovedAgainAfterAStop) {
  make_schema(*to);
  close_for_move(from, *to, "/etc/new.toml");
  std::map<std::string, std::int64_t> before;  // rows that were copied when a table began
  const auto stops_at = [&](const std::string& last) {
    return [&before, last](const std::string& table, std::int64_t rows) {
      before.emplace(table, rows);
      return table != last;
    };
  };
  EXPECT_FALSE(copy_tables(from, *to, stops_at("survey_push_event")));
  EXPECT_FALSE(Ledger(*to).find("orders", "1")) << "all or nothing";
  EXPECT_FALSE(moved_before(from, *to));
  EXPECT_EQ(why_not_to(*to), std::nullopt);
  EXPECT_GE(before.at("survey_push_event") - before.at("survey_push"), 2);
  const auto moved = copy_tables(from, *to, stops_at("none"));
  ASSERT_TRUE(moved);
  EXPECT_FALSE(moved->empty());
  EXPECT_TRUE(Ledger(*to).find("orders", "1"));
}

TEST_P(MovedTables, GoIntoAnEmptyPlaceOnly) {
  make_schema(*to);
  Ledger(*to).claim({"batch", "orders", "one"}, {{"9", "x@y.test", {}}});
  EXPECT_THAT(why_not_to(*to).value_or(""), HasSubstr("1 rows in survey_push already"));
}

TEST_P(MovedTables, AreNotTakenFromWhoeverWorksWithThem) {
  EXPECT_TRUE(owners_at_work(from).empty());
  ASSERT_TRUE(Leases(from).take("instance:one", "one", std::chrono::seconds{60}));
  ASSERT_EQ(owners_at_work(from).size(), 1u);
  EXPECT_EQ(owners_at_work(from).front().owner, "one");
  EXPECT_GT(owners_at_work(from).front().until, from.now());
}

}  // namespace
}  // namespace surveybridge::crm
