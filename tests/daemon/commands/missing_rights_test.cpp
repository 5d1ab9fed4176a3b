// What `check` says before the bridge's tables are there, where a CREATE TABLE cannot be taken
// back.
#include <gmock/gmock.h>

#include "daemon/commands/check_database.hpp"
#include "tests/support/mariadb_server.hpp"

namespace {

using namespace surveybridge;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(MissingRights, AreNotThoseOfAServerThatTakesNoTableOfOurs) {
  auto& server = support::MariadbServer::shared();
  const auto database = crm::open_database(server.odbc(server.create_database()));
  EXPECT_THAT(daemon::missing_rights(*database), IsEmpty());
  database->execute({"SET SESSION enforce_storage_engine = 'MyISAM'", {}});
  EXPECT_THAT(daemon::missing_rights(*database),
              ElementsAre(testing::AllOf(testing::StartsWith("the bridge's tables cannot be "
                                                             "created: "),
                                         testing::Not(testing::HasSubstr("GRANT")))));
  database->execute({"SET SESSION enforce_storage_engine = NULL", {}});
  EXPECT_THAT(daemon::missing_rights(*database), IsEmpty()) << "nothing is left of the trial";
}

// A replica, say.
TEST(MissingRights, AreNotThoseOfAServerThatOnlyReads) {
  auto& server = support::MariadbServer::shared();
  const std::string name = server.create_database(), owner = "UID=root";
  std::string connection = server.odbc(name);
  const auto root = crm::open_database(connection);
  root->execute({"CREATE USER may_all@localhost", {}});
  root->execute({"GRANT ALL ON " + name + ".* TO may_all@localhost", {}});
  const auto database =
      crm::open_database(connection.replace(connection.find(owner), owner.size(), "UID=may_all"));
  root->execute({"SET GLOBAL read_only = 1", {}});
  const auto missing = daemon::missing_rights(*database);
  root->execute({"SET GLOBAL read_only = 0", {}});
  EXPECT_THAT(missing, ElementsAre(testing::AllOf(testing::HasSubstr("the server is read-only"),
                                                  testing::Not(testing::HasSubstr("GRANT")))));
  EXPECT_THAT(daemon::missing_rights(*database), IsEmpty());
  root->execute({"DROP USER may_all@localhost", {}});
}

}  // namespace
