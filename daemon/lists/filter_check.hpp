// Rows that a service should not have listed, because they lie outside what was asked for: one of
// this kind ignores a filter that it does not understand and answers with everything. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "connectors/service/query.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

struct FilterCheck {
  std::vector<mapping::Record> records;  // what was asked for
  std::set<std::string> ignored;         // the parameters that the others contradict
};

// A page sifted by the parameters it was asked with. What a row does not show contradicts nothing,
// nor does a date less than a day outside: a service may count days, and clocks differ.
FilterCheck drop_unrequested(std::vector<mapping::Record> records,
                             const std::vector<service::Parameter>& asked);

// The same parameter asking for what cannot be; nullopt where every value may find something.
std::optional<service::Parameter> impossible(const service::Parameter& parameter);

// Does sift() notice when this parameter is ignored?
bool shows_in_rows(const service::Parameter& parameter);

}  // namespace surveybridge::daemon
