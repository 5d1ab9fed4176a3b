// No statement may read a whole table that grows: every statement that a daemon sends for pushes
// and pulls is recorded, and the database is asked for its plan, with tables that are full.
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/pulled/write_queue.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/status/report.hpp"
#include "daemon/status/watch.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "tests/daemon/shop.hpp"
#include "tests/support/forwarding_database.hpp"
#include "tests/support/mariadb_server.hpp"
#include "tests/support/servers.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

// The session of the status server runs in a thread of its own, which may outlive its server, and
// the test.
class SeenStatements {
 public:
  using Statements = std::map<std::string, std::vector<crm::Value>>;  // text, parameters
  void see(const std::string& sql, const std::vector<crm::Value>& parameters) {
    const std::scoped_lock lock(mutex_);
    all_[sql] = parameters;
  }
  void set(Statements all) {
    const std::scoped_lock lock(mutex_);
    all_ = std::move(all);
  }
  Statements all() const {
    const std::scoped_lock lock(mutex_);
    return all_;
  }
  std::size_t size() const { return all().size(); }

 private:
  mutable std::mutex mutex_;
  Statements all_;
};

class Recording final : public support::ForwardingDatabase {
 public:
  Recording(std::unique_ptr<crm::Database> inner, std::shared_ptr<SeenStatements> seen)
      : ForwardingDatabase(std::move(inner)), seen_(std::move(seen)) {}

  crm::Result query(const crm::Statement& statement) override {
    seen_->see(statement.sql, statement.parameters);
    return inner().query(statement);
  }
  std::int64_t execute(const crm::Statement& statement) override {
    seen_->see(statement.sql, statement.parameters);
    return inner().execute(statement);
  }
  std::int64_t execute_each(const std::string& sql, const Rows& rows) override {
    if (!rows.empty()) seen_->see(sql, rows.front());
    return inner().execute_each(sql, rows);
  }

 private:
  std::shared_ptr<SeenStatements> seen_;
};

enum class Kind { postgresql, mariadb, sqlite };

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
    "INSERT INTO survey_invitation (customer_id, push, key, stage, opened, begun, finished, closed,"
    " bounced, opted_out, test, second_feedback, contact_requested) SELECT i, 'orders',"
    " CAST(i AS text), 'invited', 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM generate_series(1, 39990) AS i",
    "ANALYZE",
};

