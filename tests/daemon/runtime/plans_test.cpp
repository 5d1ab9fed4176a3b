// No statement may read a whole table that grows: every statement that a daemon sends for pushes
// and pulls is recorded, and PostgreSQL is asked for its plan, with tables that are full.
#include <map>
#include <regex>

#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/pulled/write_queue.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/status/report.hpp"
#include "daemon/status/watch.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "tests/daemon/shop.hpp"
#include "tests/support/forwarding_database.hpp"
#include "tests/support/servers.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

using SeenStatements = std::map<std::string, std::vector<crm::Value>>;  // text, parameters

class Recording final : public support::ForwardingDatabase {
 public:
  Recording(std::unique_ptr<crm::Database> inner, SeenStatements& seen)
      : ForwardingDatabase(std::move(inner)), seen_(seen) {}

  crm::Result query(const crm::Statement& statement) override {
    seen_[statement.sql] = statement.parameters;
    return inner().query(statement);
  }
  std::int64_t execute(const crm::Statement& statement) override {
    seen_[statement.sql] = statement.parameters;
    return inner().execute(statement);
  }
  std::int64_t execute_each(const std::string& sql, const Rows& rows) override {
    if (!rows.empty()) seen_[sql] = rows.front();
    return inner().execute_each(sql, rows);
  }

 private:
  SeenStatements& seen_;
};

const char* const kFill[] = {
    "CREATE TABLE orders (id bigint PRIMARY KEY, email text, grade text, delivered_at timestamptz)",
    "CREATE INDEX orders_delivered_at ON orders (delivered_at)",
    "INSERT INTO orders SELECT i, 'p' || i || '@example.test', '5',"
    " CAST('2026-11-10T00:00:00Z' AS timestamptz) - (40000 - i) * interval '1 minute'"
    " FROM generate_series(1, 40000) AS i",
    // All but the last ten are in the ledger.
    "INSERT INTO survey_push (push, key, state, batch, customer_id, attempts, test, person, "
    "seen_at,"
    " changed_at) SELECT 'orders', CAST(id AS text), 'sent', 'b' || id / 100, id, 1, false,"
    " md5(email), delivered_at, delivered_at FROM orders WHERE id <= 39990",
    "INSERT INTO survey_push_event (push, key, at, state, batch) SELECT 'orders', key, seen_at,"
    " 'sent', batch FROM survey_push",
    "INSERT INTO survey_batch (id, push, owner, rows, sent_at, outcome, http_status, test,"
    " settled_at, service) SELECT 'b' || i, 'orders', 'another', 100, CAST('2026-11-10T00:00:00Z' "
    "AS"
    " timestamptz) - (20000 - i) * interval '1 hour', 'accepted', 200, false, now(), 'elsewhere'"
    " FROM generate_series(0, 20000) AS i",
    "INSERT INTO survey_person (person, kind, ref, at) SELECT md5(email), 'invited',"
    " CAST(id AS text), delivered_at FROM orders",
    "INSERT INTO survey_customer (id, email, digest, changed_at) SELECT id, email, 'x',"
    " delivered_at FROM orders",
    "ANALYZE",
};

// 40,000 customers that were pulled before, with what belongs to them.
const char* const kFillPulled[] = {
    "INSERT INTO survey_answer (customer_id, position, base_question_id, text) SELECT i, 1, 1200,"
    " 'words' FROM generate_series(1, 40000) AS i",
    "INSERT INTO survey_customer_data (customer_id, position, customer_data_column_id, value)"
    " SELECT i, 1, 1, CAST(i AS text) FROM generate_series(1, 40000) AS i",
    "INSERT INTO survey_invitation (customer_id, push, key, stage, opened, begun, finished, closed,"
    " bounced, opted_out, test, second_feedback, contact_requested) SELECT i, 'orders',"
    " CAST(i AS text), 'invited', 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM generate_series(1, 40000) AS i",
    "INSERT INTO survey_customer_history (customer_id, version, seen_at, stage, bounced, opted_out)"
    " SELECT i, n, now(), 'invited', 0, 0 FROM generate_series(1, 40000) AS i,"
    " generate_series(1, 10) AS n",
    "INSERT INTO survey_rating (id, digest, changed_at) SELECT i, 'x', now()"
    " FROM generate_series(1, 40000) AS i",
    "INSERT INTO survey_rating_match (rating_id) SELECT i FROM generate_series(1, 40000) AS i",
    "INSERT INTO survey_bouncer (id, digest, changed_at) SELECT md5(CAST(i AS text)), 'x', now()"
    " FROM generate_series(1, 40000) AS i",
    "INSERT INTO survey_bounce (bouncer_id, push, key, kind, test) SELECT md5(CAST(i AS text)),"
    " 'orders', CAST(i AS text), 'soft', 0 FROM generate_series(1, 40000) AS i",
    "ANALYZE",
};

