// A customer as a list of its fields, for whoever compares two of them. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mapping/interface/data_column.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

// Each value of a customer that is sent, with its path: "Email", "Data[OrderNumber]" (by the name
// of the column), "Answers[1200].Text" (by the number of the question), "AnswersToCopy[0]"; items
// of other lists by their position. `columns`: of the service, where they are known.
using CustomerFields = std::vector<std::pair<std::string, mapping::Value>>;
CustomerFields fields_of(const mapping::Record& customer,
                         const std::vector<mapping::DataColumn>& columns);

}  // namespace surveybridge::daemon