// 40,000 customers that were pulled before, with what belongs to them.
const char* const kFillPulled[] = {
    "INSERT INTO survey_answer (customer_id, position, base_question_id, text) SELECT i, 1, 1200,"
    " 'words' FROM generate_series(1, 40000) AS i",
    "INSERT INTO survey_customer_data (customer_id, position, customer_data_column_id, value)"
    " SELECT i, 1, 1, CAST(i AS text) FROM generate_series(1, 40000) AS i",
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

// How MariaDB and SQLite write what the rows are made of.
class Words {
 public:
  explicit Words(Kind kind) : kind_(kind) {}
  bool mariadb() const { return kind_ == Kind::mariadb; }
  // A table with the numbers from `first` to `last` as "i".
  std::string numbers(int first, int last) const {
    if (mariadb()) return fmt::format("(SELECT seq AS i FROM seq_{}_to_{}) AS n", first, last);
    return fmt::format(
        "(WITH RECURSIVE c(i) AS (SELECT {} UNION ALL SELECT i + 1 FROM c WHERE i < {})"
        " SELECT i FROM c) AS n",
        first, last);
  }
  std::string text(const std::string& prefix, const std::string& number) const {
    if (mariadb()) return fmt::format("CONCAT('{}', {})", prefix, number);
    return fmt::format("('{}' || {})", prefix, number);
  }
  std::string address(const std::string& number) const {
    if (mariadb()) return fmt::format("CONCAT('p', {}, '@example.test')", number);
    return fmt::format("('p' || {} || '@example.test')", number);
  }
  // So many minutes before the test begins.
  std::string before(const std::string& minutes) const {
    if (mariadb())
      return "CAST('2026-11-10 00:00:00' AS DATETIME(6)) - INTERVAL (" + minutes + ") MINUTE";
    return "strftime('%Y-%m-%dT%H:%M:%S', '2026-11-10T00:00:00', '-' || (" + minutes +
           ") || ' minutes') || '.000000Z'";
  }

 private:
  Kind kind_;
};

// 20,000 orders, all but the last ten in the ledger, and what belongs to them.
std::vector<std::string> filling(const Words& words) {
  const std::string all = " FROM " + words.numbers(1, 20000);
  const std::string sent = " FROM " + words.numbers(1, 19990);
  const std::string key = words.text("", "i"), person = words.text("person", "i");
  const std::string at = words.before("20000 - i");
  return {
      words.mariadb() ? "CREATE TABLE orders (id varchar(191) PRIMARY KEY, email text, grade text,"
                        " delivered_at datetime(6))"
                      : "CREATE TABLE orders (id text PRIMARY KEY, email text, grade text,"
                        " delivered_at text)",
      "CREATE INDEX orders_delivered_at ON orders (delivered_at)",
      "INSERT INTO orders SELECT " + key + ", " + words.address("i") + ", '5', " + at + all,
      "INSERT INTO survey_push (\"push\", \"key\", \"state\", \"batch\", \"customer_id\","
      " \"attempts\", \"test\", \"person\", \"seen_at\", \"changed_at\") SELECT 'orders', " +
          key + ", 'sent', " + words.text("b", "i") + ", i, 1, 0, " + person + ", " + at + ", " +
          at + sent,
      "INSERT INTO survey_push_event (\"push\", \"key\", \"at\", \"state\", \"batch\") SELECT"
      " \"push\", \"key\", \"seen_at\", 'sent', \"batch\" FROM survey_push",
      "INSERT INTO survey_batch (\"id\", \"push\", \"owner\", \"rows\", \"sent_at\", \"outcome\","
      " \"http_status\", \"test\", \"settled_at\", \"service\") SELECT " +
          words.text("b", "i") + ", 'orders', 'another', 100, " + words.before("60 * (20000 - i)") +
          ", 'accepted', 200, 0, " + at + ", 'elsewhere'" + sent,
      "INSERT INTO survey_person (\"person\", \"kind\", \"ref\", \"at\") SELECT " + person +
          ", 'invited', " + key + ", " + at + all,
      "INSERT INTO survey_customer (\"id\", \"email\", \"digest\", \"changed_at\") SELECT i, " +
          person + ", 'x', " + at + all,
      "INSERT INTO survey_answer (\"customer_id\", \"position\", \"base_question_id\", \"text\")"
      " SELECT i, 1, 1200, 'words'" +
          all,
      "INSERT INTO survey_invitation (\"customer_id\", \"push\", \"key\", \"stage\", \"opened\","
      " \"begun\", \"finished\", \"closed\", \"bounced\", \"opted_out\", \"test\","
      " \"second_feedback\", \"contact_requested\") SELECT i, 'orders', " +
          key + ", 'invited', 0, 0, 0, 0, 0, 0, 0, 0, 0" + sent,
  };
}

class Plans : public in_process::Shop, public testing::WithParamInterface<Kind> {
 protected:
  static std::string new_database() {
    if (GetParam() == Kind::sqlite) return "";
    if (GetParam() == Kind::postgresql) {
      auto& server = support::PostgresServer::shared();
      return server.native(server.create_database());
    }
    auto& server = support::MariadbServer::shared();
    return server.odbc(server.create_database());
  }
  static sandbox::Options lively() {
    sandbox::Options options = still();
    options.lives_speed = 2000;
    return options;
  }
  Plans() : Shop(lively(), new_database()) {
    settings_.pushes.at(0).look_back = std::chrono::hours{24 * 365};
    settings_.pushes.at(0).start = {};
    sql("DROP TABLE orders");
    crm::make_schema(*crm_);
    fill();
    outside_.wrap_database = [this](std::unique_ptr<crm::Database> inner) {
      return std::make_unique<Recording>(std::move(inner), seen_);
    };
  }
  // Orders of which all but the last ten are in the ledger.
  void fill() {
    if (GetParam() == Kind::postgresql) {
      for (const char* text : kFill)
        sql(text);
      return;
    }
    for (const auto& text : filling(words_))
      quoted_sql(text);
    // SQLite has no statistics, because the bridge makes none.
    if (!words_.mariadb()) return;
    for (const auto& table : growing())
      crm_->query({"ANALYZE TABLE " + table, {}});
  }
  void quoted_sql(std::string text) {
    if (words_.mariadb()) std::ranges::replace(text, '"', '`');
    sql(text);
  }

  static const std::set<std::string>& growing() {
    static const std::set<std::string> everywhere{
        "orders",        "survey_push",       "survey_push_event",
        "survey_batch",  "survey_person",     "survey_customer",
        "survey_answer", "survey_invitation", "survey_write_queue"};
    static const std::set<std::string> of_postgresql = [] {
      auto tables = everywhere;
      tables.insert({"survey_customer_data", "survey_customer_history", "survey_rating",
                     "survey_rating_match", "survey_bouncer", "survey_bounce"});
      return tables;
    }();
    return GetParam() == Kind::postgresql ? of_postgresql : everywhere;
  }

  // A batch that is lost and looked up, one that is refused, others that are answered, and pages.
  void live(daemon::Duration length) {
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
    settings_.pushes.at(0).settle = 1min;
    in_process::Instance daemon(settings_, outside_, 7);
    daemon.run_until(clock_.now + length);
  }
  // On PostgreSQL the brake looks at every batch.
  void brake() {
    settings_.pushes.at(0).brake = true;
    sql("INSERT INTO survey_brake (push, fingerprint, allowance, passed) VALUES ('orders', '" +
        daemon::fingerprint_of(settings_.pushes.at(0), settings_.crm.time_zone) + "', 8, 8)");
  }

  // The tables of a statement by the names that it gives them.
  static std::map<std::string, std::string> tables_in(const std::string& text) {
    static const std::regex named(
        R"re(["`]?\b(orders|survey_[a-z_]+)\b["`]?(?:\s+(?:AS\s+)?["`]?([a-z])["`]?(?![a-z_"`(]))?)re");
    std::map<std::string, std::string> tables;
    for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end; ++at) {
      tables[(*at)[1]] = (*at)[1];
      if ((*at)[2].matched) tables[(*at)[2]] = (*at)[1];
    }
    return tables;
  }

  // What the plan of a statement reads as a whole, by the names in its text. All rows of a push are
  // a whole table of the ledger.
  std::vector<std::string> read_whole(const std::string& text,
                                      const std::vector<crm::Value>& parameters) {
    std::vector<std::string> names;
    if (GetParam() == Kind::postgresql) {
      static const std::regex seq_scan(R"(Seq Scan on (\w+))");
      for (const auto& row : crm_->query({"EXPLAIN " + text, parameters}).rows) {
        std::smatch found;
        const auto& line = std::get<std::string>(row.front());
        if (std::regex_search(line, found, seq_scan)) names.push_back(found[1]);
      }
      return names;
    }
    if (words_.mariadb()) {
      for (const auto& row : crm_->query({"EXPLAIN " + text, parameters}).rows) {
        if (row.at(1) == crm::Value{"INSERT"}) continue;  // the table that the rows go to
        const auto* table = std::get_if<std::string>(&row.at(2));
        const auto* type = std::get_if<std::string>(&row.at(3));
        const bool of_push = type && *type == "ref" && row.at(5) == crm::Value{"PRIMARY"} &&
                             table && tables_in(text)[*table] == "survey_push";
        if (table && type && (*type == "ALL" || *type == "index" || of_push))
          names.push_back(*table);
      }
      return names;
    }
    static const std::regex scan(R"(^SCAN (\w+)|^SEARCH (\w+) USING PRIMARY KEY \(push=\?\)$)");
    for (const auto& row : crm_->query({"EXPLAIN QUERY PLAN " + text, parameters}).rows) {
      std::smatch found;
      const auto& line = std::get<std::string>(row.at(3));
      if (std::regex_search(line, found, scan))
        names.push_back(found[1].matched ? found[1] : found[2]);
    }
    return names;
  }

  // Statements that read a whole table that grows.
  std::vector<std::string> scans() {
    static const std::regex plannable("^\\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\\b");
    std::vector<std::string> scans;
    for (const auto& [text, parameters] : seen_->all()) {
      if (!std::regex_search(text, plannable) || allowed(text)) continue;
      const auto tables = tables_in(text);
      for (const auto& name : read_whole(text, parameters)) {
        const auto table = tables.find(name);
        // PostgreSQL names the table itself, also where the statement names a view.
        if (table == tables.end() && GetParam() != Kind::postgresql) continue;
        const std::string& whole = table == tables.end() ? name : table->second;
        if (growing().contains(whole)) scans.push_back(whole + ": " + text + "\n");
      }
    }
    return scans;
  }
  // Once an hour at most, and within a share of the time: rows without a date.
  // Every ten minutes at most: the count of the rows that no job moves, which is kept. What a CRM
  // that is away has not got yet, whose table is empty else.
  static bool allowed(const std::string& text) {
    const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
    const bool of_ledger_job = has("HAVING COUNT(*) >=");
    const bool waits_for_crm = has("survey_write_queue") && has("GROUP BY");
    if (of_ledger_job || waits_for_crm) return true;
    if (GetParam() == Kind::postgresql) return has("isfinite") && has("DISTINCT");
    const bool no_row = has("WHERE 1 = 0");
    const bool few_rows = has("LIMIT 200") && !has("WHERE");  // in the order of the primary key
    const bool never_listed = has("COUNT(*)") && has("customer_id") && has("IS NULL AND (");
    return no_row || few_rows || never_listed || has("DISTINCT");
  }
  void drop_index(const std::string& table, const std::string& index) {
    sql("DROP INDEX " + index + (words_.mariadb() ? " ON " + table : ""));
  }
  void expect_no_scans() {
    std::string lines;
    for (const auto& text : scans())
      lines += text;
    EXPECT_EQ(lines, "");
  }

  Words words_{GetParam()};
  std::shared_ptr<SeenStatements> seen_ = std::make_shared<SeenStatements>();
};

