#include "connectors/crm/driver/kept_statements.hpp"

#include <algorithm>

namespace surveybridge::crm {

KeptStatements::Taken KeptStatements::take(const std::string& sql, std::size_t parameters) {
  Taken taken;
  const auto found = std::ranges::find_if(kept_, [&](const PreparedStatement& each) {
    return each.parameters == parameters && each.sql == sql;
  });
  if (found != kept_.end()) taken.splice(taken.begin(), kept_, found);
  return taken;
}

void KeptStatements::keep(Taken statement) {
  kept_.splice(kept_.begin(), statement);
  if (kept_.size() > kMost) kept_.pop_back();
}

}  // namespace surveybridge::crm
