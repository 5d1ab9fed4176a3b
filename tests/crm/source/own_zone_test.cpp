// The zone of the server, though each session of the bridge has another one.
#include "connectors/crm/source/own_zone.hpp"

#include "connectors/crm/driver/connection_text.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/servers.hpp"

namespace surveybridge::crm {
namespace {

class OwnZones : public OnEveryDatabase {
 protected:
  // Of sessions that begin from now on; empty: as it was. MySQL may not know the names.
  void set_zone(const std::string& name, const std::string& offset) {
    const std::string zone = offset.empty() ? "SYSTEM" : offset;
    if (speaks_mysql(GetParam())) {
      open().execute({"SET GLOBAL time_zone = '" + zone + "'", {}});
    } else {
      support::PostgresServer::shared().sql(
          "postgres", name.empty() ? "ALTER ROLE bridge RESET ALL"
                                   : "ALTER ROLE bridge SET TIME ZONE '" + name + "'");
    }
  }
  std::optional<OwnZone> with_zone(const std::string& name, const std::string& offset) {
    set_zone(name, offset);
    auto found = own_zone(open());
    set_zone("", "");
    return found;
  }
};
INSTANTIATE_TEST_SUITE_P(Databases, OwnZones, every_server(), server_name);

TEST_P(OwnZones, AreThoseOfTheServerWhateverTheSessionsIs) {
  const bool mysql = speaks_mysql(GetParam());
  const auto east = with_zone("Asia/Kathmandu", "+05:45");
  ASSERT_TRUE(east);
  EXPECT_EQ(east->east, std::chrono::minutes(345));
  EXPECT_EQ(east->name, mysql ? "+05:45" : "Asia/Kathmandu");
  const auto west = with_zone("America/Phoenix", "-07:00");
  ASSERT_TRUE(west);
  EXPECT_EQ(west->east, std::chrono::minutes(-420));
}

TEST(OwnZone, IsNothingThatSqliteHas) {
  EXPECT_FALSE(own_zone(*open_database(kInMemory)));
}

}  // namespace
}  // namespace surveybridge::crm
