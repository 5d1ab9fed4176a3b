#include "daemon/pull/emptyings.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "connectors/service/api.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/pull/write_back_job.hpp"

namespace surveybridge::daemon {

Emptyings emptyings_of(const config::Settings& settings,
                       const std::function<crm::Database&()>& crm) {
  Emptyings found;
  for (const auto& pull : settings.pulls) {
    const auto& root = service::operation_of(pull.list).item;
    for (const auto& write : pull.writes) {
      if (write.forget == config::Write::Forget::nothing) continue;
      auto compiled = crm::compile(crm(), root, write, settings.crm.time_zone);
      if (auto* problems = std::get_if<std::vector<config::Problem>>(&compiled)) {
        std::ranges::move(*problems, std::back_inserter(found.problems));
      } else {
        found.all.push_back({&root, std::get<crm::CompiledWrite>(std::move(compiled)),
                             "pull." + pull.name + ".write, the table \"" + write.table + "\""});
      }
    }
  }
  return found;
}

WriteTurns::~WriteTurns() {
  try {
    for (const auto& lease : taken_)
      leases_.release(lease);
  } catch (const crm::DatabaseError&) {
    return;  // they end by themselves
  }
}

bool WriteTurns::take(const std::function<bool()>& wait) {
  for (const auto& pull : settings_.pulls) {
    if (pull.writes.empty()) continue;
    std::optional<crm::Lease> lease;
    while (!(lease = leases_.take(write_back_job(pull.name), owner_, lease_duration(settings_))))
      if (!wait()) return false;
    taken_.push_back(*std::move(lease));
  }
  return true;
}

}  // namespace surveybridge::daemon
