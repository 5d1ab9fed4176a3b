// The metrics of a real daemon, with a real database that goes away and comes back; the alert rules
// of monitoring/ with their unit tests and the runbook that they name; and the board: each query
// parses, and asks for metrics that a daemon has.
#include <algorithm>
#include <csignal>
#include <ctime>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/program/prometheus.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_folder.hpp"

namespace program {
namespace {

using testing::Ge;
using testing::Gt;
using testing::HasSubstr;
using testing::Not;

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
  const auto tested = promtool({"test", "rules", folder + "/alerts_test.yml"});
  EXPECT_EQ(tested.status, 0) << tested.out << tested.err;
  const auto checked = promtool({"check", "rules", "--lint-fatal", folder + "/alerts.yml"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
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
    EXPECT_THAT(rules,
                HasSubstr("runbook: 'docs/RUNBOOK.md, section \"Alerts\": " + alert + "'\n"));
}

// Only a service with https has a certificate, and only a faulty one unreadable records.
const std::set<std::string> kRare = {"surveybridge_certificate_end_timestamp_seconds",
                                     "surveybridge_unreadable_records"};

nlohmann::json board() {
  return nlohmann::json::parse(
      support::read_file(support::source_dir() + "/monitoring/board.json"));
}

// The queries as Grafana sends them, with its variables filled in.
std::vector<std::string> queries() {
  std::vector<std::string> all;
  const auto whole = board();
  for (const auto& panel : whole["panels"]) {
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
  const auto checked = promtool({"check", "rules", folder.write("board.yml", file.dump())});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
}

TEST(Board, AsksForMetricsThatADaemonHas) {
  Crm crm(Server::sqlite);
  crm.insert(orders(3));
  crm.execute("UPDATE orders SET email = 'none' WHERE id = (SELECT MIN(id) FROM orders)");
  const SandboxProgram sandbox({"--speed", "0"});
  const support::TemporaryFolder folder;
  const int port = support::free_port();
  const std::string config =
      folder.write("bridge.toml", with_page(configuration(crm.connection(), sandbox.url()), port));
  bridge({"sync", "push", "-c", config});
  bridge({"verify", "-c", config});
  std::set<std::string> asked, missing;
  for (const auto& query : queries())
    asked.merge(names_in(query));
  ASSERT_GT(asked.size(), 30u);
  Daemon daemon(config);
  EXPECT_TRUE(daemon.until([&] {
    missing = asked;
    for (const auto& name : kRare)
      missing.erase(name);
    for (const auto& [sample, value] : samples_in(metrics_at(port)))
      missing.erase(sample.substr(0, sample.find('{')));
    return missing.empty();
  })) << testing::PrintToString(missing);
  const std::string page = support::read_file(support::source_dir() + "/docs/RUNBOOK.md");
  for (const auto& name : kRare)
    EXPECT_NE(page.find("| `" + name + "` |"), std::string::npos) << name;
}

class MetricsOf : public testing::Test {
 protected:
  MetricsOf() { crm_.insert(orders(3)); }

  std::string ready() const { return code_of(port_, "/ready"); }
  double now_at(const std::string& sample) {
    last_ = samples_in(metrics_at(port_));
    return value_of(last_, sample);
  }

  support::PostgresServer server_;
  Crm crm_{server_};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  int port_ = support::free_port();
  std::string config_ = folder_.write(
      "bridge.toml", with_page(configuration(crm_.connection(), sandbox_.url()), port_));
  Samples last_;
};

constexpr const char* kSent = "surveybridge_rows_total{outcome=\"sent\",push=\"orders\"}";

void expect_clean(const std::string& metrics) {
  const auto checked = promtool({"check", "metrics"}, metrics);
  EXPECT_EQ(checked.status, 0) << checked.err << metrics;
  EXPECT_EQ(checked.out + checked.err, "") << metrics;
}

TEST_F(MetricsOf, ARunningDaemonCountWhatItDoes) {
  sandbox_.fault("before:503:rating:1");
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.until([&] { return now_at(kSent) == 3; })) << metrics_at(port_);
  const std::string failed = "surveybridge_requests_total{code=\"503\",operation=\"ratings\"}";
  const std::string walked =
      "surveybridge_pages_total{list=\"ratings\",walk=\"ReviewApprovedDate\"}";
  ASSERT_TRUE(daemon.until([&] {
    return now_at(failed) == 1 && value_of(last_, walked) >= 1 &&
           value_of(last_, "surveybridge_transactions{push=\"orders\",state=\"sent\"}") == 3;
  })) << metrics_at(port_);
  const std::string text = metrics_at(port_);
  expect_clean(text);
  const Samples samples = samples_in(text);
  const auto value = [&](const char* sample) { return value_of(samples, sample); };
  EXPECT_EQ(value("surveybridge_requests_total{code=\"200\",operation=\"add\"}"), 1) << text;
  EXPECT_EQ(value("surveybridge_request_duration_seconds_count{operation=\"add\"}"), 1);
  EXPECT_THAT(value("surveybridge_request_duration_seconds_sum{operation=\"add\"}"), Gt(0));
  EXPECT_THAT(value("surveybridge_sent_bytes_total{operation=\"add\"}"), Gt(300));
  EXPECT_THAT(value("surveybridge_received_bytes_total{operation=\"customers\"}"), Gt(10));
  EXPECT_EQ(value("surveybridge_rows_total{outcome=\"held\",push=\"orders\"}"), 0);
  EXPECT_THAT(value("surveybridge_wait_seconds_total{cause=\"refused\"}"), Ge(0));
  EXPECT_THAT(value("surveybridge_records_total{list=\"customers\",walk=\"LastActivityDate\"}"),
              Ge(0));
  EXPECT_THAT(
      value("surveybridge_database_call_duration_seconds_count{bridge_job=\"push.orders\"}"),
      Gt(3));
  EXPECT_EQ(value("surveybridge_database_call_failures_total{bridge_job=\"push.orders\"}"), 0);
  EXPECT_THAT(value("surveybridge_step_duration_seconds_count{bridge_job=\"push.orders\"}"), Gt(1));
  const auto now = static_cast<double>(std::time(nullptr));
  EXPECT_NEAR(value("surveybridge_job_last_success_timestamp_seconds{bridge_job=\"push.orders\"}"),
              now, 60);
  EXPECT_NEAR(value("process_start_time_seconds"), now, 120);
  EXPECT_THAT(value("process_resident_memory_bytes"), Gt(1e6));
  EXPECT_THAT(value("process_cpu_seconds_total"), Ge(0));
  EXPECT_THAT(value("process_open_fds"), Gt(5));
  EXPECT_EQ(value("surveybridge_send_window_open{push=\"orders\"}"), 1);
  std::string version = bridge({"--version"}).out;  // "surveybridge 1.2.3\nbuild: …"
  version = version.substr(version.find(' ') + 1, version.find('\n') - version.find(' ') - 1);
  EXPECT_THAT(text, HasSubstr("surveybridge_build_info{version=\"" + version + "\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr(kDomain))) << "an address";
}

// It goes on by itself when the database is back, and sends each order once.
TEST_F(MetricsOf, ADaemonWithoutItsDatabaseStay) {
  Daemon daemon(config_);
  const std::string stored = "surveybridge_transactions{push=\"orders\",state=\"sent\"}";
  ASSERT_TRUE(daemon.until([&] { return now_at(stored) == 3 && ready() == "200"; }))
      << metrics_at(port_);
  const Samples before = last_;
  server_.stop();
  const std::string failures =
      "surveybridge_database_call_failures_total{bridge_job=\"push.orders\"}";
  ASSERT_TRUE(daemon.until([&] {
    return now_at("surveybridge_database_up") == 0 && value_of(last_, failures) > 0 &&
           value_of(last_, "surveybridge_job_trouble{bridge_job=\"push.orders\"}") == 1;
  })) << metrics_at(port_);
  const std::string text = metrics_at(port_);
  expect_clean(text);
  const Samples samples = samples_in(text);
  EXPECT_EQ(value_of(samples, kSent), 3);
  EXPECT_EQ(value_of(samples, stored), 3) << "the last that was known";
  EXPECT_THAT(value_of(samples, "surveybridge_report_age_seconds"), Ge(0));
  for (const auto& [name, value] : before) {
    if (name.find("_total") == std::string::npos) continue;
    EXPECT_THAT(value_of(samples, name), Ge(value)) << name;
  }
  EXPECT_THAT(
      value_of(samples,
               "surveybridge_job_last_success_timestamp_seconds{bridge_job=\"push.orders\"}"),
      Gt(0));
  ASSERT_TRUE(daemon.until([&] { return ready() == "503"; }));
  server_.start();
  crm_.reconnect();
  crm_.insert(orders(10, 4));
  EXPECT_TRUE(daemon.until([&] {
    return now_at("surveybridge_database_up") == 1 && ready() == "200" &&
           crm_.cell("SELECT count(*) FROM survey_customer") == "13";
  }));
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"), "13");
  EXPECT_EQ(sandbox_.customers().size(), 13u) << "each once";
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(MetricsOf, AReloadedDaemonGoOnWithoutThoseOfFormerJobs) {
  Daemon daemon(config_);
  const std::string success = "surveybridge_job_last_success_timestamp_seconds{bridge_job=\"";
  const std::string former = success + "pull.bouncers.TransactionDate\"}";
  const std::string pages = "surveybridge_pages_total{list=\"bouncers\",walk=\"TransactionDate\"}";
  ASSERT_TRUE(daemon.until([&] {
    return now_at(kSent) == 3 && value_of(last_, former) > 0 && value_of(last_, pages) > 0;
  }));
  folder_.write("bridge.toml", replaced(support::read_file(config_),
                                        "[pull.bouncers]\nevery     = \"1s\"\n"
                                        "look_back = \"3650d\"\n",
                                        ""));
  daemon.child().signal(SIGHUP);
  ASSERT_TRUE(daemon.says("the configuration was read anew"));
  ASSERT_TRUE(daemon.until([&] { return now_at(former) == -1 && !last_.empty(); }));
  EXPECT_EQ(value_of(last_, kSent), 3);
  EXPECT_THAT(value_of(last_, success + "push.orders\"}"), Gt(0));
  EXPECT_THAT(value_of(last_, pages), Gt(0)) << "what was counted stays counted";
}

}  // namespace
}  // namespace program
