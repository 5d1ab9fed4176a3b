// `sample` and `quota` over a hundred thousand rows: they are judged, and written into a real
// ledger, many at a time. A whole push of so many would take too long here; shares_test.cpp has it.
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "connectors/crm/schema/schema.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

constexpr int kRows = 100'000;
constexpr int kBranchesOfMany = 100;

class SharesOfMany : public in_process::Shop {
 protected:
  enum class Until {
    settled,
    claimed,   // its answer never came: they may have gone out
    set_aside  // nothing is claimed
  };
  // How long the process lives that judges the rows from this one on.
  using Life = std::function<Until(int first)>;

  SharesOfMany() { crm::make_schema(*store_); }

  config::Push& push() { return settings_.pushes.at(0); }
  // Judges and sends the rows of [from, to) that the ledger lets go, a thousand at a time.
  void live(
      int from, int to, const Life& life = [](int) { return Until::settled; }) {
    constexpr int kAtOnce = 1000;
    for (int first = from; first < to; first += kAtOnce)
      judge(first, first + kAtOnce, life(first));
  }
  std::int64_t rows(const std::string& condition) {
    return number("SELECT COUNT(*) FROM survey_push WHERE " + condition);
  }
  // May have been mailed.
  std::int64_t gone() { return rows("state IN ('sent', 'claimed')"); }
  // So many of a share differ by chance, once in 16,000 times.
  static double chance(double of, double share) { return 4 * std::sqrt(of * share * (1 - share)); }

 private:
  void judge(int from, int to, Until until) {
    crm::Ledger ledger(*store_);
    std::vector<std::string> keys;
    for (int row = from; row < to; ++row)
      keys.push_back(std::to_string(row));
    std::vector<daemon::BatchItem> items;
    for (const auto& key : ledger.claimable("orders", keys))
      items.push_back({claim_of(key), mapping::Record(mapping::customer())});
    daemon::SuppressionCheck check(push(), settings_, [] { return daemon::Duration{0}; });
    // Rows that are behind others are judged anew once those are claimed.
    while (!items.empty()) {
      auto screened = check.rule(*store_, *store_, std::move(items), clock_.now);
      ledger.set_aside("orders", State::suppressed, screened.suppressed);
      if (until == Until::set_aside) return;
      send(ledger, screened.go, until);
      items.clear();
      for (const auto& key : screened.behind)
        items.push_back({claim_of(key), mapping::Record(mapping::customer())});
    }
  }

  crm::Claim claim_of(const std::string& key) {
    crm::Claim claim{key, "person" + key + "@example.test", clock_.now};
    claim.quota = "branch" + std::to_string(std::stoi(key) % kBranchesOfMany);
    return claim;
  }

  void send(crm::Ledger& ledger, const std::vector<daemon::BatchItem>& go, Until until) {
    if (go.empty()) return;
    std::vector<crm::Claim> claims;
    std::vector<crm::Ledger::Verdict> sent;
    for (const auto& item : go) {
      claims.push_back(item.claim);
      sent.push_back({item.claim.key, State::sent, ""});
    }
    const std::string batch = "batch" + std::to_string(++batches_);
    ledger.claim({.id = batch, .push = "orders", .owner = "daemon"}, claims);
    if (until == Until::settled)
      ledger.settle("orders", batch, {crm::Outcome::accepted, 200, ""}, sent);
  }

  std::unique_ptr<crm::Database> store_ =
      in_process::watched(crm::open_database(connection_), clock_, {});
  int batches_ = 0;
};

TEST_F(SharesOfMany, ARaisedShareAddsOnlyRowsThatAreNew) {
  push().sample = 0.2;
  live(0, kRows, [](int first) {
    return first % 3000 == 0      ? Until::claimed
           : first % 3000 == 1000 ? Until::set_aside
                                  : Until::settled;
  });
  EXPECT_GT(rows("state = 'claimed'"), 0);
  live(0, kRows);
  EXPECT_NEAR(static_cast<double>(gone()), kRows * 0.2, chance(kRows, 0.2));
  EXPECT_EQ(rows("state = 'suppressed' AND reason = 'not drawn (sample)'"), kRows - gone());
  const auto before = gone();
  push().sample = 0.6;
  live(0, kRows);
  EXPECT_EQ(gone(), before) << "the past";
  constexpr int kNew = kRows / 5;
  live(kRows, kRows + kNew);
  EXPECT_NEAR(static_cast<double>(gone() - before), kNew * 0.6, chance(kNew, 0.6));
  const auto after = gone();
  push().sample = 1;
  live(0, kRows + kNew);
  EXPECT_EQ(gone(), after);
}

TEST_F(SharesOfMany, AQuotaHoldsForEachBranchAcrossProcessesThatDie) {
  constexpr int kMost = 55;
  push().quota = {"grade", kMost, config::Push::Quota::Per::week};
  live(0, kRows, [](int first) { return first % 2000 == 0 ? Until::claimed : Until::set_aside; });
  EXPECT_EQ(rows("state = 'sent'"), 0);
  EXPECT_EQ(gone(), kBranchesOfMany * kMost) << "what a dead process has claimed counts";
  live(0, kRows);
  const std::string each =
      "SELECT COUNT(*) FROM (SELECT quota FROM survey_push WHERE state IN ('sent', 'claimed')"
      " GROUP BY quota HAVING COUNT(*) = ";
  EXPECT_EQ(number(each + std::to_string(kMost) + ")"), kBranchesOfMany);
  EXPECT_EQ(gone(), kBranchesOfMany * kMost);
  EXPECT_EQ(rows("state = 'suppressed'"), kRows - kBranchesOfMany * kMost);
  clock_.now += 24h * 7;
  constexpr int kNew = kRows / 10;
  live(0, kRows + kNew);
  EXPECT_EQ(number(each + std::to_string(2 * kMost) + ")"), kBranchesOfMany);
  EXPECT_EQ(gone(), 2 * kBranchesOfMany * kMost);
}

}  // namespace
