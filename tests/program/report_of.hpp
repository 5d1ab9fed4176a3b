// `surveybridge report` over what a real bridge has pulled, and its JSON.
#pragma once

#include <ctime>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {

inline constexpr const char* kReport = R"(
[report]
segments = ["Product"]
hidden   = ["FirstName", "LastName"]
least    = 1
[[report.question]]
id    = 1200
label = "Recommend"
kind  = "nps"
)";

inline std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Those that a report must not have.
inline std::vector<std::string> private_words_of_report(const std::string& text) {
  auto words = private_words_in(text);
  std::erase(words, kDomain);
  if (text.find(std::string("@") + kDomain) != std::string::npos) words.emplace_back("an address");
  return words;
}

// Of "2026-11-02 12:00:00" and the like, since 1970.
inline double seconds_of(const std::string& time) {
  std::tm parts{};
  std::istringstream(time.substr(0, 10) + " " + time.substr(11, 8)) >>
      std::get_time(&parts, "%Y-%m-%d %H:%M:%S");
  return static_cast<double>(timegm(&parts));
}

class ReportOf : public testing::TestWithParam<Server> {
 protected:
  // Everything goes out, is answered and comes back.
  void pull_everything() {
    ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);
    for (int i = 0; i < 30; ++i) {
      ASSERT_EQ(bridge({"sync", "pull", "-c", config_}).status, 0);
      const auto finished = count("survey_customer WHERE survey_finished_date IS NOT NULL");
      if (std::exchange(finished_, finished) == finished && finished > 0) return;
    }
    FAIL() << "nobody answers";
  }
  // Not by bridge(): the domains of bounces belong into a report.
  support::Finished report(const Arguments& more = {}) {
    Arguments words = {"report", "-c", config_, "--from", "2025-01-01"};
    words.insert(words.end(), more.begin(), more.end());
    return support::run(bridge_program(words), std::chrono::seconds(120));
  }
  std::int64_t count(const std::string& from) {
    return std::stoll(crm_.cell("SELECT COUNT(*) FROM " + from));
  }

  Crm crm_{GetParam()};
  SandboxProgram sandbox_{{"--speed", "500000000"}};
  support::TemporaryFolder folder_;
  std::string config_ =
      folder_.write("bridge.toml", configuration(crm_.connection(), sandbox_.url()) + kReport);
  std::int64_t finished_ = 0;  // as counted last
};

// The rows of a table of the report, by the text in its first column.
inline std::map<std::string, nlohmann::json> rows_of(const nlohmann::json& report,
                                                     const std::string& id,
                                                     const std::string& key) {
  std::map<std::string, nlohmann::json> rows;
  for (const auto& table : report.at("tables")) {
    if (table.at("id") != id) continue;
    for (const auto& row : table.at("rows"))
      rows[row.at(key).get<std::string>()] = row;
  }
  return rows;
}

inline std::int64_t sum_of(const nlohmann::json& report, const std::string& id,
                           const std::string& column) {
  std::int64_t all = 0;
  for (const auto& table : report.at("tables")) {
    if (table.at("id") != id) continue;
    for (const auto& row : table.at("rows"))
      all += row.at(column).get<std::int64_t>();
  }
  return all;
}

}  // namespace program