class Plans : public in_process::Shop {
 protected:
  static std::string new_database() {
    auto& server = support::PostgresServer::shared();
    return server.native(server.create_database());
  }
  explicit Plans(sandbox::Options options = still()) : Shop(std::move(options), new_database()) {
    settings_.pushes.at(0).look_back = std::chrono::hours{24 * 365};
    settings_.pushes.at(0).start = {};
    sql("DROP TABLE orders");
    crm::make_schema(*crm_);
    for (const char* text : kFill)
      sql(text);
    outside_.wrap_database = [this](std::unique_ptr<crm::Database> inner) {
      return std::make_unique<Recording>(std::move(inner), seen_);
    };
  }

  // A push with a batch that is lost and looked up, one that is refused, and one that is answered.
  void live() {
    int posts = 0;
    outside_.on_exchange = [&](const service::Request& request, const auto& send) {
      if (request.method != "POST") return send();
      switch (++posts) {
        case 1:
          return in_process::lose_answers(request, send);
        case 2:
          return service::Exchange{service::Response{400, {}, "{}"}};
        default:
          return send();
      }
    };
    settings_.pushes.at(0).batch.size = 4;
    settings_.pushes.at(0).brake = true;
    settings_.pushes.at(0).settle = 1min;
    sql("INSERT INTO survey_brake (push, fingerprint, allowance, passed) VALUES ('orders', '" +
        daemon::fingerprint_of(settings_.pushes.at(0), settings_.crm.time_zone) + "', 8, 8)");
    in_process::Instance daemon(settings_, outside_, 7);
    daemon.run_until(clock_.now + 15min);
  }

  std::string plan(const std::string& text, const std::vector<crm::Value>& parameters) {
    std::string lines;
    for (const auto& row : crm_->query({"EXPLAIN " + text, parameters}).rows)
      lines += std::get<std::string>(row.front()) + "\n";
    return lines;
  }
  // SeenStatements that read a whole table that grows, each with its plan.
  std::vector<std::string> scans() {
    static const std::regex whole(
        "Seq Scan on (orders|survey_(push|push_event|batch|person|customer|customer_data"
        "|customer_history|answer|invitation|rating|rating_match|bouncer|bounce|write_queue))\\b");
    static const std::regex plannable("^\\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\\b");
    std::vector<std::string> scans;
    for (const auto& [text, parameters] : seen_) {
      if (!std::regex_search(text, plannable)) continue;
      if (allowed(text)) continue;
      const std::string lines = plan(text, parameters);
      if (std::regex_search(lines, whole)) scans.push_back(text + "\n" + lines);
    }
    return scans;
  }
  // Once an hour at most, and within a share of the time: rows without a date.
  // Every ten minutes at most: the count of the rows that no job moves, which is kept. What a CRM
  // that is away has not got yet, whose table is empty else.
  static bool allowed(const std::string& text) {
    const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
    return (has("isfinite") && has("DISTINCT")) || has("HAVING COUNT(*) >=") ||
           has("FROM \"survey_write_queue\" GROUP BY");
  }
  static std::string all(const std::vector<std::string>& texts) {
    std::string lines;
    for (const auto& text : texts)
      lines += text + "\n";
    return lines;
  }

  SeenStatements seen_;
};

TEST_F(Plans, OfAPushReadNoTableThatGrowsAsAWhole) {
  settings_.pulls.clear();
  live();
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push WHERE key > '39990' AND length(key) = 5"), 10)
      << "all of them were looked at";
  EXPECT_GT(seen_.size(), 40u);
  const auto found = scans();
  EXPECT_TRUE(found.empty()) << all(found);
  sql("DROP INDEX orders_delivered_at");
  EXPECT_FALSE(scans().empty()) << "the sweep needs it";
  sql("CREATE INDEX orders_delivered_at ON orders (delivered_at)");
  ASSERT_TRUE(scans().empty());
  sql("DROP INDEX survey_batch_by_time");
  sql("DROP INDEX survey_batch_by_outcome");
  EXPECT_FALSE(scans().empty()) << "the brake needs one of them";
}

TEST_F(Plans, OfAContactRuleReadNoTableThatGrowsAsAWhole) {
  settings_.pulls.clear();
  settings_.suppress = config::Suppress{};
  settings_.suppress->contact = {{.days = 90, .of = config::Suppress::Contact::Of::same}};
  live();
  const auto found = scans();
  EXPECT_TRUE(found.empty()) << all(found);
  sql("DROP INDEX survey_push_by_person");
  EXPECT_FALSE(scans().empty()) << "a person's transactions are found by it";
}