TEST_P(Plans, ReadNoTableThatGrowsAsAWhole) {
  if (GetParam() == Kind::postgresql) {
    settings_.pulls.clear();
    brake();
  }
  live(GetParam() == Kind::postgresql ? 15min : 40min);
  EXPECT_EQ(number("SELECT COUNT(*) FROM survey_push p WHERE length(p.key) = 5 AND p.key > '" +
                   std::string(GetParam() == Kind::postgresql ? "39990'" : "19990'")),
            10)
      << "all of them were looked at";
  EXPECT_GE(service_.customers().size(), 4u) << "batches went out";
  EXPECT_GT(seen_->size(), 40u);
  expect_no_scans();
  drop_index("orders", "orders_delivered_at");
  EXPECT_FALSE(scans().empty()) << "the sweep needs it";
  if (GetParam() != Kind::postgresql) return;
  sql("CREATE INDEX orders_delivered_at ON orders (delivered_at)");
  ASSERT_TRUE(scans().empty());
  sql("DROP INDEX survey_batch_by_time");
  sql("DROP INDEX survey_batch_by_outcome");
  EXPECT_FALSE(scans().empty()) << "the brake needs one of them";
}

TEST_P(Plans, OfAContactRuleReadNoTableThatGrowsAsAWhole) {
  settings_.pulls.clear();
  settings_.suppress = config::Suppress{};
  settings_.suppress->contact = {{.days = 90, .of = config::Suppress::Contact::Of::same}};
  if (GetParam() == Kind::postgresql) brake();
  live(15min);
  expect_no_scans();
  drop_index("survey_push", "survey_push_by_person");
  EXPECT_FALSE(scans().empty()) << "a person's transactions are found by it";
}

