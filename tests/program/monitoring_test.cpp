// The metrics of a real daemon, with a real database that goes away and comes back; the alert rules
// of monitoring/ with their unit tests and the runbook that they name; and the board: each query
// parses, and asks for metrics that a daemon has.
#include <csignal>
#include <ctime>
#include <regex>
#include <set>
#include <sstream>

#include "tests/program/world.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

using testing::Ge;
using testing::Gt;

// `promtool ARGUMENTS`, with `input` as its standard input.
support::Finished promtool(const std::vector<std::string>& arguments,
                           const std::string& input = "") {
  // `promtool test rules` keeps a database there and waits for the disk.
  const support::TemporaryFolder folder(support::TemporaryFolder::Place::memory);
  std::vector<std::string> argv{"sh", "-c", "file=$1; shift; exec promtool \"$@\" <\"$file\"", "sh",
                                folder.write("input", input)};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return support::run({argv, {"TMPDIR=" + folder.path()}}, std::chrono::minutes{3});
}

void expect_accepted(const support::Finished& ran) {
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
}

std::string source(const std::string& path) {
  return support::read_file(support::source_dir() + "/" + path);
}

// What follows `opening` in each line that begins with it, without blanks around it.
std::vector<std::string> after(const std::string& text, const std::string& opening) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find_first_not_of(' ');
    if (begin != std::string::npos && line.compare(begin, opening.size(), opening) == 0)
      found.push_back(line.substr(begin + opening.size()));
  }
  return found;
}

std::set<std::string> alerts() {
  const auto names = after(source("monitoring/alerts.yml"), "- alert: ");
  return {names.begin(), names.end()};
}

TEST(Alerts, PassTheirUnitTests) {
  const std::string folder = support::source_dir() + "/monitoring";
  expect_accepted(promtool({"test", "rules", folder + "/alerts_test.yml"}));
  expect_accepted(promtool({"check", "rules", "--lint-fatal", folder + "/alerts.yml"}));
  EXPECT_EQ(after(source("monitoring/alerts.yml"), "- alert: ").size(), alerts().size());
}

TEST(Alerts, HaveEachATestInWhichItFiresAndOneInWhichItDoesNot) {
  std::set<std::string> fire, do_not;
  std::istringstream lines(source("monitoring/alerts_test.yml"));
  std::string alert;
  for (std::string line; std::getline(lines, line);) {
    const auto named = after(line, "- alertname: ");
    if (!named.empty()) alert = named.front();
    for (const auto& expected : after(line, "exp_alerts:"))
      (expected == " []" ? do_not : fire).insert(alert);
  }
  EXPECT_EQ(fire, alerts());
  EXPECT_EQ(do_not, alerts());
}

TEST(Alerts, AreNamedByTheRunbook) {
  const std::string runbook = source("docs/RUNBOOK.md");
  const auto begin = runbook.find("\n## Alerts\n");
  ASSERT_NE(begin, std::string::npos);
  std::set<std::string> named;
  for (const auto& row :
       after(runbook.substr(begin, runbook.find("\n## ", begin + 1) - begin), "| `Surveybridge")) {
    const std::string cell = "`Surveybridge" + row.substr(0, row.find(" |"));
    static const std::regex name("Surveybridge[A-Za-z]+");
    named.insert(std::sregex_token_iterator(cell.begin(), cell.end(), name),
                 std::sregex_token_iterator());
  }
  EXPECT_EQ(named, alerts());
  const std::string rules = source("monitoring/alerts.yml");
  EXPECT_EQ(after(rules, "summary: ").size(), alerts().size());
  for (const auto& alert : alerts())
    EXPECT_THAT(rules, has("runbook: 'docs/RUNBOOK.md, section \"Alerts\": " + alert + "'\n"));
}

// Only a service with https has a certificate, and only a faulty one unreadable records.
const std::set<std::string> kRare = {"surveybridge_certificate_end_timestamp_seconds",
                                     "surveybridge_unreadable_records"};

// The queries as Grafana sends them, with its variables filled in.
std::vector<std::string> queries() {
  std::vector<std::string> all;
  const auto board = nlohmann::json::parse(source("monitoring/board.json"));
  for (const auto& panel : board["panels"]) {
    for (const auto& target : panel.value("targets", nlohmann::json::array()))
      all.push_back(replaced(target["expr"].get<std::string>(), "$instance", ".*"));
  }
  for (auto& query : all)
    if (query.find('$') != std::string::npos) query = replaced(query, "$__rate_interval", "5m");
  return all;
}

