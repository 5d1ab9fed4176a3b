// Tables of earlier versions become those of the present; tables of a later one are refused.
#include "connectors/crm/schema/schema_version.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/paths.hpp"

namespace surveybridge::crm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The statements of tests/crm/older, each ended by a semicolon. Version 4 has the tables of 3.
std::vector<std::string> tables_of_version(int version, Dialect dialect) {
  version = std::min(version, 3);
  const std::string text = support::read_file(support::source_dir() + "/tests/crm/older/schema_" +
                                              std::to_string(version) + "." +
                                              std::string(traits(dialect).name) + ".sql");
  std::vector<std::string> statements;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find(';', at);
    if (end == std::string::npos) break;
    statements.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return statements;
}

class SchemaVersions : public OnEveryDatabase {
 protected:
  void make_version(int version) {
    for (const auto& sql : tables_of_version(version, database.dialect()))
      database.execute({sql, {}});
    if (version == 0) return;  // it told no version
    database.execute({in_dialect(database.dialect(), R"(INSERT INTO "survey_seal")"
                                                     R"( ("name", "value") VALUES ({key}, {key}))"),
                      {"schema", std::to_string(version)}});
  }
  void expect_steps_since(int version) {
    make_version(version);
    EXPECT_FALSE(is_present_version(database));
    for (const auto& sql : schema_since(database.dialect(), version))
      database.execute({sql, {}});
    EXPECT_THAT(missing_schema(database), IsEmpty());
    EXPECT_TRUE(is_present_version(database));
  }
  void say_version(const std::string& version) {
    database.execute(
        {in_dialect(database.dialect(),
                    R"(UPDATE "survey_seal" SET "value" = {key} WHERE "name" = 'schema')"),
         {version}});
  }
  Database& database = open();
};
INSTANTIATE_TEST_SUITE_P(Databases, SchemaVersions, every_database(), server_name);

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
  expect_steps_since(0);
}

TEST_P(SchemaVersions, AreReachedByTheStepsSinceTheFirst) {
  expect_steps_since(1);
}

TEST_P(SchemaVersions, AreReachedByTheStepsSinceTheSecond) {
  expect_steps_since(2);
}

TEST_P(SchemaVersions, AreReachedByTheStepsSinceTheThird) {
  expect_steps_since(3);
}

TEST_P(SchemaVersions, AreReachedByTheStepsSinceTheFourth) {
  expect_steps_since(4);
}

TEST_P(SchemaVersions, AreReachedByTheProgramItself) {
  make_version(0);
  make_schema(database);
  EXPECT_THAT(missing_schema(database), IsEmpty());
  EXPECT_TRUE(is_present_version(database));
}

TEST_P(SchemaVersions, AreReachedByTheProgramItselfSinceTheFirst) {
  make_version(1);
  make_schema(database);
  EXPECT_THAT(missing_schema(database), IsEmpty());
  EXPECT_TRUE(is_present_version(database));
}

TEST_P(SchemaVersions, ThatAreNewerAreRefused) {
  make_schema(database);
  for (const char* newer : {"6", "10", "x", "99999999999999999999"}) {
    say_version(newer);
    EXPECT_THROW(make_schema(database), RefusedTables) << newer;
    EXPECT_THROW(refuse_tables(database), RefusedTables) << newer;
    EXPECT_THROW(tables_to_read(database), RefusedTables) << newer;
  }
  say_version("6");
  try {
    make_schema(database);
  } catch (const RefusedTables& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("(schema 6), and this one knows schema 5 only"));
  }
}

TEST(SchemaSteps, EndAtThePresentVersion) {
  EXPECT_EQ(schema_steps().back().version, kSchemaVersion);
  for (const Dialect dialect : all_dialects())
    EXPECT_THAT(schema_since(dialect, kSchemaVersion), IsEmpty());
}

}  // namespace
}  // namespace surveybridge::crm
