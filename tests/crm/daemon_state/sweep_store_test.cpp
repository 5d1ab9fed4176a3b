#include "connectors/crm/daemon_state/sweep_store.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using testing::ElementsAre;

class SweepStoreTests : public OnEveryDatabase {
 protected:
  SweepStoreTests() { make_schema(database); }
  static constexpr Instant kThen{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}};
  Database& database = open();
};

TEST_P(SweepStoreTests, KnowsTheLastSweepOfEachPush) {
  using namespace std::chrono_literals;
  const Swept first{"orders", kThen, kThen + 3s, 1000, std::nullopt};
  const Swept visits{"visits", kThen, kThen + 1s, 0, 60};
  store_sweep(database, first);
  store_sweep(database, visits);
  EXPECT_THAT(sweeps(database), ElementsAre(first, visits));
  const Swept next{"orders", kThen + 5min, kThen + 6min, 1001, 360};
  store_sweep(database, next);
  EXPECT_THAT(sweeps(database), ElementsAre(next, visits));
}

INSTANTIATE_TEST_SUITE_P(Databases, SweepStoreTests, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
