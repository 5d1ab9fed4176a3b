#include "daemon/reconcile/verify_plan.hpp"

namespace surveybridge::daemon {

namespace {

using crm::State;

bool is_open(State state) {
  return state == State::claimed || state == State::in_doubt;
}

bool is_marked_sent(const crm::Entry& row) {
  return row.state == State::sent && !row.customer_id && row.reason.starts_with(crm::kMarkedSent);
}

}  // namespace

void compare(const std::vector<crm::Entry>& rows, Duration settle, TimePoint now, Listed& listed,
             Comparison& comparison) {
  for (const auto& row : rows) {
    const auto met = listed.find(row.key);
    const int times = met == listed.end() ? 0 : met->second;
    if (met != listed.end()) listed.erase(met);
    if (times > 1) {
      comparison.differences.push_back(
          {row.key, "the service lists it " + std::to_string(times) + " times"});
    } else if (is_open(row.state)) {
      ++comparison.open;
    } else if ((row.state == State::sent) == (times == 1)) {
      ++comparison.agree;
    } else if (row.state == State::sent && now - row.changed_at < settle) {
      ++comparison.young;
    } else if (is_marked_sent(row)) {
      comparison.differences.push_back(
          {row.key, "sent, as a person has decided, and the service does not list it", true});
    } else if (row.state == State::sent) {
      comparison.differences.push_back({row.key, "sent, and the service does not list it"});
    } else {
      comparison.differences.push_back(
          {row.key, std::string(to_string(row.state)) + ", and the service lists it"});
    }
  }
}

void compare_rest(const Listed& listed, Comparison& comparison) {
  for (const auto& [key, times] : listed) {
    comparison.differences.push_back(
        {key, "the service lists it, and the ledger does not know it"});
  }
}

}  // namespace surveybridge::daemon
