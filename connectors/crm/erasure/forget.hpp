// Erases a person from the bridge's own tables, and from what write-backs have put into the CRM's
// where the operator has said so. All else in the CRM's tables is the CRM's to erase.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/pulled/write_back.hpp"

namespace surveybridge::crm {

// What a rating may call this data column, folded: its name, and the labels that the service shows
// instead (survey_data_column). Nothing for "".
std::set<std::string> labels_of(Database& database, const std::string& data_column);

// A write-back whose columns are emptied too, and what to call it when that fails.
struct Emptying {
  const mapping::Resource* root;
  CompiledWrite write;
  std::string name;
};

struct Emptied {
  std::string table;
  std::int64_t rows = 0;  // that held something
};

struct Erased {
  std::int64_t customers = 0, bouncers = 0, ratings = 0;  // with all that hangs on them
  std::int64_t transactions = 0;  // rows of the ledger that are this person's; they stay, nameless
  // Those of them that were claimed or in doubt: what had left before cannot be called back.
  std::int64_t under_way = 0;
  std::vector<Emptied> emptied;  // one for each Emptying
};

// In one transaction: the pulled rows of this address (in any case of its letters), ratings that
// carry one of the person's keys in a data column named in `correlates`, what those had written
// back, the address where the ledger or a service's words still hold it. What stays is `person`,
// the keyed hash (mapping/values/person.hpp), marked as forgotten, so that nobody mails them again.
// DatabaseError: then nothing is erased.
Erased forget(Database& database, const std::string& person, const std::string& address,
              const std::vector<std::string>& correlates,
              const std::vector<Emptying>& emptyings = {});

}  // namespace surveybridge::crm