// With [store], while the CRM is away: what waits for it is read by its list.
TEST_P(Plans, OfWhatWaitsForTheCrmReadNoTableThatGrowsAsAWhole) {
  const bool postgresql = GetParam() == Kind::postgresql;
  const std::string rows = postgresql ? "CAST(i AS text), now() FROM generate_series(1, 40000) AS i"
                                      : words_.text("", "i") + ", " + words_.before("0") +
                                            " FROM " + words_.numbers(1, 20000);
  const int of_ratings = postgresql ? 39990 : 19000;
  quoted_sql(
      fmt::format("INSERT INTO survey_write_queue (\"list\", \"record\", \"queued_at\")"
                  " SELECT CASE WHEN i <= {} THEN 'ratings' ELSE 'customers' END, {}",
                  of_ratings, rows));
  if (postgresql) sql("ANALYZE survey_write_queue");
  if (words_.mariadb()) crm_->query({"ANALYZE TABLE survey_write_queue", {}});
  const auto database = outside_.wrap_database(crm::open_database(connection_));
  crm::WriteQueue queue(*database, "customers");
  const auto next = queue.next(100);
  ASSERT_EQ(next.size(), postgresql ? 10u : 100u);
  EXPECT_EQ(next.front().record, std::to_string(of_ratings + 1));
  queue.remove(next);
  expect_no_scans();
  drop_index("survey_write_queue", "survey_write_queue_by_list");
  EXPECT_FALSE(scans().empty()) << "the entries of a list are found by it";
}

