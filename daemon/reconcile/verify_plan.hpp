// Ledger and service side by side, key by key. Pure. What agrees is counted; what does not is
// named.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// How often the service lists each key.
using Listed = std::map<std::string, int>;

struct Difference {
  std::string key, what;
};

struct Comparison {
  std::int64_t agree = 0;
  std::int64_t young = 0;  // sent so lately that the service need not list it yet
  std::int64_t open = 0;   // claimed or in doubt: read-back will settle it
  std::vector<Difference> differences;
};

// Some rows of the ledger against the list; what was met is taken out of `listed`. `settle`: within
// this time the service may not show what it was given.
void compare(const std::vector<crm::Entry>& rows, Duration settle, TimePoint now, Listed& listed,
             Comparison& comparison);
// What is left of the list: the ledger does not know it.
void compare_rest(const Listed& listed, Comparison& comparison);

}  // namespace surveybridge::daemon
