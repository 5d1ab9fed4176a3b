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

}  // namespace
