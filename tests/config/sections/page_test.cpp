#include "tests/config/page.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "config/sections/load.hpp"
#include "config/settings.hpp"
#include "tests/support/paths.hpp"

namespace surveybridge::config {
namespace {

const std::string kPage = support::source_dir() + "/docs/CONFIG.md";

constexpr std::string_view kBefore = R"([service]
base_url = "https://surveys.example.com"
[crm]
connection = "sqlite3://crm.db"
[push.orders]
query = "SELECT * FROM orders"
key = "id"
when = "at"
start = 2026-11-01
[push.orders.customer]
)";

TEST(ConfigPage, IsCurrent) {
  if (std::getenv("BRIDGE_UPDATE_GOLDEN") != nullptr) std::ofstream(kPage) << config_page();
  std::ostringstream there;
  there << std::ifstream(kPage).rdbuf();
  EXPECT_TRUE(there.str() == config_page()) << "docs/CONFIG.md says how to write it anew";
}

TEST(ConfigPage, ShowsAnExampleThatCanBeRead) {
  const std::string page = config_page();
  const std::string_view opening = "```toml\n";
  const auto begin = page.find(opening) + opening.size();
  const auto end = page.find("```", begin);
  const auto read = parse(std::string(kBefore) + page.substr(begin, end - begin), "page.toml");
  const auto* problems = std::get_if<std::vector<Problem>>(&read);
  EXPECT_EQ(problems == nullptr ? "" : to_string(problems->front()), "");
}

}  // namespace
}  // namespace surveybridge::config
