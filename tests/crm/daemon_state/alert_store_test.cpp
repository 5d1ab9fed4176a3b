#include "connectors/crm/daemon_state/alert_store.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

class AlertStoreTests : public OnEveryDatabase {
 protected:
  AlertStoreTests() { make_schema(database); }
  static constexpr Instant kSeen{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}};
  Database& database = open();
};

TEST_P(AlertStoreTests, KeepsWhatEachReceiverWasTold) {
  using testing::ElementsAre;
  AlertStore store(database);
  const Alert untold{"ops", "rows held orders", "2 held", "surveybridge doubt list", kSeen,
                     kSeen, std::nullopt};
  const Alert old{"ops", "brake orders", "the first run", "", kSeen, kSeen - std::chrono::hours{1},
                  kSeen};
  Alert others = untold;
  others.receiver = "chat";
  store.put({untold, old, others});
  EXPECT_THAT(store.of("ops"), ElementsAre(old, untold));
  Alert told = untold;
  told.told_at = told.seen_at = kSeen + std::chrono::minutes{2};
  store.put({told});
  EXPECT_THAT(store.of("ops"), ElementsAre(old, told));
  EXPECT_THAT(store.of("chat"), ElementsAre(others));
  store.remove_unseen_since(kSeen);
  EXPECT_THAT(store.of("ops"), ElementsAre(told));
  store.remove(told);
  EXPECT_THAT(store.of("ops"), testing::IsEmpty());
  EXPECT_THAT(store.of("chat"), ElementsAre(others));
}

INSTANTIATE_TEST_SUITE_P(Databases, AlertStoreTests, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
