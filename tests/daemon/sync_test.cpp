// `sync` does everything that is due once. It waits for a service that is busy, and for nothing
// else.
#include "daemon/sync.hpp"

#include <gtest/gtest.h>

#include "connectors/crm/ledger.hpp"
#include "mapping/dates.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/whole/instance.hpp"

namespace {

using namespace surveybridge;
using crm::State;
using namespace std::chrono_literals;

constexpr daemon::TimePoint kBegin{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};

const char* const kConfiguration = R"(
[service]
base_url = "http://127.0.0.1:1"
[service.auth]
kind = "none"
[crm]
connection = "sqlite3:///unused"
[push.orders]
query = "SELECT id, email, delivered_at FROM orders"
key = "id"
when = "delivered_at"
start = 2026-11-01
correlate = "OrderNumber"
[push.orders.customer]
Email = "email"
[push.orders.customer.Data]
OrderNumber = "id"
)";

sandbox::Options slow_to_show() {
  sandbox::Options options;
  options.token.clear();
  options.lives_speed = 0;
  options.visible_after = 5min;
  return options;
}

class Sync : public testing::Test {
 protected:
  Sync() {
    crm_->execute(
        {"CREATE TABLE orders (id INTEGER PRIMARY KEY, email TEXT, delivered_at TEXT)", {}});
    crm_->execute(
        {"INSERT INTO orders VALUES (1, 'person@example.test', '2026-11-09T12:00:00Z')", {}});
  }

  // How long it waited, by the clock that it turns.
  daemon::Duration sync() {
    whole::Instance instance(settings_, outside_, 7, true);
    const daemon::TimePoint begun = clock_.now;
    const daemon::SyncClock clock{[this] { return clock_.now; },
                                  [this](daemon::TimePoint until) {
                                    clock_.now = std::max(clock_.now, until);
                                    return true;
                                  }};
    daemon::sync(instance.jobs(), clock, [](const auto&, const auto&) {});
    return clock_.now - begun;
  }

  State state() { return crm::Ledger(*crm_).find("orders", "1")->state; }

  support::TemporaryFolder folder_;
  std::string file_ = folder_.path() + "/crm.db";
  whole::TurnedClock clock_{kBegin};
  sandbox::Service service_{slow_to_show(), [this] { return clock_.now; }};
  config::Settings settings_ = whole::settings_of(kConfiguration);
  whole::Outside outside_{file_, service_, clock_};
  std::unique_ptr<crm::Database> crm_ = crm::open_database("sqlite3://" + file_);
};

TEST_F(Sync, DoesNotWaitForWhatStaysInDoubt) {
  outside_.on_exchange = [](const service::Request& request, const auto& send) {
    auto answer = send();
    if (request.method == "POST") answer = service::Failure{service::Failure::Kind::unknown, "", 0};
    return answer;
  };
  EXPECT_LT(sync(), 5s);
  EXPECT_EQ(state(), State::in_doubt);
  EXPECT_LT(sync(), 5s);
  EXPECT_EQ(state(), State::in_doubt);
  clock_.now += 6min;
  EXPECT_LT(sync(), 5s);
  EXPECT_EQ(state(), State::sent);
}

}  // namespace
