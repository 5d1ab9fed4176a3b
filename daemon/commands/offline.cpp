#include "daemon/commands/offline.hpp"

#include <algorithm>
#include <iterator>

#include "connectors/service/api.hpp"
#include "daemon/pull/follow_ups.hpp"
#include "mapping/field_map/compile.hpp"
#include "mapping/field_map/mapper.hpp"
#include "mapping/interface/path.hpp"

namespace surveybridge::daemon {

// Only the database can check the columns of [[pull.LIST.write]].
std::vector<config::Problem> path_problems(const config::Pull& pull) {
  std::vector<config::Problem> problems;
  const auto check = [&](const std::vector<config::Write::Cell>& cells, const char* part) {
    for (const auto& cell : cells) {
      if (cell.value) continue;  // a constant
      const auto path = mapping::Path::parse(cell.path, service::operation_of(pull.list).item);
      if (const auto* fault = std::get_if<std::string>(&path))
        problems.push_back({cell.place, "pull." + pull.name + ".write." + part + cell.shown(),
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
    auto made = mapping::Mapper::make(push, mapping::columns_of(push), {}, settings.crm.time_zone);
    auto* problems = std::get_if<std::vector<config::Problem>>(&made);
    if (problems == nullptr) continue;
    all.insert(all.end(), problems->begin(), problems->end());
  }
  for (const auto& pull : settings.pulls) {
    std::ranges::move(path_problems(pull), std::back_inserter(all));
    std::ranges::move(follow_up_problems(pull), std::back_inserter(all));
  }
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
