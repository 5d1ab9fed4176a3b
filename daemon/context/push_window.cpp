#include "daemon/context/push_window.hpp"

#include <algorithm>

#include "connectors/crm/daemon_state/sweep_store.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::daemon {

TimePoint found_since(const config::Push& push, const std::string& zone, crm::Database& store,
                      TimePoint crm_now) {
  return found_since(push, zone, crm::swept_or_met(store, push.name), crm_now);
}

TimePoint found_since(const config::Push& push, const std::string& zone,
                      std::optional<TimePoint> last_sweep, TimePoint crm_now) {
  const TimePoint start = mapping::instant_of(push.start, zone);
  return std::max(start, std::min(last_sweep.value_or(crm_now), crm_now) - push.look_back);
}

bool is_dated_otherwise(const config::Push& push) {
  return std::ranges::any_of(push.customer.rules, [&](const auto& rule) {
    return rule.field == "TransactionDate" && !mapping::same_name(rule.source.column, push.when);
  });
}

}  // namespace surveybridge::daemon
