// The tables are made, and no other ones are touched. Those of earlier versions become those of the
// present; those of a later one are refused.
#include "connectors/crm/schema/schema.hpp"

#include <thread>

#include <gmock/gmock.h>

#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/schema_version.hpp"
#include "mapping/tables/tables.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/forwarding_database.hpp"

namespace surveybridge::crm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct SqlServer : support::ForwardingDatabase {
  using ForwardingDatabase::ForwardingDatabase;
  Dialect dialect() const override { return Dialect::sqlserver; }
};

TEST(Schema, IsRefusedWhereTheDatabaseIsACrmOnly) {
  SqlServer database(open_database("sqlite3://:memory:"));
  EXPECT_THAT(error_of([&] { make_schema(database); }).what(),
              testing::HasSubstr("[store] must name another database"));
  EXPECT_FALSE(has_table(database, "survey_push")) << "`check` looks for tables in each CRM";
}

class SchemaTests : public OnEveryDatabase {
 protected:
  // By four sessions, which are `prepared` first.
  void make_by_many_at_once(const std::function<void(Database&)>& prepared = {}) {
    std::vector<std::thread> instances;
    std::vector<std::string> faults(4);
    for (auto& fault : faults) {
      instances.emplace_back([&fault, &prepared, &database = open()] {
        try {
          if (prepared) prepared(database);
          make_schema(database);
        } catch (const std::exception& error) {
          fault = error.what();
        }
      });
    }
    for (auto& instance : instances)
      instance.join();
    EXPECT_THAT(faults, testing::Each(testing::IsEmpty()));
  }
};

TEST_P(SchemaTests, HoldsEveryTableWithItsColumnsInOrder) {
  Database& database = open();
  make_schema(database);
  std::vector<Table> tables;
  for (const auto& own : bridge_tables())
    tables.push_back(own.table);
  for (const auto& pulled : mapping::tables_of(mapping::customer()))
    tables.push_back(pulled);
  for (const auto& table : tables) {
    const auto result = database.query({"SELECT * FROM " + table.name, {}});
    ASSERT_EQ(result.columns.size(), table.columns.size()) << table.name;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      EXPECT_EQ(result.columns[i].name, table.columns[i].name);
    }
  }
}

TEST_P(SchemaTests, MayBeMadeAgain) {
  Database& database = open();
  make_schema(database);
  run_statement(database,
                "INSERT INTO survey_lease (name, owner, fence, expires_at) VALUES ('a', 'b', 1,"
                " '2026-11-01 00:00:00')");
  make_schema(database);
  EXPECT_EQ(database.query({"SELECT * FROM survey_lease", {}}).rows.size(), 1u);
}

TEST_P(SchemaTests, MakesOnlyWhatIsMissing) {
  Database& database = open();
  make_schema(database);
  database.execute({"DROP TABLE survey_rating", {}});
  const std::string drop = std::string("DROP INDEX survey_push_by_batch") +
                           (speaks_mysql(GetParam()) ? " ON survey_push" : "");
  database.execute({drop, {}});
  make_schema(database);
  EXPECT_NO_THROW(database.query({"SELECT id FROM survey_rating", {}}));
  EXPECT_NO_THROW(database.execute({drop, {}}));
}

TEST_P(SchemaTests, AddsTheColumnsThatAnEarlierVersionLacked) {
  Database& database = open();
  database.execute({"CREATE TABLE survey_lease (name varchar(50) PRIMARY KEY)", {}});
  database.execute({"INSERT INTO survey_lease VALUES ('a')", {}});
  make_schema(database);
  make_schema(database);
  const auto result = database.query({"SELECT name, owner, fence FROM survey_lease", {}});
  EXPECT_EQ(result.rows.at(0).at(0), Value{"a"});
  EXPECT_EQ(result.rows.at(0).at(2), Value{mapping::Null{}});
}