std::set<std::string> names_in(const std::string& text) {
  static const std::regex name("(surveybridge|process)_[a-z_]+");
  return {std::sregex_token_iterator(text.begin(), text.end(), name), std::sregex_token_iterator()};
}

TEST(Board, HasQueriesThatParse) {
  ASSERT_GT(queries().size(), 30u);
  nlohmann::json rules = nlohmann::json::array();
  for (const auto& query : queries())
    rules.push_back({{"record", "query:" + std::to_string(rules.size())}, {"expr", query}});
  const support::TemporaryFolder folder;
  const nlohmann::json file{{"groups", {{{"name", "board"}, {"rules", rules}}}}};
  expect_accepted(promtool({"check", "rules", folder.write("board.yml", file.dump())}));
}

TEST(Board, AsksForMetricsThatADaemonHas) {
  BridgeOn on(Server::sqlite);
  on.crm_.insert(orders(3));
  on.crm_.execute("UPDATE orders SET email = 'none' WHERE id = 1");
  const int port = support::free_port();
  on.write(with_page(on.usual_, port));
  on.command({"sync", "push"});
  on.command({"verify"});
  std::set<std::string> asked, missing;
  for (const auto& query : queries())
    asked.merge(names_in(query));
  ASSERT_GT(asked.size(), 30u);
  Daemon daemon(on.config_);
  EXPECT_TRUE(daemon.until([&] {
    missing = asked;
    for (const auto& name : kRare)
      missing.erase(name);
    for (const auto& [sample, value] : samples_in(body_of(port, "/metrics")))
      missing.erase(sample.substr(0, sample.find('{')));
    return missing.empty();
  })) << testing::PrintToString(missing);
  for (const auto& name : kRare)
    EXPECT_THAT(source("docs/RUNBOOK.md"), has("| `" + name + "` |"));
}

struct MetricsOf : testing::Test {
  MetricsOf() {
    on_.crm_.insert(orders(3));
    on_.write(with_page(on_.usual_, port_));
  }
  bool is_ready(const char* code) const {
    return answer_of(port_, "/ready").starts_with(std::string("HTTP/1.1 ") + code);
  }
  std::string metrics() const { return body_of(port_, "/metrics"); }
  double now_at(const std::string& sample) {
    last_ = samples_in(metrics());
    return last_at(sample);
  }
  double last_at(const std::string& sample) const { return value_of(last_, sample); }

  support::PostgresServer server_;
  BridgeOn on_{server_};
  const int port_ = support::free_port();
  Samples last_;
};

constexpr const char* kRowsSent = "surveybridge_rows_total{outcome=\"sent\",push=\"orders\"}";
constexpr const char* kSentInStore = "surveybridge_transactions{push=\"orders\",state=\"sent\"}";
const std::string kSuccess = "surveybridge_job_last_success_timestamp_seconds{bridge_job=\"";

void expect_clean(const std::string& metrics) {
  const auto checked = promtool({"check", "metrics"}, metrics);
  EXPECT_EQ(checked.status, 0) << checked.err << metrics;
  EXPECT_EQ(checked.out + checked.err, "") << metrics;
}

