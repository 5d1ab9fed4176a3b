// Cases as text: each configuration is read and comes to what is expected of it: every problem, one
// on each line, or the settings (dump.hpp).
#include "tests/config/cases.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "config/sections/load.hpp"
#include "config/settings.hpp"
#include "tests/config/dump.hpp"

namespace surveybridge::config {
namespace {

std::string outcome(const std::string& name) {
  const auto read = parse(case_text(name), name + ".toml");
  if (const auto* settings = std::get_if<Settings>(&read)) return dump(*settings);
  std::string text;
  for (const Problem& problem : std::get<1>(read))
    text += to_string(problem) + "\n";
  return text;
}

class ConfigurationCase : public testing::TestWithParam<std::string> {};

TEST_P(ConfigurationCase, ComesToWhatIsExpected) {
  EXPECT_EQ(outcome(GetParam()), case_expected(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(File, ConfigurationCase, testing::ValuesIn(case_names()),
                         [](const auto& of) { return of.param; });

TEST(Cases, HoldAsManyBadOnesAsGood) {
  const std::vector<std::string> all = case_names();
  const auto bad = std::count_if(all.begin(), all.end(), [](const std::string& name) {
    return case_expected(name).starts_with(name + ".toml:");
  });
  EXPECT_GE(all.size(), 60U);
  EXPECT_GE(bad, std::ssize(all) - bad);
}

}  // namespace
}  // namespace surveybridge::config
