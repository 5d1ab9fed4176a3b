// The thousand orders once more in XML, with a service that requires its namespace and alphabetical
// order: all values and tables equal those of JSON.
#include <map>

#include <gmock/gmock.h>

#include "mapping/tables/tables.hpp"
#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/program/tables.hpp"

namespace program {
namespace {

namespace mapping = surveybridge::mapping;

constexpr int kOrders = 1000;
// Customers live five million times faster than in reality: after this time nothing changes.
constexpr std::chrono::seconds kLife{3};

const std::string kNamespace = "http://schemas.example.com/import";

std::string in_xml(const std::string& configuration) {
  const std::string service = "[service]\nformat = \"xml\"\n";
  const std::string dialect = "[service.dialect]\nxml_namespace = \"" + kNamespace + "\"\n";
  return replaced(configuration, "[service]\n", service) + dialect;
}

// Notes are listed only on request.
std::string with_notes(const std::string& configuration) {
  return replaced(configuration, "by      = \"LastActivityDate\"\n",
                  "by      = \"LastActivityDate\"\nfilter  = { IncludeNotes = true }\n");
}

struct XmlRoundTrip : testing::Test {
  XmlRoundTrip() {
    xml_.insert(orders_);
    json_.insert(orders_);
  }
  support::Finished sync(const std::string& config, const std::string& what) {
    return bridge({"sync", "-c", config, what});
  }

  Crm xml_{Server::postgresql}, json_{Server::postgresql};
  SandboxProgram sandbox_{{"--speed", "5000000", "--xml-prefix", "s", "--xml-expect-namespace",
                           kNamespace, "--xml-expect-order"}};
  support::TemporaryFolder folder_;
  std::vector<Order> orders_ = orders(kOrders);
  std::string xml_config_ = folder_.write(
      "xml.toml", in_xml(with_notes(configuration(xml_.connection(), sandbox_.url()))));
  std::string json_config_ =
      folder_.write("json.toml", with_notes(configuration(json_.connection(), sandbox_.url())));
};

// Columns that both formats fill alike.
std::vector<std::string> columns_of(const mapping::Table& table) {
  std::vector<std::string> columns;
  for (const auto& column : table.columns)
    if (column.name != "digest" && column.name != "changed_at") columns.push_back(column.name);
  return columns;
}

std::string listed(const std::vector<std::string>& columns) {
  std::string text;
  for (const std::string& column : columns)
    text += (text.empty() ? "\"" : ", \"") + column + "\"";
  return text;
}

std::string keys_of(const mapping::Table& table) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < table.key_size; ++i)
    keys.push_back(table.columns[i].name);
  return listed(keys);
}

void expect_alike(Crm& xml, Crm& json, const mapping::Table& table) {
  const auto rows = [&](Crm& crm) {
    return crm.rows("SELECT " + listed(columns_of(table)) + " FROM " + table.name + " ORDER BY " +
                    keys_of(table));
  };
  const auto in_json = rows(json);
  EXPECT_EQ(rows(xml), in_json) << table.name;
  EXPECT_TRUE(table.name == "survey_answer_file" || !in_json.empty()) << table.name;
}

TEST_F(XmlRoundTrip, EqualsTheOneInJsonFieldByField) {
  const auto pushed = sync(xml_config_, "push");
  ASSERT_EQ(pushed.status, 0) << pushed.out << pushed.err;
  EXPECT_EQ(sandbox_.adds(), kOrders / 100);
  std::map<std::string, nlohmann::json> found;
  for (const auto& customer : sandbox_.customers())
    EXPECT_TRUE(found.emplace(customer.at("data").at("OrderNumber"), held(customer)).second);
  for (const Order& order : orders_) {
    const auto& there = found[std::to_string(order.id)];
    ASSERT_EQ(there, held(order)) << nlohmann::json::diff(held(order), there);
  }

  const auto end = std::chrono::steady_clock::now() + kLife;
  while (std::chrono::steady_clock::now() < end)
    ASSERT_EQ(sync(xml_config_, "pull").status, 0);
  ASSERT_EQ(sync(xml_config_, "pull").status, 0);
  ASSERT_EQ(sync(json_config_, "pull").status, 0);
  for (const mapping::Resource* root :
       {&mapping::customer(), &mapping::rating(), &mapping::bouncer(), &mapping::status(),
        &mapping::data_column()}) {
    for (const mapping::Table& table : mapping::tables_of(*root))
      expect_alike(xml_, json_, table);
  }
  EXPECT_EQ(xml_.rows("SELECT id, survey_status, survey_score FROM orders ORDER BY id"),
            json_.rows("SELECT id, survey_status, survey_score FROM orders ORDER BY id"));
}

}  // namespace
}  // namespace program