TEST_F(MetricsOf, ARunningDaemonCountWhatItDoesAndGoOnAfterAReload) {
  on_.sandbox_.fault("before:503:rating:1");
  Daemon daemon(on_.config_);
  const std::string failed = "surveybridge_requests_total{code=\"503\",operation=\"ratings\"}";
  const std::string walked =
      "surveybridge_pages_total{list=\"ratings\",walk=\"ReviewApprovedDate\"}";
  ASSERT_TRUE(daemon.until([&] {
    return now_at(kRowsSent) == 3 && last_at(failed) == 1 && last_at(walked) >= 1 &&
           last_at(kSentInStore) == 3;
  })) << metrics();
  const std::string text = metrics();
  expect_clean(text);
  last_ = samples_in(text);
  EXPECT_EQ(last_at("surveybridge_requests_total{code=\"200\",operation=\"add\"}"), 1) << text;
  EXPECT_EQ(last_at("surveybridge_request_duration_seconds_count{operation=\"add\"}"), 1);
  EXPECT_EQ(last_at("surveybridge_rows_total{outcome=\"held\",push=\"orders\"}"), 0);
  EXPECT_EQ(last_at("surveybridge_database_call_failures_total{bridge_job=\"push.orders\"}"), 0);
  EXPECT_EQ(last_at("surveybridge_send_window_open{push=\"orders\"}"), 1);
  const std::pair<const char*, double> at_least[] = {
      {"surveybridge_request_duration_seconds_sum{operation=\"add\"}", 1e-9},
      {"surveybridge_sent_bytes_total{operation=\"add\"}", 300},
      {"surveybridge_received_bytes_total{operation=\"customers\"}", 10},
      {"surveybridge_wait_seconds_total{cause=\"refused\"}", 0},
      {"surveybridge_records_total{list=\"customers\",walk=\"LastActivityDate\"}", 0},
      {"surveybridge_database_call_duration_seconds_count{bridge_job=\"push.orders\"}", 4},
      {"surveybridge_step_duration_seconds_count{bridge_job=\"push.orders\"}", 2},
      {"process_resident_memory_bytes", 1e6},
      {"process_cpu_seconds_total", 0},
      {"process_open_fds", 6}};
  for (const auto& [sample, least] : at_least)
    EXPECT_THAT(last_at(sample), Ge(least)) << sample;
  const auto now = static_cast<double>(std::time(nullptr));
  EXPECT_NEAR(last_at(kSuccess + "push.orders\"}"), now, 60);
  EXPECT_NEAR(last_at("process_start_time_seconds"), now, 120);
  std::string version = bridge({"--version"}).out;  // "surveybridge 1.2.3\nbuild: …"
  version = version.substr(version.find(' ') + 1, version.find('\n') - version.find(' ') - 1);
  EXPECT_THAT(text, has("surveybridge_build_info{version=\"" + version + "\"} 1\n"));
  EXPECT_THAT(text, lacks(kDomain)) << "an address";

  const std::string former = kSuccess + "pull.bouncers.TransactionDate\"}";
  const std::string pages = "surveybridge_pages_total{list=\"bouncers\",walk=\"TransactionDate\"}";
  ASSERT_TRUE(daemon.until([&] { return now_at(former) > 0 && last_at(pages) > 0; }));
  on_.write(replaced(support::read_file(on_.config_),
                     "[pull.bouncers]\nevery     = \"1s\"\nlook_back = \"3650d\"\n", ""));
  daemon.reload();
  ASSERT_TRUE(daemon.says("the configuration was read anew"));
  ASSERT_TRUE(daemon.until([&] { return now_at(former) == -1 && !last_.empty(); }));
  EXPECT_EQ(last_at(kRowsSent), 3);
  EXPECT_THAT(last_at(kSuccess + "push.orders\"}"), Gt(0));
  EXPECT_THAT(last_at(pages), Gt(0)) << "what was counted stays counted";
}

// It goes on by itself when the database is back, and sends each order once.
TEST_F(MetricsOf, ADaemonWithoutItsDatabaseStay) {
  Daemon daemon(on_.config_);
  ASSERT_TRUE(daemon.until([&] { return now_at(kSentInStore) == 3 && is_ready("200"); }))
      << metrics();
  const Samples before = last_;
  server_.stop();
  const std::string failures =
      "surveybridge_database_call_failures_total{bridge_job=\"push.orders\"}";
  ASSERT_TRUE(daemon.until([&] {
    return now_at("surveybridge_database_up") == 0 && last_at(failures) > 0 &&
           last_at("surveybridge_job_trouble{bridge_job=\"push.orders\"}") == 1;
  })) << metrics();
  const std::string text = metrics();
  expect_clean(text);
  last_ = samples_in(text);
  EXPECT_EQ(last_at(kRowsSent), 3);
  EXPECT_EQ(last_at(kSentInStore), 3) << "the last that was known";
  EXPECT_THAT(last_at("surveybridge_report_age_seconds"), Ge(0));
  for (const auto& [name, value] : before) {
    if (name.find("_total") == std::string::npos) continue;
    EXPECT_THAT(last_at(name), Ge(value)) << name;
  }
  EXPECT_THAT(last_at(kSuccess + "push.orders\"}"), Gt(0));
  ASSERT_TRUE(daemon.until([&] { return is_ready("503"); }));
  server_.start();
  on_.crm_.reconnect();
  on_.crm_.insert(orders(10, 4));
  EXPECT_TRUE(daemon.until([&] {
    return now_at("surveybridge_database_up") == 1 && is_ready("200") &&
           on_.crm_.count("survey_customer") == "13";
  }));
  EXPECT_EQ(on_.in_state("sent"), "13");
  EXPECT_EQ(on_.sandbox_.customers().size(), 13u) << "each once";
  EXPECT_EQ(daemon.stop(), 0);
}

}  // namespace
}  // namespace program
