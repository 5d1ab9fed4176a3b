// Anyone may push the demo's orders by trying the demo: none of them may reach a person.
#include <algorithm>
#include <cctype>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/paths.hpp"
#include "tests/tree/tree.hpp"

namespace tree {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

bool is_domain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
}

// What follows each "@", in lower case, unless it is the reserved domain or a part of it.
std::vector<std::string> real_domains(std::string_view text) {
  std::vector<std::string> found;
  for (auto i = text.find('@'); i != std::string_view::npos; i = text.find('@', i + 1)) {
    std::string domain = ".";
    for (std::size_t k = i + 1; k < text.size() && is_domain(text[k]); ++k)
      domain += static_cast<char>(std::tolower(static_cast<unsigned char>(text[k])));
    if (!ends(domain, ".example.test")) found.push_back(domain.substr(1));
  }
  return found;
}

TEST(DemoOrders, HaveOnlyReservedAddresses) {
  const Tree tree = read_tree(support::source_dir());
  const auto orders = std::find_if(tree.begin(), tree.end(),
                                   [](const File& f) { return f.path == "demo/orders.csv"; });
  ASSERT_NE(orders, tree.end());
  EXPECT_GT(std::count(orders->text.begin(), orders->text.end(), '@'), 600);
  EXPECT_THAT(real_domains(orders->text), IsEmpty());
}

TEST(DemoOrders, AreReportedWithARealAddress) {
  EXPECT_THAT(real_domains("a@example.test,b@notexample.test,C@EXAMPLE.TEST,d@e.org\n"),
              ElementsAre("notexample.test", "e.org"));
}

}  // namespace
}  // namespace tree
