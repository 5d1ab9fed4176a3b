// What is written is read back by the loader, whatever the texts hold.
#include "daemon/init/new_configuration.hpp"

#include <gmock/gmock.h>

#include "config/sections/load.hpp"

namespace surveybridge::daemon {
namespace {

using config::Secret;
using testing::HasSubstr;

NewSettings usual_settings() {
  NewSettings settings;
  settings.base_url = "https://surveys.example.com";
  settings.auth.kind = config::Auth::Kind::bearer;
  settings.auth.token = {Secret::From::credential, "token"};
  settings.connection = {Secret::From::plain, "sqlite3:///srv/crm.db"};
  settings.time_zone = "Europe/Amsterdam";
  settings.query = "SELECT * FROM orders";
  settings.key = "id";
  settings.when = "delivered_at";
  settings.start = "2026-11-15";
  settings.email = "email";
  settings.correlate = "OrderNumber";
  settings.data = {{"OrderNumber", "id"}, {"FirstName", "first_name"}};
  return settings;
}

config::Settings loaded(const NewSettings& settings) {
  const std::string text = configuration_text(settings);
  auto read = config::parse(text, "new.toml");
  if (const auto* problems = std::get_if<std::vector<config::Problem>>(&read)) {
    for (const auto& problem : *problems)
      ADD_FAILURE() << to_string(problem) << "\n" << text;
    return {};
  }
  return std::get<config::Settings>(std::move(read));
}

TEST(NewConfiguration, IsReadBackAsItWasMeant) {
  const auto settings = loaded(usual_settings());
  EXPECT_EQ(settings.service.base_url, "https://surveys.example.com");
  EXPECT_EQ(settings.service.auth.token.name, "token");
  EXPECT_EQ(settings.crm.connection.name, "sqlite3:///srv/crm.db");
  EXPECT_EQ(settings.crm.time_zone, "Europe/Amsterdam");
  ASSERT_EQ(settings.pushes.size(), 1u);
  const auto& push = settings.pushes.front();
  EXPECT_EQ(push.name, "orders");
  EXPECT_EQ(push.key + " " + push.when, "id delivered_at");
  EXPECT_EQ(push.start.local, std::chrono::local_days(std::chrono::year(2026) / 11 / 15));
  EXPECT_EQ(push.correlate, "OrderNumber");
  ASSERT_EQ(push.data.size(), 2u);
  EXPECT_EQ(push.data[1].column + "<-" + push.data[1].source.column, "FirstName<-first_name");
  EXPECT_TRUE(push.brake);
  EXPECT_EQ(settings.pulls.size(), 1u);
}

TEST(NewConfiguration, HasTheStoreThatWasChosenAndOtherwiseAComment) {
  auto settings = usual_settings();
  EXPECT_THAT(configuration_text(settings), HasSubstr("\n# [store]  "));
  EXPECT_FALSE(loaded(settings).store);
  settings.store.emplace().schema = "survey \"store\"";
  EXPECT_EQ(loaded(settings).store.value().schema, "survey \"store\"");
  EXPECT_FALSE(loaded(settings).store.value().connection.set());
  settings.store.emplace().connection = {Secret::From::credential, "store-connection"};
  EXPECT_EQ(loaded(settings).store.value().connection.name, "store-connection");
}

TEST(NewConfiguration, KeepsEveryQueryAsItIs) {
  for (const std::string query :
       {"SELECT 'it''s', \"Order No\" FROM t", "SELECT '\\' || x'00' FROM t",
        "SELECT a\nFROM t\nWHERE b = 'x'", "SELECT '''\n' FROM \"t\"",
        "SELECT \"\"\"\n\\n\t'''\r\n FROM t", "SELECT a FROM t -- ends with '\n, u WHERE x = 'y'",
        "SELECT '𝄞 é' FROM t # no comment", "SELECT \"a\\\"\"\"\" FROM t"}) {
    auto settings = usual_settings();
    settings.query = query;
    EXPECT_EQ(loaded(settings).pushes.at(0).query, query);
  }
}

TEST(NewConfiguration, KeepsHostileNames) {
  for (const std::string name : {"\"; DROP TABLE orders; --", "a]\"b'c\\", "# no comment", "a = 1",
                                 "é.ü", "'''", "\"\"\"", " blank "}) {
    auto settings = usual_settings();
    settings.key = settings.when = settings.email = name;
    settings.correlate = name;
    settings.data = {{name, name}};
    const auto push = loaded(settings).pushes.at(0);
    EXPECT_EQ(push.key, name);
    EXPECT_EQ(push.when, name);
    EXPECT_EQ(push.customer.rules.at(0).source.column, name);
    EXPECT_EQ(push.data.at(0).column, name);
    EXPECT_EQ(push.data.at(0).source.column, name);
  }
}

TEST(NewConfiguration, RefersToSecretsOfEveryKindOfAuthentication) {
  using Kind = config::Auth::Kind;
  auto settings = usual_settings();
  settings.auth = {};
  settings.auth.kind = Kind::oauth2;
  settings.auth.token_url = "https://login.example.com/token";
  settings.auth.client_id = "crm";
  settings.auth.scope = "surveys";
  settings.auth.client_secret = {Secret::From::file, "/srv/a \"b\""};
  settings.connection = {Secret::From::env, "CRM"};
  const auto oauth2 = loaded(settings);
  EXPECT_EQ(oauth2.service.auth.client_secret.name, "/srv/a \"b\"");
  EXPECT_EQ(oauth2.service.auth.scope, "surveys");
  EXPECT_EQ(oauth2.crm.connection.from, Secret::From::env);
  settings.auth.kind = Kind::basic;
  settings.auth.user = "bridge";
  settings.auth.password = {Secret::From::env, "PASSWORD"};
  EXPECT_EQ(loaded(settings).service.auth.password.name, "PASSWORD");
  settings.auth.kind = Kind::header;
  settings.auth.header = "X-Api-Key";
  settings.auth.token = {Secret::From::credential, "token"};
  EXPECT_EQ(loaded(settings).service.auth.header, "X-Api-Key");
  settings.auth.kind = Kind::none;
  EXPECT_EQ(loaded(settings).service.auth.kind, Kind::none);
}

TEST(NewConfiguration, NamesTheDataColumnsThatGetNothing) {
  auto settings = usual_settings();
  settings.left_out = {"Country", "a\"\nb"};
  EXPECT_THAT(configuration_text(settings),
              HasSubstr("FirstName = \"first_name\"\n# Country = \"COLUMN\"  "));
  EXPECT_EQ(loaded(settings).pushes.at(0).data.size(), 2u);
  settings.data.clear();
  settings.correlate.clear();
  EXPECT_THAT(configuration_text(settings), HasSubstr("\n# [push.orders.customer.Data]"));
  EXPECT_EQ(loaded(settings).pushes.at(0).data.size(), 0u);
}

TEST(NewConfiguration, NamesTheColumnsOfTheQueryThatNothingUses) {
  auto settings = usual_settings();
  settings.unused = {"branch", "a\"\nb"};
  EXPECT_THAT(configuration_text(settings), HasSubstr("\n# FIELD = \"branch\"  "));
  EXPECT_EQ(loaded(settings).pushes.at(0).data.size(), 2u);
}

TEST(NewConfiguration, HasTheNotesTheOptOutsAndTheWriteBackOfASystem) {
  auto settings = usual_settings();
  settings.system.title = "Shop";
  settings.system.notes = "Shop: orders.\n- \"start = 1\" is no setting here.\n";
  settings.system.suppress = "SELECT email FROM \"gone\"";
  settings.system.write =
      "# made by hand\n[[pull.customers.write]]\ntable = \"orders\"\n"
      "match = { id = \"Data[{column}]\" }\nset = { status = \"Status.StatusName\" }\n"
      "push = \"{push}\"\n";
  const auto not_there = loaded(settings);
  EXPECT_FALSE(not_there.suppress);
  EXPECT_THAT(not_there.pulls.at(0).writes, testing::SizeIs(0));
  settings.knows_opt_outs = true;
  settings.write_problem.clear();
  const auto there = loaded(settings);
  ASSERT_TRUE(there.suppress);
  ASSERT_EQ(there.suppress->lists.size(), 1u);
  EXPECT_EQ(there.suppress->lists.front().query, settings.system.suppress);
  ASSERT_EQ(there.pulls.at(0).writes.size(), 1u);
  EXPECT_EQ(there.pulls.at(0).writes.front().push, settings.push);
  EXPECT_THAT(configuration_text(settings), HasSubstr("id = \"Data[OrderNumber]\""));
}

TEST(NewConfiguration, SaysWhatItsLinesMean) {
  const std::string text = configuration_text(usual_settings());
  EXPECT_THAT(text, HasSubstr("\nkey = \"id\"  # names a transaction"));
  EXPECT_THAT(text, HasSubstr("# [suppress]"));
}

}  // namespace
}  // namespace surveybridge::daemon