TEST_P(Plans, OfAStatusReadNoTableThatGrowsAsAWhole) {
  const std::string latest = GetParam() == Kind::postgresql ? "b20000" : "b19990";
  sql("UPDATE survey_batch SET outcome = 'unknown' WHERE id = '" + latest + "'");
  crm::renew_kept_counts(*crm_, 1);
  const auto database = outside_.wrap_database(crm::open_database(connection_));
  EXPECT_FALSE(daemon::report(settings_, *database, *database).overview.counts.empty());
  EXPECT_GT(seen_->size(), 20u);
  expect_no_scans();
  drop_index("survey_push", "survey_push_by_batch");
  EXPECT_FALSE(scans().empty()) << "what became of a batch without an answer is found by it";
  sql("CREATE INDEX survey_push_by_batch ON survey_push (batch)");
  ASSERT_TRUE(scans().empty());
  sql("DELETE FROM survey_count");
  EXPECT_FALSE(daemon::report(settings_, *database, *database).overview.counts.empty());
  EXPECT_FALSE(scans().empty()) << "without a kept number all of them are counted";
}

TEST_P(Plans, OfTheStatusServerReadNoTableThatGrowsAsAWhole) {
  crm::renew_kept_counts(*crm_, 1);
  daemon::Environment environment;
  environment.uptime = [] { return daemon::Duration{0}; };
  environment.open_database = [this] {
    return outside_.wrap_database(crm::open_database(connection_));
  };
  const auto ask = [&](std::initializer_list<const char*> paths) {
    daemon::StatusWatch watch(settings_, environment, [] { return daemon::DaemonState{}; });
    for (const char* path : paths) {
      int status = 503;  // it has waited for some seconds: a slow machine needs more
      for (int i = 0; i < 100 && status == 503; ++i)
        status = watch.answer(path).status;
      EXPECT_EQ(status, 200) << path;
    }
  };
  ask({"/health", "/ready", "/metrics", "/", "/quarantine", "/doubts", "/suppressed"});
  EXPECT_GT(seen_->size(), 20u);
  expect_no_scans();
  if (GetParam() == Kind::postgresql) {
    sql("DROP INDEX survey_push_by_state");
    EXPECT_FALSE(scans().empty()) << "the lists need it";
    return;
  }
  sql("DELETE FROM survey_count");
  ask({"/metrics"});
  EXPECT_FALSE(scans().empty()) << "without a kept number all of them are counted";
}

INSTANTIATE_TEST_SUITE_P(Databases, Plans,
                         testing::Values(Kind::postgresql, Kind::mariadb, Kind::sqlite),
                         [](const auto& kind) -> std::string {
                           if (kind.param == Kind::postgresql) return "postgresql";
                           return kind.param == Kind::mariadb ? "mariadb" : "sqlite";
                         });

// Customers whose state changes from one page to the next.
class PlansOfPulls : public Plans {
 protected:
  PlansOfPulls() {
    for (const char* text : kFillPulled)
      sql(text);
  }
};

TEST_P(PlansOfPulls, ReadNoTableThatGrowsAsAWhole) {
  settings_.pushes.at(0).brake = false;
  in_process::Instance daemon(settings_, outside_, 7);
  daemon.run_until(clock_.now + 40min);
  EXPECT_GE(
      number("SELECT COUNT(*) FROM survey_invitation WHERE seen_at IS NOT NULL OR finished = 1"), 1)
      << "new customers were pulled";
  EXPECT_GE(number("SELECT COUNT(*) FROM survey_customer_history WHERE stage <> 'invited'"), 1)
      << "a customer has changed";
  EXPECT_GT(seen_->size(), 80u);
  expect_no_scans();
  sql("DROP INDEX survey_invitation_by_key");
  sql("DROP INDEX survey_bounce_by_key");
  EXPECT_FALSE(scans().empty()) << "what belongs to a transaction is found by its key";
  seen_->set(
      {{R"(SELECT "rating_id" FROM "survey_report_customer" WHERE "customer_id" = 17)", {}}});
  expect_no_scans();
  sql("DROP INDEX survey_rating_match_by_key");
  EXPECT_FALSE(scans().empty()) << "the view finds the ratings of a transaction by its key";
}

INSTANTIATE_TEST_SUITE_P(Databases, PlansOfPulls, testing::Values(Kind::postgresql));

}  // namespace
