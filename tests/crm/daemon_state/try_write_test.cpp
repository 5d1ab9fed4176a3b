// What /ready asks: can the bridge's tables be written?
#include <gtest/gtest.h>

#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

class WriteTrials : public OnEveryDatabase {};
INSTANTIATE_TEST_SUITE_P(Databases, WriteTrials, every_database(), server_name);

TEST_P(WriteTrials, SucceedAndChangeNothing) {
  Database& database = open();
  make_schema(database);
  const auto count = [&] {
    return database
        .query({in_dialect(database.dialect(), R"(SELECT count(*) FROM "survey_lease")"), {}})
        .rows;
  };
  const auto before = count();
  try_write(database, true);
  EXPECT_EQ(count(), before);
  try_write(database, false);
}

// As on a standby.
TEST_P(WriteTrials, FailWhereTheDatabaseTakesNoWrites) {
  make_schema(open());
  const auto reader = open_database(connection(), kSessionZone, {.reads_only = true});
  EXPECT_THROW(try_write(*reader, true), DatabaseError);
}

class PostgresqlWriteTrials : public OnEveryDatabase {};
INSTANTIATE_TEST_SUITE_P(Databases, PostgresqlWriteTrials, every_postgresql(), server_name);

TEST_P(PostgresqlWriteTrials, FailWhereARightIsMissing) {
  Database& owner = open();
  make_schema(owner);
  owner.execute({"DROP ROLE IF EXISTS only_reads", {}});
  owner.execute({"CREATE ROLE only_reads", {}});
  owner.execute({"GRANT SELECT ON survey_lease TO only_reads", {}});
  Database& session = open();
  session.execute({"SET ROLE only_reads", {}});
  EXPECT_THROW(try_write(session, true), DatabaseError);
  session.execute({"RESET ROLE", {}});
  owner.execute({"DROP OWNED BY only_reads", {}});
  owner.execute({"DROP ROLE only_reads", {}});
}

}  // namespace
}  // namespace surveybridge::crm
