#include "daemon/commands/offline.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "daemon/pull/pull_plan.hpp"
#include "mapping/field_map/compile.hpp"
#include "mapping/field_map/mapper.hpp"
#include "mapping/interface/path.hpp"

namespace surveybridge::daemon {

namespace {

// Names of columns, each once: a column may be used in several fields, and case does not
// count.
class Columns {
 public:
  void add(const std::string& name) {
    std::string lower = name;
    for (char& c : lower)
      c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (!name.empty() && seen_.insert(lower).second) names_.push_back(name);
  }
  void add(const config::FieldSource& source) {
    for (const auto& name : mapping::columns_of(source))
      add(name);
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> names_;
};

void collect(const config::FieldMap& map, std::vector<const config::FieldSource*>& sources) {
  for (const auto& rule : map.rules) {
    sources.push_back(&rule.source);
    for (const auto& item : rule.items)
      collect(item, sources);
    for (const auto& scalar : rule.scalars)
      sources.push_back(&scalar);
  }
}

}  // namespace

std::vector<const config::FieldSource*> sources_of(const config::Push& push) {
  std::vector<const config::FieldSource*> sources;
  collect(push.customer, sources);
  for (const auto& rule : push.data)
    sources.push_back(&rule.source);
  return sources;
}

std::vector<std::string> columns_named(const config::Push& push) {
  Columns columns;
  columns.add(push.key);
  columns.add(push.when);
  for (const config::FieldSource* source : sources_of(push))
    columns.add(*source);
  return columns.names();
}

// Only the database can check the columns of [[pull.LIST.write]].
std::vector<config::Problem> path_problems(const config::Pull& pull) {
  std::vector<config::Problem> problems;
  const auto check = [&](const std::vector<config::Write::Cell>& cells, const char* part) {
    for (const auto& cell : cells) {
      if (cell.value) continue;  // a constant
      const auto path = mapping::Path::parse(cell.path, service::operation_of(pull.list).item);
      if (const auto* fault = std::get_if<std::string>(&path))
        problems.push_back({cell.place, "pull." + pull.name + ".write." + part + cell.column,
                            "\"" + cell.path + "\": " + *fault});
    }
  };
  for (const auto& write : pull.writes) {
    check(write.match, "match.");
    check(write.set, "set.");
  }
  return problems;
}

std::vector<config::Problem> offline_problems(const config::Settings& settings) {
  std::vector<config::Problem> all;
  for (const auto& push : settings.pushes) {
    auto made = mapping::Mapper::make(push, columns_named(push), {}, settings.crm.time_zone);
    auto* problems = std::get_if<std::vector<config::Problem>>(&made);
    if (problems == nullptr) continue;
    all.insert(all.end(), problems->begin(), problems->end());
  }
  for (const auto& pull : settings.pulls)
    std::ranges::move(path_problems(pull), std::back_inserter(all));
  return all;
}

std::optional<std::string> note_of_open_page(const config::Settings& settings) {
  if (!settings.status || settings.status->token.set() || settings.status->listen.is_loopback())
    return std::nullopt;
  return "status.listen: other machines reach " + settings.status->listen.host +
         ", and whoever does can read the page, its keys and its metrics: set [status] token, or "
         "listen on 127.0.0.1";
}

}  // namespace surveybridge::daemon
