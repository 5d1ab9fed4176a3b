// One customer of a batch. A push makes it, suppression decides about it, the service receives it.
#pragma once

#include "connectors/crm/ledger/ledger.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::daemon {

// One customer, and the transaction that it stands for.
struct BatchItem {
  crm::Claim claim;
  mapping::Record customer;
};

}  // namespace surveybridge::daemon
