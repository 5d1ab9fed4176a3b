// Cases as text: cases/NAME.toml is read, and cases/NAME.txt has the expected result: every
// problem, one on each line, or the settings (dump.hpp). A first line "# and: service crm" adds
// short valid versions of those sections after the case.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "config/sections/load.hpp"
#include "config/settings.hpp"
#include "tests/config/dump.hpp"
#include "tests/support/paths.hpp"

namespace surveybridge::config {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::string> kSections = {
    {"service", "\n[service]\nbase_url = \"https://surveys.example.com\"\n"},
    {"crm", "\n[crm]\nconnection = \"sqlite3://crm.db\"\n"},
    {"push",
     "\n[push.orders]\nquery = \"SELECT id, at, email FROM orders\"\nkey = \"id\"\n"
     "when = \"at\"\nstart = 2026-11-01\n"},
    {"customer", "\n[push.orders.customer]\nEmail = \"email\"\n"},
};

fs::path cases() {
  return fs::path(support::source_dir()) / "tests/config/cases";
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string completed(std::string text) {
  const std::string_view mark = "# and: ";
  if (!text.starts_with(mark)) return text;
  std::istringstream words(text.substr(mark.size(), text.find('\n') - mark.size()));
  for (std::string word; words >> word;)
    text += kSections.at(word);
  return text;
}

std::string outcome(const fs::path& file) {
  const auto read = parse(completed(content(file)), file.filename());
  if (const auto* settings = std::get_if<Settings>(&read)) return dump(*settings);
  std::string text;
  for (const Problem& problem : std::get<1>(read))
    text += to_string(problem) + "\n";
  return text;
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto& file : fs::directory_iterator(cases())) {
    if (file.path().extension() == ".toml") found.push_back(file.path().stem());
  }
  std::sort(found.begin(), found.end());
  return found;
}

class ConfigurationCase : public testing::TestWithParam<std::string> {};

TEST_P(ConfigurationCase, ComesToWhatIsExpected) {
  EXPECT_EQ(outcome(cases() / (GetParam() + ".toml")), content(cases() / (GetParam() + ".txt")));
}

INSTANTIATE_TEST_SUITE_P(File, ConfigurationCase, testing::ValuesIn(names()),
                         [](const auto& of) { return of.param; });

TEST(Cases, HoldAsManyBadOnesAsGood) {
  const std::vector<std::string> all = names();
  const auto bad = std::count_if(all.begin(), all.end(), [](const std::string& name) {
    return content(cases() / (name + ".txt")).starts_with(name + ".toml:");
  });
  EXPECT_GE(all.size(), 60U);
  EXPECT_GE(bad, std::ssize(all) - bad);
}

}  // namespace
}  // namespace surveybridge::config
