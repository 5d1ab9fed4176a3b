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
  // only. At most 200 values of an enumeration.
  void note(std::span<const mapping::Record> records);
  // Customers with values whose other half is unknown, one customer for each of some values. After
  // ten unsuccessful tries a value is not asked about again.
  std::vector<std::int64_t> customers_to_ask();
  // Stores what was learned, in one transaction, and completes the rows stored so far. A new pair
  // replaces an earlier one of the same number.
  void learn(const std::set<mapping::EnumerationPair>& choices);

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
