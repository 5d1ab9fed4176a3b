// The configuration file of the package: three values are to be filled in, and nothing else.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/sections/load.hpp"
#include "tests/support/paths.hpp"

namespace surveybridge::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string packaged_file() {
  std::ostringstream text;
  text << std::ifstream(support::source_dir() + "/packaging/surveybridge.toml").rdbuf();
  return text.str();
}

std::string filled(std::string text, const std::string& empty, const std::string& value) {
  const auto at = text.find(empty);
  EXPECT_NE(at, std::string::npos) << empty;
  return at == std::string::npos ? text : text.replace(at, empty.size(), value);
}

std::vector<std::string> problems_of(const std::string& text) {
  std::vector<std::string> all;
  const auto read = parse(text, "packaged.toml");
  if (const auto* problems = std::get_if<std::vector<Problem>>(&read))
    for (const auto& problem : *problems)
      all.push_back(to_string(problem));
  return all;
}

TEST(PackagedFile, LacksThreeValues) {
  EXPECT_THAT(problems_of(packaged_file()),
              ElementsAre(HasSubstr("service.base_url"), HasSubstr("crm.connection"),
                          HasSubstr("push.orders.query")));
}

TEST(PackagedFile, IsCompleteOnceTheyAreFilledIn) {
  std::string text = filled(packaged_file(), "base_url = \"\"", "base_url = \"https://s.example\"");
  text = filled(text, "connection = \"\"", "connection = \"sqlite3:///var/lib/crm.db\"");
  text = filled(text, "query = \"\"", "query = \"SELECT id, email, delivered_at FROM orders\"");
  EXPECT_THAT(problems_of(text), testing::IsEmpty());
}

}  // namespace
}  // namespace surveybridge::config
