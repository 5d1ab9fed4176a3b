// A thousand orders go out and come back with the real programs over real sockets, on each
// database: each exactly once, each field right, and nothing a second time. Once more in XML, with
// a service that requires its namespace and alphabetical order: all values and tables equal those
// of JSON.
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

// Where the CRM is, and the bridge's own tables.
struct Places {
  const char* name;
  Server crm;
  std::optional<Server> store = {};  // none: in the CRM's database
  const char* schema = "";           // of the CRM's database
};

std::ostream& operator<<(std::ostream& out, const Places& places) {
  return out << places.name;
}

std::map<std::string, std::string> pairs(Crm& crm, const std::string& sql) {
  std::map<std::string, std::string> all;
  for (const auto& row : crm.rows(sql))
    all[row.at(0)] = row.at(1);
  return all;
}

class RoundTrip : public testing::TestWithParam<Places> {
 public:
  RoundTrip() { crm_.insert(orders_); }

 protected:
  support::Finished sync(const Arguments& names = {}) {
    Arguments arguments{"sync", "-c", config_};
    arguments.insert(arguments.end(), names.begin(), names.end());
    return bridge(arguments);
  }
  // Pulls until every customer is finished, and once more.
  void pull_all() {
    const auto end = std::chrono::steady_clock::now() + kLife;
    while (std::chrono::steady_clock::now() < end)
      ASSERT_EQ(sync({"pull"}).status, 0);
    ASSERT_EQ(sync({"pull"}).status, 0);
  }

  std::string configured() const {
    std::string text = configuration(crm_.connection(), sandbox_.url());
    if (GetParam().store)
      return text + "[store]\nconnection = \"" + own_tables_->connection() + "\"\n";
    if (own_tables_) return text + "[store]\nschema = \"" + GetParam().schema + "\"\n";
    return text;
  }
  std::unique_ptr<Crm> own_tables() const {
    if (GetParam().store) return std::make_unique<Crm>(*GetParam().store);
    if (*GetParam().schema != '\0') return std::make_unique<Crm>(crm_, GetParam().schema);
    return nullptr;
  }
  Crm& tables() { return own_tables_ ? *own_tables_ : crm_; }
  Server server_of_tables() const { return GetParam().store.value_or(GetParam().crm); }
  // The status of each order, as the CRM has it, and as the pulled tables have it.
  std::map<std::string, std::string> written_back() {
    return pairs(crm_, "SELECT id, survey_status FROM orders");
  }
  std::map<std::string, std::string> pulled() {
    return pairs(tables(),
                 "SELECT d.value, c.status_name FROM survey_customer_data d JOIN survey_customer c"
                 " ON c.id = d.customer_id WHERE d.name = 'OrderNumber'");
  }

  Crm crm_{GetParam().crm};
  std::unique_ptr<Crm> own_tables_ = own_tables();
  SandboxProgram sandbox_{{"--speed", "5000000"}};
  support::TemporaryFolder folder_;
  std::string config_ = folder_.write("bridge.toml", configured());
  std::vector<Order> orders_ = orders(kOrders);
};

// The service's customers by order number; fails if an order is there twice.
std::map<std::string, nlohmann::json> by_number(const std::vector<nlohmann::json>& customers) {
  std::map<std::string, nlohmann::json> found;
  for (const auto& customer : customers) {
    const std::string number = customer.at("data").at("OrderNumber");
    EXPECT_TRUE(found.emplace(number, held(customer)).second) << "twice: " << number;
  }
  return found;
}

// Then the tables equal what the service lists, and stay as they are.
TEST_P(RoundTrip, EveryOrderArrivesOnceAndComesBackWithEveryFieldRight) {
  const auto pushed = sync({"push"});
  ASSERT_EQ(pushed.status, 0) << pushed.out << pushed.err;
  const auto found = by_number(sandbox_.customers());
  EXPECT_EQ(found.size(), orders_.size());
  for (const Order& order : orders_) {
    const auto at = found.find(std::to_string(order.id));
    ASSERT_NE(at, found.end()) << order.id;
    ASSERT_EQ(at->second, held(order)) << nlohmann::json::diff(held(order), at->second);
  }
  EXPECT_EQ(tables().cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"), "1000");
  EXPECT_EQ(sandbox_.adds(), 10);

  pull_all();
  const ServiceLists lists(sandbox_.url());
  for (const auto& expected : lists.tables()) {
    EXPECT_EQ(first_difference(stored(tables(), expected), expected), "");
  }
  EXPECT_GT(lists.rows_in("survey_rating"), 100u) << "or there was nothing to compare";
  EXPECT_GT(lists.rows_in("survey_bouncer"), 10u);
  EXPECT_GT(lists.rows_in("survey_answer"), 1000u);
  const auto written = written_back();
  EXPECT_EQ(written.size(), 1000u);
  EXPECT_EQ(written, pulled());
  EXPECT_EQ(tables().cell("SELECT count(*) FROM survey_write_queue"), "0");

  const auto before = snapshot(tables(), server_of_tables());
  const auto adds = sandbox_.adds();
  const auto again = sync();
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(sandbox_.adds(), adds) << "a second sync sends nothing";
  EXPECT_EQ(snapshot(tables(), server_of_tables()), before) << "and rewrites nothing";
}

INSTANTIATE_TEST_SUITE_P(Databases, RoundTrip,
                         testing::Values(Places{"postgresql", Server::postgresql},
                                         Places{"odbc", Server::odbc},
                                         Places{"mariadb", Server::mariadb},
                                         Places{"mysql", Server::mysql},
                                         Places{"sqlite", Server::sqlite}),
                         [](const auto& each) { return std::string(each.param.name); });

// The bridge's tables in another database than the CRM's, or in another schema of it.
INSTANTIATE_TEST_SUITE_P(
    Apart, RoundTrip,
    testing::Values(Places{"postgresql_to_sqlite", Server::postgresql, Server::sqlite},
                    Places{"mariadb_to_postgresql", Server::mariadb, Server::postgresql},
                    Places{"mysql_to_sqlite", Server::mysql, Server::sqlite},
                    Places{"sqlite_to_postgresql", Server::sqlite, Server::postgresql},
                    Places{"postgresql_to_mariadb", Server::postgresql, Server::mariadb},
                    Places{"postgresql_to_a_schema", Server::postgresql, {}, "surveybridge"}),
    [](const auto& each) { return std::string(each.param.name); });

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