TEST_F(Plans, OfAStatusReadNoTableThatGrowsAsAWhole) {
  sql("UPDATE survey_batch SET outcome = 'unknown' WHERE id = 'b20000'");  // the latest one
  crm::renew_kept_counts(*crm_, 1);
  const auto database = outside_.wrap_database(crm::open_database(connection_));
  EXPECT_FALSE(daemon::report(settings_, *database, *database).overview.counts.empty());
  EXPECT_GT(seen_.size(), 20u);
  const auto found = scans();
  EXPECT_TRUE(found.empty()) << all(found);
  sql("DROP INDEX survey_push_by_batch");
  EXPECT_FALSE(scans().empty()) << "what became of a batch without an answer is found by it";
  sql("CREATE INDEX survey_push_by_batch ON survey_push (batch)");
  ASSERT_TRUE(scans().empty());
  sql("DELETE FROM survey_count");
  EXPECT_FALSE(daemon::report(settings_, *database, *database).overview.counts.empty());
  EXPECT_FALSE(scans().empty()) << "without a kept number all of them are counted";
}

TEST_F(Plans, OfTheStatusServerReadNoTableThatGrowsAsAWhole) {
  crm::renew_kept_counts(*crm_, 1);
  daemon::Environment environment;
  environment.uptime = [] { return daemon::Duration{0}; };
  environment.open_database = [this] {
    return outside_.wrap_database(crm::open_database(connection_));
  };
  daemon::StatusWatch watch(settings_, environment, [] { return daemon::DaemonState{}; });
  for (const char* path :
       {"/health", "/ready", "/metrics", "/", "/quarantine", "/doubts", "/suppressed"})
    EXPECT_EQ(watch.answer(path).status, 200) << path;
  EXPECT_GT(seen_.size(), 20u);
  const auto found = scans();
  EXPECT_TRUE(found.empty()) << all(found);
  sql("DROP INDEX survey_push_by_state");
  EXPECT_FALSE(scans().empty()) << "the lists need it";
}

// Customers whose state changes from one page to the next.
class PlansOfPulls : public Plans {
 protected:
  static sandbox::Options lively() {
    sandbox::Options options = still();
    options.lives_speed = 2000;
    return options;
  }
  PlansOfPulls() : Plans(lively()) {
    for (const char* text : kFillPulled)
      sql(text);
  }
};

TEST_F(PlansOfPulls, ReadNoTableThatGrowsAsAWhole) {
  settings_.pushes.at(0).brake = false;
  in_process::Instance daemon(settings_, outside_, 7);
  daemon.run_until(clock_.now + 40min);
  EXPECT_GE(
      number("SELECT COUNT(*) FROM survey_invitation WHERE seen_at IS NOT NULL OR finished = 1"), 1)
      << "new customers were pulled";
  EXPECT_GE(number("SELECT COUNT(*) FROM survey_customer_history WHERE stage <> 'invited'"), 1)
      << "a customer has changed";
  EXPECT_GT(seen_.size(), 80u);
  const auto found = scans();
  EXPECT_TRUE(found.empty()) << all(found);
  sql("DROP INDEX survey_invitation_by_key");
  sql("DROP INDEX survey_bounce_by_key");
  EXPECT_FALSE(scans().empty()) << "what belongs to a transaction is found by its key";
  seen_ = {{R"(SELECT "rating_id" FROM "survey_report_customer" WHERE "customer_id" = 17)", {}}};
  EXPECT_TRUE(scans().empty()) << all(scans());
  sql("DROP INDEX survey_rating_match_by_key");
  EXPECT_FALSE(scans().empty()) << "the view finds the ratings of a transaction by its key";
}

// With [store], while the CRM is away: what waits for it is read by its list.
TEST_F(Plans, OfWhatWaitsForTheCrmReadNoTableThatGrowsAsAWhole) {
  sql("INSERT INTO survey_write_queue (list, record, queued_at) SELECT CASE WHEN i <= 39990 THEN"
      " 'ratings' ELSE 'customers' END, CAST(i AS text), now() FROM generate_series(1, 40000) AS "
      "i");
  sql("ANALYZE survey_write_queue");
  const auto database = outside_.wrap_database(crm::open_database(connection_));
  crm::WriteQueue queue(*database, "customers");
  const auto next = queue.next(100);
  ASSERT_EQ(next.size(), 10u);
  EXPECT_EQ(next.front().record, "39991");
  queue.remove(next);
  const auto found = scans();
  EXPECT_TRUE(found.empty()) << all(found);
  sql("DROP INDEX survey_write_queue_by_list");
  EXPECT_FALSE(scans().empty()) << "the entries of a list are found by it";
}

}  // namespace
