// What a pull asks for: the walks and filters of the configuration as walks to be made and as
// parameters of requests. Pure.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "connectors/service/query.hpp"
#include "daemon/job/job.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

// A part of the past, walked once: see backfill_plan.hpp.
struct Slice {
  TimePoint from, to;
};

// One walk of a list: what of the configuration holds for it.
struct WalkPlan {
  std::string by;    // the date filter of its window, without "Filter"
  std::string name;  // in survey_cursor: as configured, and behind a '?' what its filters hash to
  Duration every{0}, overlap{0};
  Duration look_back{0};             // bouncers: the window walked again and again
  std::optional<config::Date> from;  // nothing older is read
  std::vector<config::Filter> filters;
  std::optional<Slice> only;  // a backfill's: this window and no other

  std::string window_filter() const { return by + "Filter"; }
};

// A walk for each date of `by` and for each [[pull.LIST.walk]]; where ids or addresses are too many
// for one query, several walks share them. Other filters are another walk, which begins at `from`:
// what was not asked for before has not been seen.
std::vector<WalkPlan> plan_walks(const config::Pull& pull, const config::ServiceDialect& dialect);

// The walks of a pull but for those that it adds: what they list, all of it, is the list. As they
// are called in survey_cursor.
std::vector<std::string> own_walks(const config::Settings& settings, const std::string& list);

// Must the data columns be known to ask for these?
bool name_columns(const std::vector<config::Filter>& filters);

// The filters as parameters, or what is wrong with them. `zone` is the CRM's, for dates without an
// offset.
std::variant<std::vector<service::Parameter>, std::string> parameters_of(
    const std::vector<config::Filter>& filters, const std::vector<mapping::DataColumn>& columns,
    const std::string& zone);

}  // namespace surveybridge::daemon
