// Compares ledger and service, key by key. Pure. Equal keys are counted; different ones are
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
  bool marked_sent = false;  // a person said so, and `doubt undo` takes it back
};

struct Comparison {
  std::int64_t agree = 0;
  std::int64_t young = 0;  // sent so recently that the service need not list it yet
  std::int64_t open = 0;   // claimed or in doubt: the read-back will settle it
  std::vector<Difference> differences;
};

// Compares some rows of the ledger with the list; removes from `listed` what was compared.
// `settle`: within this time the service may not list a new customer.
void compare(const std::vector<crm::Entry>& rows, Duration settle, TimePoint now, Listed& listed,
             Comparison& comparison);
// The rest of the list: keys that the ledger does not have.
void compare_rest(const Listed& listed, Comparison& comparison);

}  // namespace surveybridge::daemon
