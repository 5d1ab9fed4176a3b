// Old records are removed in slices, so that a step ends however many there are.
#include "connectors/crm/erasure/prune.hpp"

#include "connectors/crm/pulled/pull_store.hpp"
#include "tests/crm/ledgers.hpp"

namespace surveybridge::crm {
namespace {

class PruneTests : public Ledgers {
 protected:
  void store(int ratings) {
    std::vector<mapping::Record> records;
    for (std::int64_t id = 1; id <= ratings; ++id) {
      records.emplace_back(mapping::rating());
      records.back().set("Id", id);
      records.back().set("FinishedDate", kDate);
    }
    PullStore pulled(database, mapping::rating(), {});
    pulled.save(records, pulled.load("ratings", "FinishedDate"), std::nullopt);
  }
  std::int64_t prune_before(Instant before) {
    return prune(database, mapping::rating(), "FinishedDate", before, 1);
  }
};

TEST_P(PruneTests, EndAfterAFullTransactionOnceEnoughIsRemoved) {
  store(600);
  EXPECT_EQ(prune_before(kDate), 0);
  EXPECT_EQ(prune_before(kDate + std::chrono::hours{1}), 500);
  EXPECT_EQ(prune_before(kDate + std::chrono::hours{1}), 100);
  EXPECT_EQ(prune_before(kDate + std::chrono::hours{1}), 0);
}

INSTANTIATE_TEST_SUITE_P(Databases, PruneTests, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
