// A push's mapper, kept current: made from the query's columns and the service's data columns, made
// again every hour, after the service refused something, and when the query's columns are others.
// One request where one is due. Where the service lists no data columns at all, a push that names
// one has a problem, and any other goes on.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "connectors/crm/source/source.hpp"
#include "daemon/context/job_context.hpp"
#include "mapping/field_map/mapper.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

// The data column that a push asks for and a service without any does not have; empty: it asks for
// none. A mapper would take them all for unknown, and write their names.
std::optional<config::Problem> missing_column(const config::Push& push);

class CurrentMapper {
 public:
  CurrentMapper(const config::Push& push, JobContext& context) : push_(push), context_(context) {}

  struct Later {  // the pace says: not before
    TimePoint at;
  };
  using Answer =
      std::variant<const mapping::Mapper*, Later, service::Trouble, std::vector<config::Problem>>;
  Answer get(crm::Source& source, TimePoint now);
  void forget() { until_ = {}; }
  // The data column that carries the key, as the service listed it last; as the configuration
  // writes it where the service has none.
  const mapping::DataColumn& correlate() const { return correlate_; }

 private:
  Answer make(crm::Source& source, const std::vector<mapping::DataColumn>& columns, TimePoint now);

  const config::Push& push_;
  JobContext& context_;
  std::optional<mapping::Mapper> mapper_;
  std::vector<std::string> made_for_;  // the columns of the query, in their order
  mapping::DataColumn correlate_;
  TimePoint until_{};
};

}  // namespace surveybridge::daemon