TEST_P(SchemaTests, NeverTouchesATableThatSomebodyElseMade) {
  Database& database = open();
  run_statement(database,
                "CREATE TABLE survey_answer (id integer PRIMARY KEY, question varchar(50),"
                " answer varchar(50))");
  run_statement(database,
                "CREATE TABLE survey_customer (id integer PRIMARY KEY, email varchar(50))");
  EXPECT_THAT(foreign_tables(database),
              testing::UnorderedElementsAre("survey_answer", "survey_customer"));
  const auto error = error_of([&] { make_schema(database); });
  EXPECT_EQ(error.kind, DatabaseError::Kind::other);
  EXPECT_THAT(error.what(), testing::HasSubstr("\"survey_customer\""));
  EXPECT_EQ(database.query({"SELECT * FROM survey_answer", {}}).columns.size(), 3u);
  EXPECT_ANY_THROW(database.query({"SELECT 1 FROM survey_push", {}})) << "half of the tables";
}

TEST_P(SchemaTests, KnowsATableThatGotAColumnOfTheOperators) {
  Database& database = open();
  make_schema(database);
  EXPECT_THAT(foreign_tables(database), testing::IsEmpty());
  database.execute({"ALTER TABLE survey_status ADD COLUMN remark varchar(50)", {}});
  EXPECT_THAT(foreign_tables(database), testing::IsEmpty());
  EXPECT_NO_THROW(make_schema(database));
}

TEST_P(SchemaTests, NeedsNoRightToCreateWhatIsThere) {
  Database& database = open();
  make_schema(database);
  const char* of_server = speaks_mysql(GetParam()) ? "SET SESSION TRANSACTION READ ONLY"
                                                   : "SET default_transaction_read_only = on";
  database.execute({GetParam() == Server::sqlite ? "PRAGMA query_only = 1" : of_server, {}});
  EXPECT_NO_THROW(make_schema(database));
}

TEST_P(SchemaTests, MayBeMadeByManyAtOnce) {
  make_by_many_at_once();
}

// The functions of the test hide those of the server.
void see_ours_first(Database& session) {
  session.query(
      {"SELECT set_config('search_path', current_schema() || ', pg_catalog', false)", {}});
}

// As databases that speak PostgreSQL and have no advisory locks.
class SchemaWithoutAdvisoryLocks : public SchemaTests {};

TEST_P(SchemaWithoutAdvisoryLocks, MayBeMadeByManyAtOnce) {
  for (const char* function : {"pg_advisory_xact_lock", "pg_try_advisory_xact_lock"})
    run_statement(open(),
                  "CREATE FUNCTION " + std::string(function) +
                      "(integer, integer) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN RAISE"
                      " EXCEPTION 'there are no advisory locks' USING ERRCODE = '0A000'; END$$");
  make_by_many_at_once(see_ours_first);
  Database &one = open(), &two = open();
  see_ours_first(one);
  see_ours_first(two);
  two.execute({"SET lock_timeout = '50ms'", {}});
  const std::string lock = schema_lock(one);
  EXPECT_THAT(lock, testing::HasSubstr("survey_lease"));
  const Transaction first(one), second(two);
  lock_schema(one, lock);
  EXPECT_THROW(lock_schema(two, lock), DatabaseError) << "the row is locked";
}

INSTANTIATE_TEST_SUITE_P(Databases, SchemaTests, every_database(), server_name);
INSTANTIATE_TEST_SUITE_P(Postgresql, SchemaWithoutAdvisoryLocks,
                         testing::Values(Server::postgresql), server_name);

class SchemaOfMysql : public OnEveryDatabase {};

// Indexes of the older formats hold 767 bytes, and a server may make its tables of one of those.
TEST_P(SchemaOfMysql, NamesTheRowFormatThatHoldsItsKeys) {
  Database& database = open();
  make_schema(database);
  EXPECT_THAT(cells_in(database,
                       "SELECT table_name FROM information_schema.tables WHERE table_schema ="
                       " DATABASE() AND table_type = 'BASE TABLE' AND table_name LIKE 'survey%'"
                       " AND create_options NOT LIKE '%row_format=DYNAMIC%'"),
              IsEmpty());
}

