#include "connectors/crm/pulled/pull_store.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/pulled/arrivals.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "mapping/tables/tables.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/records.hpp"
#include "tests/crm/turned_clock.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using mapping::Record;
using testing::ElementsAre;
using testing::IsEmpty;

class Pulled : public OnOurTables {
 protected:
  Saved save(const std::vector<Record>& records) {
    return tables.save(records, walk, std::nullopt);
  }
  // All rows of a table, as the database returns them.
  std::vector<std::vector<Value>> rows(const std::string& table, const std::string& order) {
    return database.query({"SELECT * FROM " + table + " ORDER BY " + order, {}}).rows;
  }
  std::size_t count(const std::string& table) { return rows(table, "1").size(); }
  std::vector<Value> column(const std::string& name, const std::string& table,
                            const std::string& order) {
    return cells_in(database, "SELECT " + name + " FROM " + table + " ORDER BY " + order);
  }

  TurnedClock database{open()};
  PullStore tables{database, mapping::customer(), {}};
  StoredWalk walk{"customers", "LastActivityDate", {}, {}, "next", {}, 1, 0, {}, ""};
};

// max_allowed_packet of a MariaDB is 16 MiB, and 64 MiB of a MySQL, unless somebody sets it.
TEST_P(Pulled, SetARecordAsideThatTheDatabaseDoesNotTake) {
  std::vector<Record> records{full_customer(7), full_customer(8), full_customer(9)};
  records[1].at("Answers").records.at(0).set("Text", std::string(17'000'000, 'x'));
  const auto taken = tables.take_too_large(records);
  const bool bounded = database.dialect() == Dialect::mariadb;
  ASSERT_EQ(taken.size(), bounded ? 1u : 0u);
  if (bounded) {
    EXPECT_THAT(taken[0].fault.rule, testing::StartsWith("a row of it has 1700"));
    EXPECT_EQ(std::get<std::string>(taken[0].partial.value("Email")), "jo8@example.test");
  }
  EXPECT_EQ(save(records).changed, bounded ? 2 : 3);
}

// A file is bytes, and an object's texts stand in the row of its record.
TEST_P(Pulled, WeighFilesAndTheTextsOfObjectsToo) {
  std::vector<Record> records{full_customer(7), full_customer(8), full_customer(9)};
  auto& files = records[1].at("Answers").records.at(0).at("FileAnswers").records;
  files.at(0).set("Data", mapping::Bytes{std::string(17'000'000, '\1')});
  records[2].set("UserAgent", std::string(9'000'000, 'x'));
  records[2].at("Batch").records.at(0).set("TypeBatch", std::string(9'000'000, 'x'));
  const auto taken = tables.take_too_large(records);
  const bool bounded = database.dialect() == Dialect::mariadb;
  ASSERT_EQ(taken.size(), bounded ? 2u : 0u);
  if (!bounded) return;
  EXPECT_THAT(taken[0].fault.rule, testing::StartsWith("a row of it has 1700"));
  EXPECT_THAT(taken[1].fault.rule, testing::StartsWith("a row of it has 1800"));
  EXPECT_EQ(save(records).changed, 1);
}

TEST_P(Pulled, StoreARecordInAllItsTables) {
  const Saved saved = save({full_customer(7)});
  EXPECT_EQ(saved.changed, 1);
  EXPECT_EQ(saved.unchanged, 0);
  for (const auto& table : mapping::tables_of(mapping::customer())) {
    EXPECT_GT(count(table.name), 0u) << table.name;
  }
  EXPECT_THAT(column("email", "survey_customer", "id"), ElementsAre(Value{"jo7@example.test"}));
  EXPECT_THAT(column("position", "survey_answer", "position"),
              ElementsAre(Value{std::int64_t{0}}, Value{std::int64_t{1}}));
}

TEST_P(Pulled, CountTheRecordsThatAreNewOrDifferentByTheHour) {
  const auto counted = [&] { return arrivals(database, "pull.customers.LastActivityDate").rows; };
  save({full_customer(7), full_customer(8)});
  save({full_customer(7)});
  EXPECT_THAT(counted(), ElementsAre(2));
  database.advance(1h);
  Record other = full_customer(8);
  other.set("Email", std::string("another@example.test"));
  save({full_customer(7), other});
  EXPECT_THAT(counted(), ElementsAre(2, 1));
}

