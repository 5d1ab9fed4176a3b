// The operator's own list of addresses: fast, however long it is.
#include "connectors/crm/source/blocklist.hpp"

#include <gmock/gmock.h>

#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

class BlocklistTests : public OnEveryDatabase {
 protected:
  // Addresses person0 to person99999; in MariaDB in a collation of the operator's own.
  void make_list(Database& database) {
    const bool mariadb = GetParam() == Server::mariadb;
    if (mariadb) database.execute({"SET max_recursive_iterations = 200000", {}});
    database.execute({std::string("CREATE TABLE do_not_mail (email varchar(99)") +
                          (mariadb ? " COLLATE utf8mb4_unicode_ci)" : ")"),
                      {}});
    const std::string address =
        mariadb ? "CONCAT('Person', i, '@example.test ')" : "'Person' || i || '@example.test '";
    database.execute(
        {"INSERT INTO do_not_mail WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT"
         " i + 1 FROM n WHERE i < 99999) SELECT " +
             address + " FROM n",
         {}});
  }
};

// A join with the list takes list × batch on MariaDB: a minute, or five.
TEST_P(BlocklistTests, AnswersForABatchInSecondsThoughTheListIsLong) {
  Database& database = open();
  make_list(database);
  std::vector<std::string> batch = {"person7@example.test", "PERSON99999@example.test"};
  for (int i = 0; i < 198; ++i)
    batch.push_back("other" + std::to_string(i) + "@example.test");
  const auto begun = std::chrono::steady_clock::now();
  const auto found = listed(database, "SELECT email FROM do_not_mail", batch);
  const auto taken = std::chrono::steady_clock::now() - begun;
  EXPECT_THAT(found,
              testing::UnorderedElementsAre("person7@example.test", "person99999@example.test"));
  EXPECT_LT(taken, std::chrono::seconds(10));
}

INSTANTIATE_TEST_SUITE_P(Databases, BlocklistTests, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
