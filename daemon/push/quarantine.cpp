#include "daemon/push/quarantine.hpp"

namespace surveybridge::daemon {

void Quarantine::add(const std::vector<crm::Ledger::SetAside>& rows) {
  if (rows.empty()) return;
  crm::Ledger(context_.database()).set_aside(push_.name, crm::State::quarantined, rows);
  tell(rows.size(), rows.front().key, rows.front().reason);
}

void Quarantine::tell(std::size_t rows, const std::string& key, const std::string& why) {
  context_.log().warn("push." + push_.name + ": " + std::to_string(rows) +
                      " rows quarantined; the first: " + key + ": " + why);
}

}  // namespace surveybridge::daemon
