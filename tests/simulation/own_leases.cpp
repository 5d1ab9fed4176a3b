#include "tests/simulation/own_leases.hpp"

namespace simulation {

using surveybridge::crm::Lease;
using surveybridge::crm::Statement;

namespace {

bool mentions(const Statement& statement, const char* text) {
  return statement.sql.find(text) != std::string::npos;
}

const std::string& text_at(const Statement& statement, std::size_t index) {
  return std::get<std::string>(statement.parameters.at(index));
}

std::int64_t number_at(const Statement& statement, std::size_t index) {
  return std::get<std::int64_t>(statement.parameters.at(index));
}

}  // namespace

void OwnLeases::see(const Statement& statement) {
  if (mentions(statement, "INSERT INTO \"survey_lease\"")) {
    held_[text_at(statement, 0)] = {
        text_at(statement, 0), text_at(statement, 1), number_at(statement, 2), {}};
  } else if (mentions(statement, "UPDATE \"survey_lease\" SET \"owner\" = ''")) {
    held_.erase(text_at(statement, 1));
  } else if (mentions(statement, "UPDATE \"survey_lease\" SET \"owner\" = ")) {
    held_[text_at(statement, 3)] = {
        text_at(statement, 3), text_at(statement, 0), number_at(statement, 1), {}};
  }
}

std::optional<Lease> OwnLeases::find(const std::string& name) const {
  const auto at = held_.find(name);
  if (at == held_.end()) return std::nullopt;
  return at->second;
}

std::string OwnLeases::read_by(const Statement& statement) {
  const bool reads = mentions(statement, "FROM \"survey_lease\" WHERE \"name\" = ");
  return reads && statement.parameters.size() == 1 ? text_at(statement, 0) : "";
}

}  // namespace simulation
