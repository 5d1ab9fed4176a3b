// survey_enumeration: every value of the service's enumerations that was seen, by number
// or by name, and its other half once it was learned. With it the pulled tables have
// both.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/tables/enumerations.hpp"

namespace surveybridge::crm {

class EnumerationStore {
 public:
  explicit EnumerationStore(Database& database);  // reads the stored values
  const mapping::Enumerations& choices() const { return choices_; }

  // Within the caller's transaction if there is one: stores new values that are known in one form
  // only (mapping::partial_enums_in). At most 200 values of an enumeration.
  void note(const std::set<mapping::PartialEnum>& halves);
  // Some values whose other half is unknown, and a customer for each of them. After ten
  // unsuccessful tries a value is not asked about again. `new_only`: values that were never asked
  // about.
  struct Question {
    std::vector<std::int64_t> customers;  // each once, in ascending order
    std::set<mapping::PartialEnum> values;
  };
  Question to_ask(bool new_only = false);
  // Values whose other half nobody has asked for yet.
  std::int64_t never_asked() const;
  // Stores what was learned, in one transaction, and completes the rows stored so far. A new pair
  // replaces an earlier one of the same number. What was asked for in vain is one try.
  void learn(const std::set<mapping::EnumerationPair>& choices,
             const std::set<mapping::PartialEnum>& asked);

 private:
  struct Unknown {
    mapping::PartialEnum half;
    std::int64_t tries = 0;
  };
  void keep(const mapping::EnumerationPair& choice);
  void count_try(const Unknown& unknown);

  Database& database_;
  mapping::Enumerations choices_;
  std::set<mapping::PartialEnum> seen_;
  std::vector<Unknown> unknown_;
};

}  // namespace surveybridge::crm
