// Tables of earlier versions become those of the present; tables of a later one are refused.
#include "connectors/crm/schema/schema_version.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

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
