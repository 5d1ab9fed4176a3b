#include "daemon/init/system_template.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "config/toml/node.hpp"
#include "daemon/commands/embedded_files.hpp"
#include "daemon/job/replaced.hpp"

namespace surveybridge::daemon {

namespace {

const config::Node& value_of(const config::Node::Table& table, const char* key) {
  static const config::Node empty{{}, std::string()};
  const config::Entry* entry = config::find(table, key);
  return entry == nullptr ? empty : entry->node;
}

// What is compiled in has the right form, or a test would have failed.
SystemTemplate read_template(const EmbeddedFile& file) {
  const std::string name(file.name.substr(0, file.name.find('.')));
  const auto read = config::read_toml(std::string(file.text), name);
  const auto& table = std::get<config::Node::Table>(std::get<config::Node>(read).value);
  const auto text_of = [&](const char* key) {
    return std::get<std::string>(value_of(table, key).value);
  };
  SystemTemplate system{name,
                        text_of("title"),
                        {},
                        text_of("time_zone"),
                        text_of("push"),
                        text_of("query"),
                        text_of("key"),
                        text_of("when"),
                        text_of("email"),
                        text_of("suppress"),
                        text_of("write"),
                        text_of("needs"),
                        text_of("else_says"),
                        text_of("notes")};
  for (const config::Node& each : std::get<config::Node::List>(value_of(table, "tables").value))
    system.tables.push_back(std::get<std::string>(each.value));
  return system;
}

// It goes into SQL and TOML as it is.
bool is_plain_prefix(std::string_view prefix) {
  return std::ranges::all_of(
      prefix, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; });
}

}  // namespace

const std::vector<SystemTemplate>& system_templates() {
  static const std::vector<SystemTemplate> all = [] {
    std::vector<SystemTemplate> read;
    for (const auto& file : system_template_files())
      read.push_back(read_template(file));
    return read;
  }();
  return all;
}

std::vector<std::string> template_names() {
  std::vector<std::string> names;
  for (const SystemTemplate& each : system_templates())
    names.push_back(each.name);
  return names;
}

std::vector<std::string> prefixes_of(const SystemTemplate& system,
                                     const std::vector<std::string>& tables) {
  const std::set<std::string> known(tables.begin(), tables.end());
  std::vector<std::string> prefixes;
  for (const std::string& table : tables) {
    if (!table.ends_with(system.tables.front())) continue;
    std::string prefix = table.substr(0, table.size() - system.tables.front().size());
    const bool whole = std::ranges::all_of(
        system.tables, [&](const std::string& name) { return known.contains(prefix + name); });
    if (whole && is_plain_prefix(prefix)) prefixes.push_back(std::move(prefix));
  }
  return prefixes;
}

SystemTemplate with_prefix(SystemTemplate system, const std::string& prefix) {
  for (std::string* text : {&system.query, &system.suppress, &system.write, &system.needs})
    *text = replaced(std::move(*text), "{prefix}", prefix);
  return system;
}

}  // namespace surveybridge::daemon
