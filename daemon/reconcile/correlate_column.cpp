#include "daemon/reconcile/correlate_column.hpp"

#include <utility>
#include <vector>

namespace surveybridge::daemon {

std::variant<mapping::DataColumn, service::Trouble> read_correlate_column(
    service::Api& api, const std::string& correlate, const std::string& otherwise, TimePoint now) {
  auto columns = api.data_columns(now);
  if (auto* trouble = std::get_if<service::Trouble>(&columns)) return std::move(*trouble);
  const auto known = mapping::to_data_columns(std::get<std::vector<mapping::Record>>(columns));
  auto found = mapping::find_column(correlate, known);
  if (const auto* fault = std::get_if<std::string>(&found)) {
    return service::Trouble{service::Trouble::Kind::misplaced, 200, std::nullopt,
                            "correlate: " + *fault + otherwise};
  }
  return std::get<mapping::DataColumn>(std::move(found));
}

}  // namespace surveybridge::daemon
