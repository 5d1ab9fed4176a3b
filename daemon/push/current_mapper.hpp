// A push's mapper, kept current: made from the query's columns and the service's data columns, made
// again every hour and after the service refused something. One request where one is due.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "connectors/crm/source/source.hpp"
#include "daemon/context/job_context.hpp"
#include "mapping/field_map/mapper.hpp"

namespace surveybridge::daemon {

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
  // The id of the data column that carries the key; empty without `correlate` or before get().
  std::optional<std::int64_t> correlate_id() const { return correlate_id_; }

 private:
  Answer make(crm::Source& source, const std::vector<mapping::DataColumn>& columns, TimePoint now);

  const config::Push& push_;
  JobContext& context_;
  std::optional<mapping::Mapper> mapper_;
  std::optional<std::int64_t> correlate_id_;
  TimePoint until_{};
};

// The id of the data column called `name` (or numbered so), without regard to case.
std::optional<std::int64_t> column_id(const std::vector<mapping::DataColumn>& columns,
                                      const std::string& name);

}  // namespace surveybridge::daemon
