// survey_enumeration: every value of the service's enumerations that was seen, by number or by name
// as it came, and its other half once that was learned. Kept so that the pulled tables can say
// both.
#pragma once

#include <set>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/tables/enumerations.hpp"

namespace surveybridge::crm {

class EnumerationStore {
 public:
  explicit EnumerationStore(Database& database);  // reads what is known
  const mapping::Enumerations& choices() const { return choices_; }

  // Within the caller's transaction where there is one: notes what is known by half and not there
  // yet. At most 200 values of an enumeration: a service with more has none.
  void note(const std::vector<mapping::Record>& records);
  // Customers in whose rows halves stand that nobody knows the rest of, one for each of some of
  // them. A half that nothing was learned about ten times is left alone.
  std::vector<std::int64_t> customers_to_ask();
  // What came of asking, in one transaction: keeps these and completes the rows stored so far. An
  // earlier meaning of the same number gives way.
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
