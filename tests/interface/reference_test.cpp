#include "tests/interface/reference.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace interface {
namespace {

const std::string kPage = support::source_dir() + "/docs/REFERENCE.md";

TEST(Reference, IsCurrent) {
  if (std::getenv("BRIDGE_UPDATE_GOLDEN") != nullptr) std::ofstream(kPage) << reference_page();
  std::ostringstream there;
  there << std::ifstream(kPage).rdbuf();
  EXPECT_TRUE(there.str() == reference_page()) << "docs/REFERENCE.md says how to write it anew";
}

}  // namespace
}  // namespace interface
