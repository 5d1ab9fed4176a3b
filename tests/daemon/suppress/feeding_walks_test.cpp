// Which walks must be fresh before anybody is mailed.
#include "daemon/suppress/suppression_check.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;

const char* const kPulls = R"(
[pull.customers]
from = 2026-11-01
[[pull.customers.walk]]
by = "OptedOutDate"
every = "1h"
[[pull.customers.walk]]
by = "SurveyFinishedDate"
every = "48h"
[[pull.customers.walk]]
by = "ReviewApprovedDate"
every = "1h"
[suppress]
)";

std::string walks(const std::string& suppress) {
  std::string text;
  for (const auto& walk : daemon::feeding_walks(in_process::settings_of(kPulls + suppress)))
    text += walk.by + " " + std::to_string(walk.stale_after / 1h) + " ";
  return text;
}

TEST(FeedingWalks, AreThePullsOwnAndThoseByADateThatARuleRestsOn) {
  EXPECT_EQ(walks("opted_out = true"), "LastActivityDate 24 OptedOutDate 24 ");
  EXPECT_EQ(walks("contact = { days = 30, since = \"answer\" }"),
            "LastActivityDate 24 SurveyFinishedDate 72 ")
      << "a walk of every two days may be two days older";
  EXPECT_EQ(walks("contact = { days = 30 }"), "") << "the ledger knows whom it invited";
}

class StuckWalk : public in_process::Shop {
 protected:
  StuckWalk() { pull_and_suppress(kPulls + std::string("opted_out = true")); }
};

TEST_F(StuckWalk, ByTheDateOfOptingOutStopsThePush) {
  in_process::Instance instance(settings_, outside_, ++seed_);
  instance.run_until(clock_.now + 2h);
  bool stuck = true;
  outside_.on_exchange = [&](const service::Request& request, const auto& send) {
    const bool by = request.url.find("OptedOutDateFilter") != std::string::npos;
    return stuck && by ? service::Exchange{service::Response{500, {}, ""}} : send();
  };
  in_process::Instance other(settings_, outside_, ++seed_);
  other.run_until(clock_.now + 26h);
  order("1");
  sql("UPDATE orders SET delivered_at = '2026-11-11T01:00:00Z'");
  other.run_until(clock_.now + 1h);
  EXPECT_EQ(service_.customers().size(), 0u);
  EXPECT_TRUE(other.log().has("the walk by OptedOutDate"));
  stuck = false;
  other.run_until(clock_.now + 3h);
  EXPECT_EQ(service_.customers().size(), 1u);
}

}  // namespace
