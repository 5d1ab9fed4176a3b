#include "tests/crm/golden.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace surveybridge::crm {

void expect_golden(const std::string& file, const std::string& text) {
  const std::string path = support::source_dir() + "/tests/crm/golden/" + file;
  const char* update = std::getenv("BRIDGE_UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") std::ofstream(path) << text;
  std::ostringstream stored;
  stored << std::ifstream(path).rdbuf();
  EXPECT_EQ(stored.str(), text) << file << ": look at the difference, then BRIDGE_UPDATE_GOLDEN=1";
}

}  // namespace surveybridge::crm