// Somebody has deleted a customer's row by hand, and not the rows that belong to it.
TEST_P(Pulled, StoreARecordThoughRowsOfItsChildrenAreLeft) {
  save({full_customer(7)});
  const auto answers = rows("survey_answer", "position");
  database.execute({"DELETE FROM survey_customer", {}});
  EXPECT_EQ(save({full_customer(7), full_customer(8)}).changed, 2);
  EXPECT_EQ(count("survey_customer"), 2u);
  EXPECT_EQ(
      database.query({"SELECT * FROM survey_answer WHERE customer_id = 7 ORDER BY position", {}})
          .rows,
      answers);
}

// Every cell that is read equals the cell that was written, whatever the column's type.
TEST_P(Pulled, KeepEveryField) {
  const std::vector<Record> records = {full_customer(1), full_customer(2), bare_customer(3)};
  save(records);
  const auto expected = mapping::rows_of(mapping::customer(), records, database.time);
  for (const auto& [table, wanted] : expected) {
    std::string keys;
    for (std::size_t i = 0; i < table->key_size; ++i) {
      keys += (i == 0 ? "" : ", ") + table->columns[i].name;
    }
    const auto stored = rows(table->name, keys);
    ASSERT_EQ(stored.size(), wanted.size()) << table->name;
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      for (std::size_t c = 0; c < table->columns.size(); ++c) {
        EXPECT_EQ(as_stored(table->columns[c], stored[r][c]), wanted[r][c])
            << table->name << "." << table->columns[c].name;
      }
    }
  }
}

TEST_P(Pulled, KeepTextOfEveryKind) {
  const std::string hard = "a\"b\\c,d{e}f'g\nh\r\ni\tj:k;:p1 ?$1 NULL é😀 \\x41 ";
  Record customer = bare_customer(1);
  customer.set("UserAgent", hard);
  customer.set("ExternalUniqueId", std::string{});
  customer.set("Language", std::string{"NULL"});
  save({customer});
  EXPECT_THAT(column("user_agent", "survey_customer", "id"), ElementsAre(Value{hard}));
  EXPECT_THAT(column("external_unique_id", "survey_customer", "id"), ElementsAre(Value{""}));
  EXPECT_THAT(column("language", "survey_customer", "id"), ElementsAre(Value{"NULL"}));
  EXPECT_THAT(column("email", "survey_customer", "id"), ElementsAre(Value{mapping::Null{}}));
}

TEST_P(Pulled, WriteTheReplacementForANulCharacter) {
  Record customer = bare_customer(1);
  customer.set("UserAgent", std::string("a\0b", 3));
  save({customer});
  EXPECT_THAT(column("user_agent", "survey_customer", "id"), ElementsAre(Value{"a\xEF\xBF\xBD"
                                                                               "b"}));
  EXPECT_EQ(save({customer}).changed, 0) << "and it is still the same record";
}

TEST_P(Pulled, DoNotRewriteWhatIsStoredAlready) {
  save({full_customer(1), full_customer(2)});
  const auto before = rows("survey_customer", "id");
  database.advance(1h);
  const Saved saved = save({full_customer(1), full_customer(2)});
  EXPECT_EQ(saved.changed, 0);
  EXPECT_EQ(saved.unchanged, 2);
  EXPECT_EQ(rows("survey_customer", "id"), before);
}

TEST_P(Pulled, RewriteOnlyWhatDiffers) {
  save({full_customer(1), full_customer(2)});
  const auto other = rows("survey_customer", "id").at(0);
  database.advance(1h);
  Record changed = full_customer(2);
  changed.set("UserAgent", std::string{"other"});
  const Saved saved = save({full_customer(1), changed});
  EXPECT_EQ(saved.changed, 1);
  EXPECT_EQ(saved.unchanged, 1);
  EXPECT_EQ(rows("survey_customer", "id").at(0), other);
  EXPECT_THAT(column("user_agent", "survey_customer", "id"),
              ElementsAre(testing::_, Value{"other"}));
}

TEST_P(Pulled, ReplaceTheChildrenOfAChangedRecord) {
  save({full_customer(1), full_customer(2)});
  Record changed = full_customer(1);
  changed.at("Answers").records.clear();
  changed.at("Data").records.pop_back();
  save({changed});
  EXPECT_THAT(column("customer_id", "survey_answer", "customer_id"),
              ElementsAre(Value{std::int64_t{2}}, Value{std::int64_t{2}}));
  EXPECT_EQ(count("survey_answer_file"), 1u);
  EXPECT_EQ(count("survey_customer_data"), 3u);
}

TEST_P(Pulled, TakeTheLastOfTwoRecordsWithOneKey) {
  Record later = full_customer(1);
  later.set("UserAgent", std::string{"later"});
  EXPECT_EQ(save({full_customer(1), bare_customer(2), later}).changed, 2);
  EXPECT_THAT(column("user_agent", "survey_customer", "id"),
              ElementsAre(Value{"later"}, Value{mapping::Null{}}));
}

