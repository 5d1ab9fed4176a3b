#include "daemon/report/held.hpp"

#include <algorithm>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/push_window.hpp"
#include "mapping/field_map/constant.hpp"

namespace surveybridge::daemon {
namespace {

// Rows in the window of a push that the ledger does not know.
std::int64_t count_unknown(const config::Settings& settings, const config::Push& push,
                           crm::Database& store, crm::Database& crm) {
  const auto& zone = settings.crm.time_zone;
  const auto now = crm.now();
  const auto since = found_since(push, zone, store, now);
  if (since >= now) return 0;
  return crm::Source(crm, store, crm::source_query(push, zone)).count(since, now);
}

std::optional<std::int64_t> counted_rows(const config::Settings& settings, const config::Push& push,
                                         crm::Database& store, const OpenCrm& open_crm) {
  try {
    if (!open_crm) return count_unknown(settings, push, store, store);
    return count_unknown(settings, push, store, *open_crm());
  } catch (const crm::DatabaseError&) {
    return std::nullopt;
  }
}

}  // namespace

OpenCrm open_crm_to_look(const Environment& environment) {
  const auto open = that_looks(environment).open_crm;
  if (!open) return {};
  return [open] { return open(CrmUse::read); };
}

std::vector<HeldPush> held_pushes(const config::Settings& settings, crm::Database& store,
                                  const OpenCrm& open_crm, const std::string& push) {
  std::vector<HeldPush> all;
  for (const auto& each : settings.pushes) {
    if (!push.empty() && each.name != push) continue;
    const auto state = crm::Brakes(store).load(each.name);
    const bool holds = state ? !state->reason.empty() : each.brake;
    if (!holds) continue;
    HeldPush found{each.name, state ? state->reason : "it has sent nothing yet", {}};
    found.rows = counted_rows(settings, each, store, open_crm);
    if (state || found.rows.value_or(0) > 0) all.push_back(std::move(found));
  }
  return all;
}

}  // namespace surveybridge::daemon
