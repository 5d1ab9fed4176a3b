// Finds items that contradict the filters of a request: a service of this kind ignores a filter
// that it does not understand and answers with everything. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "connectors/service/query.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

struct FilterCheck {
  std::vector<mapping::Record> records;      // the items that match
  std::vector<mapping::Record> unrequested;  // the others
  std::set<std::string> ignored;             // parameters that those contradict
};

// Checks a page against its parameters. A value that an item does not show contradicts nothing, nor
// does a date less than a day outside the window: a service may count days, and clocks differ.
FilterCheck drop_unrequested(std::vector<mapping::Record> records,
                             const std::vector<service::Parameter>& asked);

// The same parameter with an impossible value; nullopt if every value may find something.
std::optional<service::Parameter> impossible(const service::Parameter& parameter);

// Does drop_unrequested() notice when this parameter is ignored?
bool shows_in_rows(const service::Parameter& parameter);

}  // namespace surveybridge::daemon
