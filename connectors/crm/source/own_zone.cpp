#include "connectors/crm/source/own_zone.hpp"

#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {

std::optional<OwnZone> own_zone(Database& database) {
  const auto& sql = traits(database.dialect()).own_zone;
  if (sql.empty()) return std::nullopt;
  const auto rows = database.query({std::string(sql), {}}).rows;
  if (rows.empty()) return std::nullopt;
  const auto* name = std::get_if<std::string>(&rows[0].at(0));
  const auto* local = std::get_if<mapping::LocalTime>(&rows[0].at(1));
  const auto* utc = std::get_if<mapping::LocalTime>(&rows[0].at(2));
  if (name == nullptr || local == nullptr || utc == nullptr) return std::nullopt;
  return OwnZone{*name, std::chrono::round<std::chrono::minutes>(*local - *utc)};
}

}  // namespace surveybridge::crm
