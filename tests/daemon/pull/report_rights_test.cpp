// A role that lacks rights on the tables for reports: the pull goes on, the log says it once, and
// what came in the meantime is made up for soon after the right is granted, without a new start.
// (MariaDB does not even list a table on which a role has no right: no daemon starts there.)
#include <algorithm>

#include "connectors/crm/schema/report_tables.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "mapping/tables/tables.hpp"
#include "tests/daemon/shop.hpp"
#include "tests/support/database_server.hpp"
#include "tests/support/mariadb_server.hpp"
#include "tests/support/servers.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using Server = support::DatabaseServer;

struct Case {
  Server server;
  bool reads;  // the tables for reports
};

std::string new_database(Server server) {
  if (speaks_mysql(server)) {
    auto& mariadb = support::MariadbServer::shared();
    return mariadb.odbc(mariadb.create_database());
  }
  auto& postgres = support::PostgresServer::shared();
  return postgres.native(postgres.create_database());
}

class RightsOfReports : public in_process::Shop, public testing::WithParamInterface<Case> {
 protected:
  RightsOfReports() : Shop(still(), new_database(GetParam().server)) {
    query("SELECT id, email, TIMESTAMP '2026-11-09 12:00:00' AS delivered_at FROM orders");
  }
  ~RightsOfReports() override {
    if (!made_) return;
    if (is_mariadb()) {
      sql("DROP USER halfway@localhost");
    } else {
      sql("DROP OWNED BY halfway");
      sql("DROP ROLE halfway");
    }
  }

  static bool is_mariadb() { return speaks_mysql(GetParam().server); }
  bool made_ = false;  // the role

  // With the views.
  std::vector<std::string> tables() {
    const std::string here = is_mariadb() ? "DATABASE()" : "'public'";
    std::vector<std::string> names;
    for (const auto& row :
         crm_->query(
                 {"SELECT table_name FROM information_schema.tables WHERE table_schema = " + here,
                  {}})
             .rows)
      names.push_back(std::get<std::string>(row.at(0)));
    return names;
  }
  static bool is_of_reports(const std::string& name) {
    return name.starts_with("survey_report_") ||
           std::ranges::any_of(crm::report_tables(),
                               [&](auto* each) { return each->name == name; });
  }
  // A connection of the role, which may do everything with all other tables.
  std::string halfway() {
    const std::string role = is_mariadb() ? "halfway@localhost" : "halfway";
    sql(is_mariadb() ? "CREATE USER " + role : "CREATE ROLE halfway LOGIN");
    made_ = true;
    for (const auto& name : tables()) {
      if (is_of_reports(name) && !GetParam().reads) continue;
      sql("GRANT SELECT" + std::string(is_of_reports(name) ? "" : ", INSERT, UPDATE, DELETE") +
          " ON " + name + " TO " + role);
    }
    std::string connection = connection_;
    const std::string owner = is_mariadb() ? "UID=root" : "user=bridge";
    const auto at = connection.find(owner);
    EXPECT_NE(at, std::string::npos) << connection;
    return connection.replace(at, owner.size(), is_mariadb() ? "UID=halfway" : "user=halfway");
  }
  void grant() {
    if (!is_mariadb()) return sql("GRANT bridge TO halfway");
    // Rights on a whole database count for new sessions only.
    for (const auto& name : tables())
      if (is_of_reports(name)) sql("GRANT ALL ON " + name + " TO halfway@localhost");
  }
  static std::ptrdiff_t said(in_process::Instance& daemon, const std::string& words) {
    return std::ranges::count_if(daemon.log().lines(), [&](const std::string& line) {
      return line.find(words) != std::string::npos;
    });
  }
};

TEST_P(RightsOfReports, ThatComeAreNoticedByADaemonThatRuns) {
  order("1");
  {
    in_process::Instance owner(settings_, outside_, ++seed_);
    owner.run_until(clock_.now + 2h);
    owner.leave();
  }
  ASSERT_EQ(number("SELECT COUNT(*) FROM survey_report_customer"), 1);
  outside_.database = halfway();
  in_process::Instance daemon(settings_, outside_, ++seed_);
  order("2");
  daemon.run_until(clock_.now + 2h);
  order("3");
  daemon.run_until(clock_.now + 2h);
  const std::string refused = "the tables and views for reports cannot be kept up to date",
                    again = "the tables and views for reports are kept up to date again";
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_customer"), 3) << "the pull goes on";
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_invitation"), 1);
  const auto told = said(daemon, refused);
  EXPECT_GE(told, 1);
  EXPECT_LE(told, 2) << "once for each list";
  EXPECT_EQ(said(daemon, again), 0);
  grant();
  daemon.run_until(clock_.now + 11min);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_report_customer"), 3);
  EXPECT_EQ(said(daemon, again), told);
  order("4");
  daemon.run_until(clock_.now + 2h);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_report_customer"), 4);
  EXPECT_EQ(said(daemon, refused), told);
  for (const auto& line : daemon.log().lines())
    if (line.find("survey_") != std::string::npos && line.find(refused) == std::string::npos)
      ADD_FAILURE() << line;
}

INSTANTIATE_TEST_SUITE_P(Roles, RightsOfReports,
                         testing::Values(Case{Server::postgresql, true},
                                         Case{Server::postgresql, false},
                                         Case{Server::mariadb, true}),
                         [](const auto& test) {
                           return std::string(speaks_mysql(test.param.server) ? "mariadb"
                                                                              : "postgresql") +
                                  (test.param.reads ? "_that_reads" : "_without");
                         });

}  // namespace
