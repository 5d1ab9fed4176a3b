// Commands as an operator types them, in process: they read a configuration file, SQLite and the
// stand-in over a socket. A test may act in the middle of a request, as somebody else.
#include <cstdio>
#include <filesystem>
#include <functional>
#include <mutex>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/commands/commands.hpp"
#include "http/server.hpp"
#include "mapping/values/dates.hpp"
#include "sandbox/service.hpp"
#include "tests/in_process/virtual_world.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;
using crm::State;
using testing::HasSubstr;

class Typed : public testing::Test {
 protected:
  Typed() {
    crm_->execute({"CREATE TABLE orders (id TEXT, email TEXT, delivered_at TEXT)", {}});
    crm::make_schema(*crm_);
  }

  // `push`: lines of [push.orders]; `more`: further sections.
  void write(const std::string& push, const std::string& more = "") {
    typed_.config =
        folder_.write("bridge.toml", fmt::format(R"([service]
base_url = "http://127.0.0.1:{}"
[service.auth]
kind = "none"
[service.pace]
max_per_second = 1000
[crm]
connection = "{}"
time_zone = "Europe/Amsterdam"
[push.orders]
brake = false
query = "SELECT id, email, delivered_at FROM orders"
key = "id"
when = "delivered_at"
start = 2020-01-01
correlate = "OrderNumber"
{}
[push.orders.batch]
ApproveAutomatically = true
[push.orders.customer]
Email = "email"
[push.orders.customer.Data]
OrderNumber = "id"
{}
)",
                                                 server_.port(), connection_, push, more));
  }
  void order(const std::string& id) {
    crm_->execute({"INSERT INTO orders VALUES (:p1, :p2, :p3)",
                   {id, id + "@example.test", mapping::write_instant(begin_ - 24h)}});
  }

  struct Told {
    daemon::ExitCode code;
    std::string out, err;
  };
  Told type(daemon::ExitCode (*command)(const daemon::Invocation&)) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const auto code = command(typed_);
    std::fflush(stdout);
    return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
  }

  // An hour ago.
  std::unique_ptr<crm::Database> earlier() {
    return in_process::watched(crm::open_database(connection_), clock_, {});
  }

  static sandbox::Options still() {
    sandbox::Options options;
    options.token.clear();
    options.lives_speed = 0;
    return options;
  }
  sandbox::Reply answer(const sandbox::Request& request) {
    const std::lock_guard lock(mutex_);
    auto reply = service_.handle(request);
    if (after_) after_(request);
    return reply;
  }

  support::TemporaryFolder folder_;
  std::string connection_ = "sqlite3://" + folder_.path() + "/crm.db";
  std::unique_ptr<crm::Database> crm_ = crm::open_database(connection_);
  const crm::Instant begin_ = crm_->now();
  in_process::TurnedClock clock_{begin_ - 1h};
  daemon::Invocation typed_;
  std::mutex mutex_;
  // Called before the service's answer to a request arrives.
  std::function<void(const sandbox::Request&)> after_;
  sandbox::Service service_{still(), [this] { return begin_; }};
  http::Server server_{{}, [this](const sandbox::Request& request) { return answer(request); }};
};

// The service has been asked for K1, and does not have it, when somebody else sends it again and
// that answer is lost, too.
class StaleResend : public Typed {
 protected:
  StaleResend() {
    write("");
    order("K0");
    EXPECT_EQ(type(daemon::command_sync).code, daemon::kDone);
    const auto database = earlier();
    crm::Ledger ledger(*database);
    ledger.claim({"b1", "orders", "one"}, {{"K1", "", clock_.now}});
    lose(ledger, "b1");
    typed_.rows.action = "resend";
    after_ = [this](const sandbox::Request& request) {
      if (is_sent_again_ || request.target.find("K1") == std::string::npos) return;
      is_sent_again_ = true;
      send_again();
    };
  }

  static void lose(crm::Ledger& ledger, const std::string& batch) {
    ledger.settle("orders", batch, {crm::Outcome::unknown, 0, ""}, {{"K1", State::held, "lost"}});
  }
  void send_again() const {
    const auto database = crm::open_database(connection_);
    crm::Ledger ledger(*database);
    EXPECT_EQ(ledger.decide("orders", State::pending, {"K1"}, "by somebody else"), 1);
    EXPECT_EQ(ledger.claim({"b2", "orders", "two"}, {{"K1", "", begin_}}).size(), 1u);
    lose(ledger, "b2");
  }
  void expect_held() {
    EXPECT_TRUE(is_sent_again_) << "the service was asked";
    const auto entry = crm::Ledger(*crm_).find("orders", "K1").value();
    EXPECT_EQ(entry.state, State::held);
    EXPECT_EQ(entry.batch, "b2");
  }