// A new session of an administrator has no database.
TEST_P(SchemaOfMysql, NamesTheDatabaseOfATableThatIsGranted) {
  Database& database = open();
  const std::string own = "`" + text_in(cells_in(database, "SELECT DATABASE()").at(0)) + "`";
  EXPECT_THAT(grant_on_table(database, "SELECT, UPDATE", "orders"),
              testing::StartsWith("GRANT SELECT, UPDATE ON " + own + ".`orders` TO "));
  EXPECT_THAT(grant_on_table(database, "SELECT, UPDATE", "sales.orders"),
              testing::StartsWith("GRANT SELECT, UPDATE ON `sales`.`orders` TO "));
}

INSTANTIATE_TEST_SUITE_P(Databases, SchemaOfMysql, every_mysql(), server_name);

class SchemaVersions : public OnEveryDatabase {
 protected:
  // The tables of a version before the present one, which lack what `step_` has brought.
  void make_earlier() {
    make_schema(database);
    for (const auto& table : step_.tables)
      database.execute({"DROP TABLE " + quoted(database.dialect(), table), {}});
    for (const auto& [table, column] : step_.columns)
      database.execute({"ALTER TABLE " + quoted(database.dialect(), table) + " DROP COLUMN " +
                            quoted(database.dialect(), column),
                        {}});
    run_statement(database, R"(DELETE FROM "survey_seal" WHERE "name" = 'schema')");
    EXPECT_FALSE(is_present_version(database));
    EXPECT_THAT(missing_schema(database), testing::SizeIs(4));
  }
  const SchemaStep step_{kSchemaVersion,
                         {"survey_unwritten"},
                         {{"survey_batch", "service"}, {"survey_lease", "session"}},
                         {"survey_unwritten_by_reason"}};
  void say_version(const std::string& version) {
    run_statement(database, R"(UPDATE "survey_seal" SET "value" = {key} WHERE "name" = 'schema')",
                  {version});
  }
  Database& database = open();
};
INSTANTIATE_TEST_SUITE_P(Databases, SchemaVersions, every_dialect(), server_name);

// No two jobs of a first start make the row that each of them locks.
TEST_P(SchemaVersions, ComeWithTheRowThatCountsTheForgotten) {
  make_schema(database);
  EXPECT_THAT(database
                  .query({in_dialect(database.dialect(), R"(SELECT "value" FROM "survey_seal")"
                                                         R"( WHERE "name" = 'forgets')"),
                          {}})
                  .rows,
              testing::SizeIs(1));
}

TEST_P(SchemaVersions, AreReachedByTheStepsForAnAdministrator) {
  make_earlier();
  for (const auto& sql : schema_since(database.dialect(), kSchemaVersion - 1, {step_}))
    database.execute({sql, {}});
  EXPECT_THAT(missing_schema(database), IsEmpty());
  EXPECT_TRUE(is_present_version(database));
}

TEST_P(SchemaVersions, AreReachedByTheProgramItself) {
  make_earlier();
  make_schema(database);
  EXPECT_THAT(missing_schema(database), IsEmpty());
  EXPECT_TRUE(is_present_version(database));
}

TEST_P(SchemaVersions, ThatAreNewerAreRefused) {
  make_schema(database);
  const std::string next = std::to_string(kSchemaVersion + 1);
  for (const std::string& newer : {next, "1" + next, std::string("x"), std::string(20, '9')}) {
    say_version(newer);
    EXPECT_THROW(make_schema(database), RefusedTables) << newer;
    EXPECT_THROW(refuse_tables(database), RefusedTables) << newer;
    EXPECT_THROW(tables_to_read(database), RefusedTables) << newer;
  }
  say_version(next);
  EXPECT_THAT(error_of([&] { make_schema(database); }).what(),
              HasSubstr("(schema " + next + "), and this one knows schema " +
                        std::to_string(kSchemaVersion) + " only"));
}

TEST(SchemaSteps, EndAtThePresentVersion) {
  EXPECT_TRUE(schema_steps().empty() || schema_steps().back().version == kSchemaVersion);
  for (const Dialect dialect :
       {Dialect::postgresql, Dialect::mariadb, Dialect::mysql, Dialect::sqlite})
    EXPECT_THAT(schema_since(dialect, kSchemaVersion), IsEmpty());
}

}  // namespace
}  // namespace surveybridge::crm
