// The Grafana board of monitoring/: each query parses, and asks for metrics that a real daemon has.
#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/prometheus.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

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
  const std::string config = folder.write(
      "bridge.toml", configuration(crm.connection(), sandbox.url()) +
                         "\n[status]\nlisten = \"127.0.0.1:" + std::to_string(port) + "\"\n");
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

}  // namespace
}  // namespace program
