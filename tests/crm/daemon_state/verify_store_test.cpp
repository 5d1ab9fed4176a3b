#include "connectors/crm/daemon_state/verify_store.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class VerifyStoreTests : public OnEveryDatabase {
 protected:
  VerifyStoreTests() { make_schema(database); }
  static constexpr Instant kThen{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}};
  Database& database = open();
};

TEST_P(VerifyStoreTests, KnowsTheLastResultOfEachPush) {
  EXPECT_THAT(verify_results(database), IsEmpty());
  const Verified orders{"orders", kThen, 40, 1, 3, "2 rows have no key"},
      visits{"visits", kThen, 0, 0, std::nullopt};
  store_verify_result(database, orders);
  store_verify_result(database, visits);
  EXPECT_THAT(verify_results(database), ElementsAre(orders, visits));
  const Verified later{"orders", kThen + std::chrono::hours{1}, 41, 0, 0};
  store_verify_result(database, later);
  EXPECT_THAT(verify_results(database), ElementsAre(later, visits));
}

INSTANTIATE_TEST_SUITE_P(Databases, VerifyStoreTests, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
