// Notifications of a real PostgreSQL.
#include "connectors/crm/driver/notifications.hpp"

#include <gmock/gmock.h>
#include <poll.h>

#include "tests/crm/conformance.hpp"
#include "tests/support/servers.hpp"

namespace surveybridge::crm {
namespace {

using support::PostgresServer;
using testing::ElementsAre;
using testing::HasSubstr;

class NotificationTests : public testing::Test {
 protected:
  NotificationTests() : connection_(server_.native(database_)) {}
  // What has been notified, waiting for it.
  static std::vector<std::string> next(Notifications& notifications) {
    pollfd seen{notifications.descriptor(), POLLIN, 0};
    EXPECT_EQ(poll(&seen, 1, 60'000), 1) << "nothing came in a minute";
    return notifications.take();
  }
  void notify(const std::string& statements) const { server_.sql(database_, statements); }

  PostgresServer& server_ = PostgresServer::shared();
  std::string database_ = server_.create_database();
  std::string connection_;
};

TEST_F(NotificationTests, NameEachChannelOnce) {
  Notifications notifications(connection_, {"orders", "Order \"lines\""});
  EXPECT_THAT(notifications.take(), ElementsAre());
  notify(R"(BEGIN; NOTIFY orders, '1'; NOTIFY orders, '2'; NOTIFY other; COMMIT)");
  EXPECT_THAT(next(notifications), ElementsAre("orders"));
  notify(R"(NOTIFY "Order ""lines""")");
  EXPECT_THAT(next(notifications), ElementsAre("Order \"lines\""));
}

TEST_F(NotificationTests, EndWithTheirSession) {
  Notifications notifications(connection_, {"orders"});
  server_.sql(database_,
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              " WHERE query LIKE 'LISTEN%' AND datname = current_database()");
  const auto error = error_of([&] {
    for (;;)
      next(notifications);
  });
  EXPECT_EQ(error.kind, DatabaseError::Kind::connection);
}

TEST_F(NotificationTests, ShowNoPasswordWhereNobodyMayConnect) {
  const std::string text = "postgresql://host=127.0.0.1 port=" + std::to_string(server_.port()) +
                           " user=locked password=wr0ng! dbname=" + database_;
  const auto error = error_of([&] { Notifications(text, {"orders"}); });
  EXPECT_EQ(error.kind, DatabaseError::Kind::connection);
  EXPECT_THAT(error.what(), HasSubstr("locked"));
  EXPECT_THAT(error.what(), Not(HasSubstr("wr0ng")));
}

TEST_F(NotificationTests, AreOfPostgresqlAlone) {
  EXPECT_TRUE(can_notify(connection_));
  EXPECT_FALSE(can_notify("sqlite3:///var/lib/crm.db"));
  EXPECT_FALSE(can_notify("odbc://DSN=crm"));
  EXPECT_FALSE(can_notify("nonsense"));
}

}  // namespace
}  // namespace surveybridge::crm
