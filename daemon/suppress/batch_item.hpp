// One customer of a batch. A push makes it, suppression decides about it, the service gets it.
#pragma once

#include "connectors/crm/ledger/ledger.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

// One customer on its way, and the transaction it stands for.
struct BatchItem {
  crm::Claim claim;
  mapping::Record customer;
};

}  // namespace surveybridge::daemon
