#include "daemon/meeting.hpp"

#include <algorithm>

#include "connectors/crm/ledger.hpp"
#include "daemon/reconcile_plan.hpp"

namespace surveybridge::daemon {

namespace {

using Mets = std::vector<crm::Ledger::Met>;

Mets mets_of(const std::vector<mapping::Record>& customers, const std::string& correlate) {
  Mets mets;
  for (const auto& customer : customers) {
    const auto* id = std::get_if<std::int64_t>(&customer.value("Id"));
    auto key = data_value(customer, correlate, std::nullopt);
    if (id != nullptr && !key.empty()) mets.push_back({std::move(key), *id});
  }
  return mets;
}

bool alone(const config::Settings& settings, const std::string& correlate) {
  return std::ranges::count(settings.pushes, correlate, &config::Push::correlate) == 1;
}

void tell(Desk& desk, const std::string& job, const std::string& push,
          const crm::Ledger::Meeting& meeting) {
  if (meeting.arrived > 0) {
    desk.log().error(job + ": " + std::to_string(meeting.arrived) + " transactions of push \"" +
                     push + "\" are at the service although it said otherwise: see `explain`");
  }
  if (meeting.twice > 0) {
    desk.log().error(job + ": " + std::to_string(meeting.twice) + " transactions of push \"" +
                     push + "\" are at the service MORE THAN ONCE: see their reason");
  }
}

}  // namespace

void meet(Desk& desk, const std::string& job, const std::vector<mapping::Record>& customers) {
  for (const auto& push : desk.settings().pushes) {
    if (push.correlate.empty() || !alone(desk.settings(), push.correlate)) continue;
    const Mets mets = mets_of(customers, push.correlate);
    if (mets.empty()) continue;
    tell(desk, job, push.name, crm::Ledger(desk.database()).meet(push.name, mets));
  }
}

}  // namespace surveybridge::daemon
