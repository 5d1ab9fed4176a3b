#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "config/sections/load.hpp"

namespace surveybridge::config {
namespace {

const Setting* find(const std::vector<Setting>& all, const std::string& section,
                    const std::string& key) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Setting& each) {
    return each.section == section && each.key == key;
  });
  return found == all.end() ? nullptr : &*found;
}

TEST(Description, SaysTypeAndMeaningOfEverySettingOnce) {
  std::set<std::string> seen;
  for (const Setting& setting : description()) {
    const std::string path = setting.section + "." + setting.key;
    EXPECT_TRUE(seen.insert(path).second) << path;
    EXPECT_FALSE(setting.type.empty()) << path;
    EXPECT_FALSE(setting.meaning.empty()) << path;
    EXPECT_FALSE(setting.required && !setting.standard.empty()) << path;
  }
  EXPECT_GT(seen.size(), 70U);
}

TEST(Description, TakesRangesAndDefaultsFromTheSettings) {
  const std::vector<Setting> all = description();
  const Setting* in_flight = find(all, "service.pace", "max_in_flight");
  ASSERT_NE(in_flight, nullptr);
  EXPECT_EQ(in_flight->type, "an integer from 1 to 64");
  EXPECT_EQ(in_flight->standard, "4");
  EXPECT_EQ(find(all, "service", "timeout")->standard, "\"1m\"");
  EXPECT_EQ(find(all, "service", "format")->standard, "\"json\"");
  EXPECT_EQ(find(all, "push.NAME", "look_back")->standard, "\"7d\"");
  EXPECT_EQ(find(all, "push.NAME.batch", "size")->standard, "100");
}

TEST(Description, SaysWhatIsRequired) {
  const std::vector<Setting> all = description();
  EXPECT_TRUE(find(all, "service", "base_url")->required);
  EXPECT_TRUE(find(all, "push.NAME", "start")->required);
  EXPECT_TRUE(find(all, "pull.bouncers", "look_back")->required);
  EXPECT_FALSE(find(all, "service", "format")->required);
}

TEST(Description, HoldsWhatEachListAllows) {
  const std::vector<Setting> all = description();
  EXPECT_NE(find(all, "pull.customers", "from"), nullptr);
  EXPECT_EQ(find(all, "pull.bouncers", "from"), nullptr);
  EXPECT_NE(find(all, "pull.customers.write", "match"), nullptr);
  EXPECT_EQ(find(all, "pull.ratings", "by")->type, "\"ReviewApprovedDate\"");
}

}  // namespace
}  // namespace surveybridge::config
