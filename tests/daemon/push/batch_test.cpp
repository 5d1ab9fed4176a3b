// A batch keeps one customer for each claimed transaction.
#include "daemon/push/batch.hpp"

#include "mapping/interface/resource.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using BatchOfAShop = in_process::Shop;

daemon::BatchItem item_of(const std::string& key) {
  return {{key, key + "@example.test", {}, ""}, mapping::Record(mapping::customer())};
}

TEST_F(BatchOfAShop, SendsARowThatWasReadTwiceOnce) {
  sync();  // makes the tables
  crm::Ledger ledger(*crm_);
  daemon::Batch batch;
  batch.items.push_back(item_of("1"));
  batch.items.push_back(item_of("1"));
  batch.items.push_back(item_of("2"));
  batch.begin_claim(ledger, "orders", "b");
  batch.confirm({"1", "2"});
  EXPECT_EQ(daemon::keys_of(batch.items), (std::vector<std::string>{"1", "2"}));
}

}  // namespace
