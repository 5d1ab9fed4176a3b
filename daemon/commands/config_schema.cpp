// The JSON Schema of the configuration: each setting of the description at its place in the tree.
#include <iostream>
#include <sstream>

#include "config/sections/load.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/job/json_text.hpp"

namespace surveybridge::daemon {
namespace {

using config::Setting;

// A setting with this key, or a table of this name in a section, stands for names of the user's.
bool is_placeholder(const std::string& name) {
  return name == "NAME" || name == "FIELD" || name == "COLUMN";
}

Json& member(Json& table, const std::string& name) {
  if (name == "NAME") table["propertyNames"] = {{"pattern", "^[a-z0-9_-]{1,40}$"}};
  return is_placeholder(name) ? table["additionalProperties"] : table["properties"][name];
}

// Gives an empty schema its form: that of a table, or of a list of tables. Returns the table's.
Json& as_table(Json& schema, bool repeats) {
  if (schema.is_null() && repeats) schema = {{"type", "array"}};
  Json& table = repeats ? schema["items"] : schema;
  if (table.is_null()) table = {{"type", "object"}, {"additionalProperties", false}};
  return table;
}

// The schema of a section of the description, such as "pull.customers.walk".
Json& section_of(Json& root, const std::string& section) {
  Json* table = &root;
  std::string path;
  std::istringstream names(section);
  for (std::string name; std::getline(names, name, '.');) {
    path += (path.empty() ? "" : ".") + name;
    Json& schema = member(*table, name);
    if (schema.is_boolean()) schema = nullptr;  // a table that was closed so far
    table = &as_table(schema, config::heading_of(path).starts_with("[["));
  }
  return *table;
}

void add(Json& table, const Setting& setting) {
  Json schema = Json::parse(setting.schema);
  if (!schema.is_object()) schema = Json::object();
  schema["description"] = setting.meaning + " (" + setting.type + ")";
  if (!setting.standard.empty())
    schema["description"] =
        schema["description"].get<std::string>() + "; default: " + setting.standard;
  member(table, setting.key) = std::move(schema);
}

// Only what must be there: asked of a file that includes no other.
void add_required(Json& root, const Setting& setting) {
  if (!setting.required) return;
  Json* table = &root;
  std::istringstream names(setting.section);
  std::string path;
  for (std::string name; std::getline(names, name, '.');) {
    path += (path.empty() ? "" : ".") + name;
    Json& schema = member(*table, name);
    table = config::heading_of(path).starts_with("[[") ? &schema["items"] : &schema;
  }
  (*table)["required"].push_back(setting.key);
}

// Two sections have a short form besides their tables.
void add_short_forms(Json& suppress) {
  Json& bounced = suppress["properties"]["bounced"];
  bounced = {{"anyOf", {{{"const", true}}, bounced}}};
  Json& contact = suppress["properties"]["contact"];
  contact = {{"anyOf", {contact, {{"type", "array"}, {"items", contact}}}}};
}

// A table with a name in small letters is a source, any other one an object with fields.
Json field() {
  const Json itself = {{"$ref", "#/$defs/field"}};
  const Json constant = {{"type", {"string", "number", "boolean"}}, {"pattern", "."}};
  const Json list = {{"type", "array"}, {"items", itself}};
  const Json object = {{"type", "object"},
                       {"minProperties", 1},
                       {"propertyNames", {{"pattern", "^([^a-z]|$)"}}},
                       {"additionalProperties", itself}};
  return {{"anyOf", {constant, {{"$ref", "#/$defs/source"}}, list, object}}};
}

Json outside() {
  Json schema = {{"type", "object"}, {"minProperties", 1}, {"maxProperties", 1}};
  schema["additionalProperties"] = false;
  schema["properties"] = {{"credential", {{"type", "string"}, {"pattern", "^[^/]+$"}}},
                          {"file", {{"type", "string"}, {"pattern", "."}}},
                          {"env", {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}}}};
  return schema;
}

}  // namespace

std::string config_schema() {
  Json root = {{"$schema", "http://json-schema.org/draft-07/schema#"},
               {"title", "The configuration of surveybridge"},
               {"type", "object"},
               {"additionalProperties", false}};
  Json source, cell, whole = {{"required", {"service", "crm"}}};
  as_table(source, false);
  as_table(cell, false);
  for (const Setting& setting : config::description()) {
    if (setting.section == "a source") {
      add(source, setting);
    } else if (setting.section == "a cell") {
      add(cell, setting);
    } else {
      add(section_of(root, setting.section), setting);
      add_required(whole, setting);
    }
  }
  add_short_forms(root["properties"]["suppress"]);
  root["properties"]["push"]["additionalProperties"]["properties"]["customer"]["minProperties"] = 1;
  whole.update(Json::parse(config::suppress_rules()));
  whole["properties"]["service"]["properties"]["auth"].update(Json::parse(config::auth_rules()));
  Json& push = whole["properties"]["push"]["additionalProperties"];
  push.update(Json::parse(config::push_rules()));
  push["properties"]["batch"] = Json::parse(config::batch_rules());
  source.update(Json::parse(config::source_rules()));
  root["$defs"] = {{"outside", outside()}, {"field", field()}, {"source", source}, {"cell", cell}};
  root["if"] = {{"not", {{"required", {"include"}}}}};
  root["then"] = std::move(whole);
  return root.dump(1) + "\n";
}

ExitCode command_config_schema(const Invocation&) {
  std::cout << config_schema();
  return kDone;
}

}  // namespace surveybridge::daemon
