// The systems that `init` knows, and how it finds their tables among others.
#include "daemon/init/system_template.hpp"

#include <gmock/gmock.h>

#include "daemon/job/replaced.hpp"

namespace surveybridge::daemon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

SystemTemplate shop() {
  SystemTemplate system;
  system.tables = {"orders", "order_history"};
  system.query = "SELECT * FROM {prefix}orders JOIN {prefix}order_history";
  system.write = "table = \"{prefix}orders\"\nmatch = { id = \"Data[{column}]\" }";
  return system;
}

TEST(SystemTemplate, HasAllThatInitAsksAQueryFor) {
  EXPECT_THAT(template_names(),
              ElementsAre("dolibarr", "espocrm", "odoo", "prestashop", "woocommerce", "zammad"));
  for (const SystemTemplate& each : system_templates()) {
    for (const std::string& text : {each.title, each.push, each.key, each.when, each.email,
                                    each.write, each.notes, each.suppress})
      EXPECT_NE(text, "") << each.name;
    EXPECT_THAT(each.write, HasSubstr("\npush = \"{push}\"\n")) << each.name;
    EXPECT_EQ(each.needs.empty(), each.else_says.empty()) << each.name;
    const SystemTemplate ready = with_prefix(each, "x_");
    for (const std::string& table : each.tables)
      EXPECT_THAT(replaced(ready.query, "`", "") + ready.suppress, HasSubstr("x_" + table));
    for (const std::string& text : {ready.query, ready.suppress, ready.write, ready.needs})
      EXPECT_THAT(text, Not(HasSubstr("{prefix}"))) << each.name;
  }
}

TEST(SystemTemplate, IsFoundByAllItsTablesBehindOnePrefix) {
  EXPECT_THAT(prefixes_of(shop(), {"ps_order_history", "ps_orders", "users"}), ElementsAre("ps_"));
  EXPECT_THAT(prefixes_of(shop(), {"order_history", "orders"}), ElementsAre(""));
  EXPECT_THAT(prefixes_of(shop(), {"a.ps_order_history", "a.ps_orders", "ps2_order_history",
                                   "ps2_orders", "ps3_orders"}),
              ElementsAre("a.ps_", "ps2_"));
  EXPECT_THAT(prefixes_of(shop(), {"a_orders", "b_order_history"}), IsEmpty());
  EXPECT_THAT(prefixes_of(shop(), {"x;--_orders", "x;--_order_history"}), IsEmpty());
  EXPECT_THAT(prefixes_of(shop(), {"\"A\".orders", "\"A\".order_history"}), IsEmpty());
}

TEST(SystemTemplate, PutsThePrefixBeforeEachTable) {
  const auto system = with_prefix(shop(), "ps_");
  EXPECT_EQ(system.query, "SELECT * FROM ps_orders JOIN ps_order_history");
  EXPECT_EQ(replaced(system.write, "{column}", "OrderNumber"),
            "table = \"ps_orders\"\nmatch = { id = \"Data[OrderNumber]\" }");
}

}  // namespace
}  // namespace surveybridge::daemon
