#include "connectors/crm/source/hidden_rows.hpp"

#include <gmock/gmock.h>

#include "tests/support/servers.hpp"

namespace surveybridge::crm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(HiddenRows, AreThoseOfTablesWhosePoliciesCountForTheAccount) {
  auto& server = support::PostgresServer::shared();
  const std::string name = server.create_database(), text = server.native(name);
  server.sql(name,
             "DO $$ BEGIN CREATE ROLE sees_some LOGIN; EXCEPTION WHEN duplicate_object THEN NULL;"
             " END $$; CREATE TABLE orders (id integer); CREATE TABLE blocked (mail text);"
             " ALTER TABLE blocked ENABLE ROW LEVEL SECURITY;"
             " GRANT SELECT ON ALL TABLES IN SCHEMA public TO sees_some");
  std::string limited = text;
  const std::string owner = "user=bridge";
  const auto one =
      open_database(limited.replace(limited.find(owner), owner.size(), "user=sees_some"));
  EXPECT_THAT(tables_that_hide_rows(*one, "SELECT b.mail FROM Blocked AS b"),
              ElementsAre("blocked"));
  EXPECT_THAT(tables_that_hide_rows(*one, "SELECT id FROM orders"), IsEmpty());
  EXPECT_THAT(tables_that_hide_rows(*open_database(text), "SELECT mail FROM blocked"), IsEmpty())
      << "an owner sees all";
  EXPECT_THAT(tables_that_hide_rows(*open_database("sqlite3://:memory:"), "SELECT 1"), IsEmpty());
}

}  // namespace
}  // namespace surveybridge::crm
