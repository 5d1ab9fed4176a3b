// The schema of the configuration against its description, and against each case of
// tests/config/cases.
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/sections/load.hpp"
#include "config/toml/node.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/job/json_text.hpp"
#include "tests/config/cases.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::daemon {
namespace {

using config::Node;

struct NodeAsJson {
  Json operator()(const config::Date&) const { return "2026-11-01"; }
  Json operator()(const config::BareTime&) const { return nullptr; }
  Json operator()(const Node::List& list) const {
    return array_of(list, [](const Node& item) { return std::visit(NodeAsJson{}, item.value); });
  }
  Json operator()(const Node::Table& table) const {
    Json object = Json::object();
    for (const auto& entry : table)
      object[entry.key] = std::visit(NodeAsJson{}, entry.node.value);
    return object;
  }
  template <typename Plain>
  Json operator()(const Plain& value) const {
    return value;
  }
};

// The keywords that our schema uses, as draft 7 defines them.
class Validator {
 public:
  explicit Validator(const Json& root) : root_(root) {}
  bool fits(const Json& value) const { return fits(root_, value); }

 private:
  static bool is(const Json& value, const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "array") return value.is_array();
    return type == "object" && value.is_object();
  }
  static bool is_one(const Json& value, const Json& types) {
    if (types.is_string()) return is(value, types.get<std::string>());
    return std::ranges::any_of(
        types, [&](const Json& type) { return is(value, type.get<std::string>()); });
  }

  bool fits(const Json& schema, const Json& value) const {
    if (schema.is_boolean()) return schema.get<bool>();
    if (schema.contains("if") && fits(schema.at("if"), value) && !fits(schema.at("then"), value))
      return false;
    for (const auto& [word, rule] : schema.items())
      if (!obeys(schema, word, rule, value)) return false;
    return true;
  }

  bool obeys(const Json& schema, const std::string& word, const Json& rule,
             const Json& value) const {
    if (word == "$ref") return fits(root_.at("$defs").at(rule.get<std::string>().substr(8)), value);
    if (word == "type") return is_one(value, rule);
    if (word == "const") return value == rule;
    if (word == "enum") return std::ranges::find(rule, value) != rule.end();
    if (word == "not") return !fits(rule, value);
    if (word == "anyOf")
      return std::ranges::any_of(rule, [&](const Json& each) { return fits(each, value); });
    if (word == "allOf")
      return std::ranges::all_of(rule, [&](const Json& each) { return fits(each, value); });
    if (word == "pattern") return !value.is_string() || finds(rule, value.get<std::string>());
    if (word == "minimum") return !value.is_number() || value >= rule;
    if (word == "maximum") return !value.is_number() || value <= rule;
    if (word == "exclusiveMinimum") return !value.is_number() || value > rule;
    if (word == "items")
      return !value.is_array() ||
             std::ranges::all_of(value, [&](const Json& each) { return fits(rule, each); });
    if (word == "minProperties")
      return !value.is_object() || value.size() >= rule.get<std::size_t>();
    if (word == "maxProperties") return value.size() <= rule.get<std::size_t>();
    if (word == "required")
      return !value.is_object() || std::ranges::all_of(rule, [&](const Json& name) {
        return value.contains(name.get<std::string>());
      });
    if (word == "propertyNames")
      return !value.is_object() || std::ranges::all_of(value.items(), [&](const auto& member) {
        return fits(rule, Json(member.key()));
      });
    if (word == "properties") return members_fit(schema, value);
    if (word == "additionalProperties")
      return schema.contains("properties") || members_fit(schema, value);
    static const std::set<std::string> kOthers = {"$schema", "title", "description",
                                                  "$defs",   "if",    "then"};
    EXPECT_TRUE(kOthers.contains(word)) << word;
    return true;
  }

  static bool finds(const Json& pattern, const std::string& text) {
    return std::regex_search(text, std::regex(pattern.get<std::string>()));
  }

  bool members_fit(const Json& schema, const Json& value) const {
    if (!value.is_object()) return true;
    const Json known = schema.value("properties", Json::object());
    const Json others = schema.value("additionalProperties", Json(true));
    for (const auto& [name, member] : value.items())
      if (!fits(known.contains(name) ? known.at(name) : others, member)) return false;
    return true;
  }

  const Json& root_;
};

class ConfigSchema : public testing::Test {
 protected:
  // Of a text in TOML.
  bool fits(const std::string& text) {
    const auto read = config::read_toml(text, "case.toml");
    const auto* root = std::get_if<Node>(&read);
    return root != nullptr && Validator(schema_).fits(std::visit(NodeAsJson{}, root->value));
  }
  // The schema of a section of the description.
  const Json& section(const std::string& path) {
    if (path == "a source") return schema_.at("$defs").at("source");
    if (path == "a cell") return schema_.at("$defs").at("cell");
    const Json* table = &schema_;
    std::istringstream names(path);
    for (std::string name; std::getline(names, name, '.');) {
      table =
          name == "NAME" ? &table->at("additionalProperties") : &table->at("properties").at(name);
      if (table->contains("anyOf"))
        table = &table->at("anyOf").at(path == "suppress.bounced" ? 1 : 0);
      if (table->contains("items")) table = &table->at("items");
    }
    return *table;
  }

  const Json schema_ = Json::parse(config_schema());
};

