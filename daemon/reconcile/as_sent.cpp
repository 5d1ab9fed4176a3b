#include "daemon/reconcile/as_sent.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/ledger/sent_keys.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/suppress/brake_rule.hpp"

namespace surveybridge::daemon {

namespace {

// The push's name, and those of which this column carried keys to this service.
std::vector<std::string> names_by(const std::string& column, const config::Push& push,
                                  const config::Settings& settings, crm::Database& database) {
  auto names =
      crm::former_names(database, column, names_of(settings.pushes), services_of(settings));
  names.insert(names.begin(), push.name);
  return names;
}

}  // namespace

std::vector<std::string> names_looked_up(const config::Push& push, const config::Settings& settings,
                                         crm::Database& database) {
  return names_by(push.correlate, push, settings, database);
}

std::vector<std::string> names_of_nobody(const config::Settings& settings,
                                         crm::Database& database) {
  auto names = crm::Brakes(database).pushes();
  for (const auto& push : settings.pushes)
    for (const auto& name : names_looked_up(push, settings, database))
      std::erase(names, name);
  return names;
}

std::vector<DoubtGroup> grouped_as_sent(std::vector<crm::Doubt> doubts, const config::Push& push,
                                        const config::Settings& settings, crm::Database& database,
                                        TimePoint db_now) {
  std::map<std::pair<std::string, bool>, std::vector<crm::Doubt>> parts;  // column; test customers
  for (auto& doubt : doubts) {
    const std::string& column = doubt.correlate.empty() ? push.correlate : doubt.correlate;
    parts[{column, doubt.test}].push_back(std::move(doubt));
  }
  std::vector<DoubtGroup> all;
  for (auto& [part, rows] : parts) {
    const auto& [column, test] = part;
    std::vector<std::string> known;
    const auto names = names_by(column, push, settings, database);
    // What was sent longer ago than `settle` must be listed by now, and is tried first.
    for (const TimePoint before : {db_now - push.settle, db_now}) {
      for (const auto& name : names)
        for (auto& sent :
             crm::last_sent(database, name, {services_of(settings), column, test}, before))
          known.push_back(std::move(sent.key));
    }
    auto groups = grouped(std::move(rows), column, known);
    all.insert(all.end(), std::make_move_iterator(groups.begin()),
               std::make_move_iterator(groups.end()));
  }
  return all;
}

void drop_known(Search& search, crm::Ledger& ledger, const std::vector<std::string>& pushes) {
  for (auto& [key, alike] : search.alike)
    std::erase_if(alike, [&](const Search::Match& match) {
      return ledger.knows_customer(pushes, match.key, match.id);
    });
}

}  // namespace surveybridge::daemon
