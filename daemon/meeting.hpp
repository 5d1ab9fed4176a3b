// What a page of customers says about the ledgers of the pushes: which transactions are at the
// service, whatever was thought of them. Owned by the pull that walks customers.
#pragma once

#include <string>
#include <vector>

#include "daemon/desk.hpp"
#include "mapping/record.hpp"

namespace surveybridge::daemon {

// Tells every push whose `correlate` is its own, and logs what nobody expected, in the name of
// `job`. Where two pushes share a data column, nobody can say whose a key is: they are left alone.
void meet(Desk& desk, const std::string& job, const std::vector<mapping::Record>& customers);

}  // namespace surveybridge::daemon