TEST_F(ConfigSchema, HasEachSettingWithItsMeaningAndType) {
  for (const config::Setting& setting : config::description()) {
    const std::string path = setting.section + "." + setting.key;
    const Json& table = section(setting.section);
    const bool named = setting.key == "FIELD" || setting.key == "COLUMN";
    EXPECT_TRUE(named || table.at("additionalProperties") == Json(false)) << path;
    const Json& value =
        named ? table.at("additionalProperties") : table.at("properties").at(setting.key);
    EXPECT_THAT(value.at("description").get<std::string>(),
                testing::StartsWith(setting.meaning + " (" + setting.type + ")"))
        << path;
    const bool typed = value.contains("anyOf") || value.contains("type") || value.contains("$ref");
    EXPECT_TRUE(typed || value.contains("enum")) << path;
  }
}

TEST_F(ConfigSchema, TakesEachGoodCase) {
  for (const auto& name : config::case_names()) {
    EXPECT_TRUE(!name.starts_with("good_") || fits(config::case_text(name))) << name;
  }
}

// The others need another table, arithmetic, or the grammar of SQL.
TEST_F(ConfigSchema, RefusesEachBadCaseWhoseRuleASchemaCanSay) {
  std::istringstream names(
      support::read_file(support::source_dir() + "/tests/config/cases/beyond_a_schema.txt"));
  std::set<std::string> beyond;
  for (std::string name; names >> name;)
    beyond.insert(name);
  for (const auto& name : config::case_names()) {
    if (!name.starts_with("bad_")) continue;
    EXPECT_EQ(fits(config::case_text(name)), beyond.contains(name)) << name << "\n"
                                                                    << config::case_expected(name);
  }
}

TEST_F(ConfigSchema, AsksForKeysOfAFileThatIncludesNoOther) {
  EXPECT_FALSE(fits("[service]\nbase_url = \"https://x.test\"\n"));
  EXPECT_FALSE(fits("[crm]\nconnection = \"sqlite3://crm.db\"\n[service]\n"));
  EXPECT_TRUE(fits("include = \"base.toml\"\n[service]\ntimeout = \"5s\"\n"));
  EXPECT_FALSE(fits("include = 1\n"));
}

TEST_F(ConfigSchema, TakesAValueFromOutside) {
  const std::string begin = "include = \"base.toml\"\n[service.pace]\nmax_in_flight = ";
  EXPECT_TRUE(fits(begin + "{ env = \"PACE\" }"));
  EXPECT_TRUE(fits(begin + "{ file = \"pace.txt\" }"));
  EXPECT_FALSE(fits(begin + "{ env = 1 }"));
  EXPECT_FALSE(fits(begin + "{ variable = \"PACE\" }"));
  EXPECT_FALSE(fits(begin + "65"));
}

// Of a file that includes another, so that nothing else is missing.
TEST_F(ConfigSchema, TakesTheFormsAtTheEdgeThatTheParserTakes) {
  const std::string begin = "include = \"base.toml\"\n";
  for (const auto* listen : {"127.0.0.1:0", "[::1]:65535", "10.0.0.1:00080"})
    EXPECT_TRUE(fits(begin + "[status]\nlisten = \"" + listen + "\"")) << listen;
  for (const auto* url : {"https://a.test:65535/x", "http://[::1]:1", "https://[fe80::1]:00443"})
    EXPECT_TRUE(fits(begin + "[service]\nbase_url = \"" + url + "\"")) << url;
  for (const auto* query : {"/* a */ SELECT 1", "-- a\\n# b\\n\\twith x as (select 1) select(1)"})
    EXPECT_TRUE(fits(begin + "[push.a]\nquery = \"" + query + "\"")) << query;
  for (const auto* to : {"a@x.test", " a@x.test , b@x.test "})
    EXPECT_TRUE(fits(begin + "[push.a.batch]\nNotificationEmailAddresses = \"" + to + "\"")) << to;
}

// A file that is whole by itself.
TEST_F(ConfigSchema, AsksForKeysThatBelongTogether) {
  const std::string begin =
      "[service]\nbase_url = \"https://x.test\"\nauth = { kind = \"none\" }\n"
      "[crm]\nconnection = \"sqlite3:///crm.db\"\n";
  const std::string push = begin +
                           "[push.a]\nquery = \"SELECT 1\"\nkey = \"a\"\nwhen = \"b\"\n"
                           "start = 2026-11-01\ncustomer = { Email = \"c\" }\n";
  EXPECT_TRUE(fits(push));
  EXPECT_TRUE(fits(push + "doubt = \"hold\""));
  EXPECT_FALSE(fits(push + "sample_by = \"key\""));
  const std::string domains = "test_domains = [\"x.test\"]\n";
  EXPECT_TRUE(fits(push + "[push.a.batch]\nIsTest = { env = \"TEST\" }\n" + domains));
  EXPECT_TRUE(fits(push + "[push.a.batch]\nIsTest = false\nIsConcept = true\n" + domains));
  EXPECT_FALSE(fits(push + "[push.a.batch]\nIsTest = false\n" + domains));
  EXPECT_FALSE(fits(push + "[push.a.batch]\nIsTest = true\ntest_domains = []"));
  EXPECT_TRUE(fits(begin + "[pull.customers]\nfrom = 2026-11-01\n[suppress]\nopted_out = true"));
  EXPECT_FALSE(fits(begin + "[pull.customers]\nfrom = 2026-11-01\n[suppress]\nbounced = true"));
}

}  // namespace
}  // namespace surveybridge::daemon
