// A bridge that nobody has started again.
#include <gmock/gmock.h>

#include "daemon/status/needs.hpp"
#include "tests/daemon/status/sample_status.hpp"

namespace surveybridge::daemon {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class DaemonAway : public testing::Test {
 protected:
  // Its pace was written down, and its walk finished, so long ago.
  void ran(Duration ago, std::optional<std::int64_t> swept_within) {
    report_.overview.paces.resize(1);
    auto& pace = report_.overview.paces[0];
    pace.seen_at = report_.overview.now - ago;
    pace.live_until = pace.seen_at + 100s;
    report_.overview.walks[0].finished_at = pace.seen_at;
    report_.waiting[0].swept->within = swept_within;
  }
  bool is_told() const { return need_of_daemon(report_).has_value(); }

  StatusReport report_ = sample_status::shop();
};

TEST_F(DaemonAway, IsToldAfterTwoDays) {
  ran(49h, 300);
  ASSERT_TRUE(is_told());
  EXPECT_THAT(need_of_daemon(report_)->what,
              HasSubstr("nothing has been sent or read since 2026-11-17T23:01:40Z, 2 days ago"));
  for (const auto& need : needs_of(report_))
    EXPECT_NE(need.kind, config::AlertKind::daemon) << "a daemon tells nobody that it is away";
  ran(47h, 300);
  EXPECT_FALSE(is_told());
}

TEST_F(DaemonAway, IsNotToldOfOneThatWaits) {
  ran(240h, 300);
  report_.overview.paces[0].seen_at = report_.overview.now - 20s;
  EXPECT_FALSE(is_told()) << "no list is read while the service has asked to wait";
  ran(240h, 300);
  report_.overview.leases = {{"instance:one", "one", 1, report_.overview.now + 1min}};
  EXPECT_FALSE(is_told()) << "a batch is on its way";
}

TEST_F(DaemonAway, IsToldLaterWhereSomebodyTypesSync) {
  ran(24h * 7, std::nullopt);
  EXPECT_FALSE(is_told());
  ran(24h * 9, std::nullopt);
  EXPECT_TRUE(is_told());
}

TEST_F(DaemonAway, IsNotToldBeforeAnythingHasRun) {
  report_.overview.paces.clear();
  report_.overview.walks.clear();
  EXPECT_FALSE(is_told());
}

}  // namespace
}  // namespace surveybridge::daemon
