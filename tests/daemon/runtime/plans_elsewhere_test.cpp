// As plans_test.cpp, on MariaDB and SQLite: no statement may read a whole table that grows.
#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/pulled/write_queue.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/status/report.hpp"
#include "daemon/status/watch.hpp"
#include "tests/daemon/shop.hpp"
#include "tests/support/forwarding_database.hpp"
#include "tests/support/mariadb_server.hpp"

namespace {

using namespace surveybridge;
using namespace std::chrono_literals;

using StatementsSeen = std::map<std::string, std::vector<crm::Value>>;  // text, parameters

class Noting final : public support::ForwardingDatabase {
 public:
  Noting(std::unique_ptr<crm::Database> inner, StatementsSeen& seen)
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
  StatementsSeen& seen_;
};

enum class Kind { mariadb, sqlite };

// How each of the two writes what the rows are made of.
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
          key + ", 'invited', 0, 0, 0, 0, 0, 0, 0, 0, 0" + all,
  };
}

class PlansElsewhere : public in_process::Shop, public testing::WithParamInterface<Kind> {
 protected:
  static std::string new_database() {
    if (GetParam() == Kind::sqlite) return "";
    auto& server = support::MariadbServer::shared();
    return server.odbc(server.create_database());
  }
  static sandbox::Options lively() {
    sandbox::Options options = still();
    options.lives_speed = 2000;
    return options;
  }
  PlansElsewhere() : Shop(lively(), new_database()) {
    settings_.pushes.at(0).look_back = std::chrono::hours{24 * 365};
    settings_.pushes.at(0).start = {};
    sql("DROP TABLE orders");
    crm::make_schema(*crm_);
    for (auto& text : filling(words_)) {
      if (words_.mariadb()) std::ranges::replace(text, '"', '`');
      sql(text);
    }
    // SQLite has no statistics, because the bridge makes none.
    if (words_.mariadb()) {
      for (const auto& table : growing())
        crm_->query({"ANALYZE TABLE " + table, {}});
    }
    outside_.wrap_database = [this](std::unique_ptr<crm::Database> inner) {
      return std::make_unique<Noting>(std::move(inner), seen_);
    };
  }

  static const std::set<std::string>& growing() {
    static const std::set<std::string> tables{
        "orders",        "survey_push",       "survey_push_event",
        "survey_batch",  "survey_person",     "survey_customer",
        "survey_answer", "survey_invitation", "survey_write_queue"};
    return tables;
  }

  // A batch that is lost and looked up, one that is refused, others that are answered, and pages.
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
    settings_.pushes.at(0).settle = 1min;
    in_process::Instance daemon(settings_, outside_, 7);
    daemon.run_until(clock_.now + 40min);
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

  std::vector<std::string> scans() {
    static const std::regex plannable("^\\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\\b");
    std::vector<std::string> scans;
    for (const auto& [text, parameters] : seen_) {
      if (!std::regex_search(text, plannable) || allowed(text)) continue;
      const auto tables = tables_in(text);
      for (const auto& name : read_whole(text, parameters)) {
        const auto table = tables.find(name);
        if (table != tables.end() && growing().contains(table->second))
          scans.push_back(table->second + ": " + text + "\n");
      }
    }
    return scans;
  }
  // See plans_test.cpp.
  static bool allowed(const std::string& text) {
    const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
    const bool no_row = has("WHERE 1 = 0");
    const bool few_rows = has("LIMIT 200") && !has("WHERE");  // in the order of the primary key
    const bool of_ledger_job = has("HAVING COUNT(*) >=");
    const bool waits_for_crm = has("survey_write_queue") && has("GROUP BY");
    const bool never_listed = has("COUNT(*)") && has("customer_id") && has("IS NULL AND (");
    return no_row || few_rows || waits_for_crm || never_listed || of_ledger_job || has("DISTINCT");
  }
  void drop_index(const std::string& table, const std::string& index) {
    sql("DROP INDEX " + index + (words_.mariadb() ? " ON " + table : ""));
  }
  static std::string all(const std::vector<std::string>& texts) {
    std::string lines;
    for (const auto& text : texts)
      lines += text;
    return lines;
  }

  Words words_{GetParam()};
  StatementsSeen seen_;
};

