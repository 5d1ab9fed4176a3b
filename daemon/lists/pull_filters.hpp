// The walks and filters of the configuration as walks to read, their windows and the parameters of
// requests. Pure.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/pulled/walk_store.hpp"
#include "connectors/service/query.hpp"
#include "daemon/job/job.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

// A part of the past that is read once: see backfill_plan.hpp.
struct Slice {
  TimePoint from, to;
};

// One walk of a list, with its settings.
struct WalkPlan {
  std::string by;    // the date filter of its window, without "Filter"
  std::string name;  // in survey_cursor: as configured; after a '?' its filters' hash
  Duration every{0}, overlap{0};
  Duration look_back{0};             // bouncers: the window that is read each time
  std::optional<config::Date> from;  // nothing older is read
  std::vector<config::Filter> filters;
  std::optional<Slice> only;  // of a backfill: only this window
  std::string service;        // which it reads, and the account there; empty: it does not matter

  std::string window_filter() const { return by + "Filter"; }
  bool hides_rows() const;  // by a filter
};

// One walk for each date of `by` and for each [[pull.LIST.walk]]. If ids or addresses are too many
// for one query, several walks share them. Other filters give another walk, which begins at `from`,
// because items that were filtered out before were not read.
std::vector<WalkPlan> plan_walks(const config::Pull& pull, const config::ServiceDialect& dialect);

// The walks of a pull without its additional ones: together they read the whole list. Names as in
// survey_cursor.
std::vector<std::string> own_walks(const config::Settings& settings, const std::string& list);

// A walk with an open window: the one that was under way, else the next one. `zone`: the CRM's, for
// a `from` without an offset.
crm::StoredWalk open_window(crm::StoredWalk walk, const WalkPlan& plan, const std::string& zone,
                            TimePoint db_now);

// Was it begun for another service or account, or with a later `from`? What it has read is then not
// all that this plan is to read.
bool is_of_another(const crm::StoredWalk& walk, const WalkPlan& plan, const std::string& zone);

// When the next window of a walk without an open one is due. A walk with an end in the future is
// due at once: the database's clock was ahead.
TimePoint next_window(const crm::StoredWalk& walk, const WalkPlan& plan, TimePoint db_now);

// The walk's window as a list parameter (docs/SERVICE.md 4.2 to 4.4).
service::Parameter window_of(const crm::StoredWalk& walk, const WalkPlan& plan);

// Do these filters need the data columns?
bool name_columns(const std::vector<config::Filter>& filters);

// The filters as parameters, or what is wrong with them. `zone` is the CRM's, for dates without an
// offset.
std::variant<std::vector<service::Parameter>, std::string> parameters_of(
    const std::vector<config::Filter>& filters, const std::vector<mapping::DataColumn>& columns,
    const std::string& zone);

}  // namespace surveybridge::daemon