TEST_P(Pulled, SaveAPageOfNothing) {
  const Saved saved = save({});
  EXPECT_EQ(saved.changed, 0);
  EXPECT_EQ(tables.load("customers", "LastActivityDate").cursor, "next");
}

TEST_P(Pulled, RefuseARecordWithoutAKeyAndStoreNothing) {
  Record nobody = bare_customer(1);
  nobody.set("Id", mapping::Null{});
  EXPECT_THROW(save({bare_customer(2), nobody}), std::invalid_argument);
  EXPECT_EQ(count("survey_customer"), 0u);
}

TEST_P(Pulled, StoreMoreRecordsThanAStatementTakesParameters) {
  std::vector<Record> many;
  for (int id = 1; id <= 1200; ++id)
    many.push_back(bare_customer(id));
  EXPECT_EQ(save(many).changed, 1200);
  EXPECT_EQ(save(many).unchanged, 1200);
}

TEST_P(Pulled, KeepWhereAWalkStands) {
  const StoredWalk none = tables.load("customers", "LastActivityDate");
  EXPECT_EQ(none.list, "customers");
  EXPECT_EQ(none.walk, "LastActivityDate");
  EXPECT_FALSE(none.window_from || none.window_to || none.watermark || none.finished_at);
  walk.window_from = database.time - 24h;
  walk.window_to = database.time + 1us;
  walk.cursor = "a+b/c=';:x";
  walk.watermark = database.time - 1h;
  walk.pages = 3;
  walk.restarts = 1;
  walk.ignored = "Statuses, IsOptout";
  save({});
  const StoredWalk stored = tables.load("customers", "LastActivityDate");
  EXPECT_EQ(stored.window_from, walk.window_from);
  EXPECT_EQ(stored.window_to, walk.window_to);
  EXPECT_EQ(stored.cursor, walk.cursor);
  EXPECT_EQ(stored.watermark, walk.watermark);
  EXPECT_EQ(stored.pages, 3);
  EXPECT_EQ(stored.restarts, 1);
  EXPECT_FALSE(stored.finished_at);
  EXPECT_EQ(stored.ignored, "Statuses, IsOptout");
  walk.ignored.clear();
  walk.window_from.reset();
  walk.cursor.clear();
  walk.finished_at = database.time;
  save({});
  EXPECT_FALSE(tables.load("customers", "LastActivityDate").window_from);
  EXPECT_EQ(tables.load("customers", "LastActivityDate").cursor, "");
  EXPECT_EQ(tables.load("customers", "LastActivityDate").finished_at, database.time);
  EXPECT_EQ(tables.load("customers", "LastActivityDate").ignored, "");
  EXPECT_FALSE(tables.load("ratings", "LastActivityDate").finished_at);
}

TEST_P(Pulled, WriteNothingOnceTheLeaseIsLost) {
  Leases leases(database);
  const auto lease = leases.take("pull:customers", "one", 30s);
  tables.save({bare_customer(1)}, walk, lease);
  EXPECT_EQ(count("survey_customer"), 1u);
  database.advance(31s);
  walk.cursor = "later";
  EXPECT_THROW(tables.save({bare_customer(2)}, walk, lease), LeaseLost);
  EXPECT_EQ(count("survey_customer"), 1u);
  EXPECT_EQ(tables.load("customers", "LastActivityDate").cursor, "next");
}

TEST_P(Pulled, HoldRatingsBouncersStatusesAndColumnsToo) {
  PullStore ratings(database, mapping::rating(), {});
  PullStore bouncers(database, mapping::bouncer(), {});
  PullStore statuses(database, mapping::status(), {});
  PullStore columns(database, mapping::data_column(), {});
  const auto all_of = [&](PullStore& target, const mapping::Resource& root) {
    const Record record = filled(root, 5);
    EXPECT_EQ(target.save({record}, walk, std::nullopt).changed, 1) << root.name;
    EXPECT_EQ(target.save({record}, walk, std::nullopt).unchanged, 1) << root.name;
    for (const auto& table : mapping::tables_of(root))
      EXPECT_GT(count(table.name), 0u);
  };
  all_of(ratings, mapping::rating());
  all_of(bouncers, mapping::bouncer());
  all_of(statuses, mapping::status());
  all_of(columns, mapping::data_column());
}

INSTANTIATE_TEST_SUITE_P(Databases, Pulled, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