TEST_P(PlansElsewhere, ReadNoTableThatGrowsAsAWhole) {
  live();
  const auto looked_at =
      number("SELECT COUNT(*) FROM survey_push p WHERE length(p.key) = 5 AND p.key > '19990'");
  EXPECT_EQ(looked_at, 10);
  EXPECT_GE(service_.customers().size(), 6u) << "batches went out";
  EXPECT_GT(seen_.size(), 60u);
  const auto found = scans();
  EXPECT_TRUE(found.empty()) << all(found);
  drop_index("orders", "orders_delivered_at");
  EXPECT_FALSE(scans().empty()) << "the sweep needs it";
}

TEST_P(PlansElsewhere, OfAContactRuleReadNoTableThatGrowsAsAWhole) {
  settings_.pulls.clear();
  settings_.suppress = config::Suppress{};
  settings_.suppress->contact = {{.days = 90, .of = config::Suppress::Contact::Of::same}};
  live();
  const auto found = scans();
  EXPECT_TRUE(found.empty()) << all(found);
  drop_index("survey_push", "survey_push_by_person");
  EXPECT_FALSE(scans().empty()) << "a person's transactions are found by it";
}

TEST_P(PlansElsewhere, OfWhatWaitsForTheCrmReadNoTableThatGrowsAsAWhole) {
  std::string fill =
      "INSERT INTO survey_write_queue (\"list\", \"record\", \"queued_at\") SELECT CASE WHEN i <= "
      "19000 THEN 'ratings' ELSE 'customers' END, " +
      words_.text("", "i") + ", " + words_.before("0") + " FROM " + words_.numbers(1, 20000);
  if (words_.mariadb()) std::ranges::replace(fill, '"', '`');
  sql(fill);
  if (words_.mariadb()) crm_->query({"ANALYZE TABLE survey_write_queue", {}});
  const auto database = outside_.wrap_database(crm::open_database(connection_));
  crm::WriteQueue queue(*database, "customers");
  const auto next = queue.next(100);
  ASSERT_EQ(next.size(), 100u);
  EXPECT_EQ(next.front().record, "19001");
  queue.remove(next);
  const auto found = scans();
  EXPECT_TRUE(found.empty()) << all(found);
  drop_index("survey_write_queue", "survey_write_queue_by_list");
  EXPECT_FALSE(scans().empty()) << "the entries of a list are found by it";
}

TEST_P(PlansElsewhere, OfAStatusReadNoTableThatGrowsAsAWhole) {
  sql("UPDATE survey_batch SET outcome = 'unknown' WHERE id = 'b19990'");  // the latest one
  crm::renew_kept_counts(*crm_, 1);
  const auto database = outside_.wrap_database(crm::open_database(connection_));
  EXPECT_FALSE(daemon::report(settings_, *database, *database).overview.counts.empty());
  EXPECT_GT(seen_.size(), 20u);
  const auto found = scans();
  EXPECT_TRUE(found.empty()) << all(found);
  drop_index("survey_push", "survey_push_by_batch");
  EXPECT_FALSE(scans().empty()) << "what became of a batch without an answer is found by it";
  sql("CREATE INDEX survey_push_by_batch ON survey_push (batch)");
  ASSERT_TRUE(scans().empty()) << all(scans());
  sql("DELETE FROM survey_count");
  EXPECT_FALSE(daemon::report(settings_, *database, *database).overview.counts.empty());
  EXPECT_FALSE(scans().empty()) << "without a kept number all of them are counted";
}

TEST_P(PlansElsewhere, OfTheStatusServerReadNoTableThatGrowsAsAWhole) {
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
  sql("DELETE FROM survey_count");
  daemon::StatusWatch counting(settings_, environment, [] { return daemon::DaemonState{}; });
  EXPECT_EQ(counting.answer("/metrics").status, 200);
  EXPECT_FALSE(scans().empty()) << "without a kept number all of them are counted";
}

INSTANTIATE_TEST_SUITE_P(Databases, PlansElsewhere, testing::Values(Kind::mariadb, Kind::sqlite),
                         [](const auto& param) {
                           return param.param == Kind::mariadb ? "mariadb" : "sqlite";
                         });

}  // namespace