  bool is_sent_again_ = false;
};

TEST_F(StaleResend, OfANamedRowDoesNotSendWhatHasGoneOutMeanwhile) {
  typed_.keys = {"K1"};
  const auto told = type(daemon::command_rows);
  EXPECT_EQ(told.code, daemon::kNeedsPerson);
  EXPECT_THAT(told.err, HasSubstr("K1: came to be held just now: type it again"));
  expect_held();
}

TEST_F(StaleResend, OfDescribedRowsDoesNotSendWhatHasGoneOutMeanwhile) {
  typed_.rows.all = true;
  const auto told = type(daemon::command_rows);
  EXPECT_EQ(told.code, daemon::kNeedsPerson);
  EXPECT_THAT(told.out, HasSubstr("orders  0 rows  resend"));
  EXPECT_THAT(told.err,
              HasSubstr("orders: 1 row left alone, because it was changed meanwhile; type "
                        "it again for what is held"));
  expect_held();
}

TEST_F(StaleResend, SendsWhatNobodyHasSentMeanwhile) {
  after_ = {};
  typed_.keys = {"K1"};
  EXPECT_EQ(type(daemon::command_rows).code, daemon::kDone);
  EXPECT_EQ(crm::Ledger(*crm_).find("orders", "K1")->state, State::pending);
}

TEST_F(Typed, PreviewSaysUntilWhenAPushIsClosed) {
  using std::chrono::days;
  const auto today = std::chrono::floor<days>(mapping::to_zone(begin_, "Europe/Amsterdam"));
  const auto date = [&](int later) {
    return mapping::write_local(today + days{later}).substr(0, 10);
  };
  order("1");
  write(fmt::format("closed = [{}, {}]\nsend_window = \"07:30-20:00\"", date(0), date(1)));
  const std::string why =
      "not before " + date(2) + " 07:30:00 in Europe/Amsterdam (send_window, send_days and closed)";
  EXPECT_THAT(type(daemon::command_preview).out,
              HasSubstr("push.orders: nothing goes out yet: " + why + "\n"));
  typed_.json = true;
  EXPECT_THAT(type(daemon::command_preview).out, HasSubstr("\"" + why + "\""));
  write("");
  EXPECT_THAT(type(daemon::command_preview).out, HasSubstr("\"reason\":null,\"without_key\""));
}

TEST_F(Typed, ReleaseSaysWhereItsNumberIsAnEstimate) {
  const auto estimate = HasSubstr("this is an estimate: people are drawn (sample_by)");
  order("1");
  typed_.name = "orders";
  write("sample = 0.5\nsample_by = \"person\"");
  EXPECT_THAT(type(daemon::command_release).out, estimate);
  write("sample = 0.5");
  EXPECT_THAT(type(daemon::command_release).out, testing::Not(estimate));
}

TEST_F(Typed, SyncNeedsAPersonWhereStatusDoes) {
  crm_->execute({"CREATE TABLE blocked (who TEXT)", {}});
  crm_->execute({"INSERT INTO blocked VALUES ('ann@example.test'), ('bob at example.test')", {}});
  write("", "[suppress]\nquery = \"SELECT who FROM blocked\"");
  order("1");
  const auto told = type(daemon::command_sync);
  EXPECT_EQ(told.code, daemon::kNeedsPerson);
  EXPECT_THAT(told.out, HasSubstr("[suppress] query: 1 value cannot be read"));
  EXPECT_EQ(crm::Ledger(*crm_).find("orders", "1")->state, State::sent);
  EXPECT_EQ(type(daemon::command_status).code, daemon::kNeedsPerson);
  crm_->execute({"DELETE FROM blocked WHERE who LIKE 'bob%'", {}});
  order("2");
  EXPECT_EQ(type(daemon::command_sync).code, daemon::kDone);
}

TEST_F(Typed, SyncCountsTheLedgerThoughACrmOfItsOwnIsAway) {
  write("", "[store]\nconnection = \"sqlite3://" + folder_.path() + "/store.db\"");
  order("1");
  EXPECT_EQ(type(daemon::command_sync).code, daemon::kDone);
  std::filesystem::rename(folder_.path() + "/crm.db", folder_.path() + "/away.db");
  typed_.names = {"pull"};
  const auto told = type(daemon::command_sync);
  EXPECT_EQ(told.code, daemon::kDone) << told.err;
  EXPECT_THAT(told.out, testing::ContainsRegex("ledger.orders +1 sent"));
}

}  // namespace
