// Erases a person from the bridge's own tables. The CRM's tables are the CRM's to erase.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "connectors/crm/database.hpp"

namespace surveybridge::crm {

// What a rating may call this data column, folded: its name, and the labels that the service shows
// instead (survey_data_column). Nothing for "".
std::set<std::string> labels_of(Database& database, const std::string& data_column);

struct Erased {
  std::int64_t customers = 0, bouncers = 0, ratings = 0;  // with all that hangs on them
  std::int64_t transactions = 0;  // rows of the ledger that are this person's; they stay, nameless
};

// In one transaction: the pulled rows of this address (in any case of its letters), ratings that
// carry one of the person's keys in a data column named in `correlates`, the address where the
// ledger or a service's words still hold it. What stays is `person`, the keyed hash
// (mapping/person.hpp), marked as forgotten, so that nobody mails them again.
Erased forget(Database& database, const std::string& person, const std::string& address,
              const std::vector<std::string>& correlates);

}  // namespace surveybridge::crm
