// Whose a record of the service's list is: by its address, and by the key of its transaction.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/people/people.hpp"
#include "daemon/context/job_context.hpp"
#include "mapping/interface/data_column.hpp"
#include "mapping/interface/record.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

// Whose records are: the keyed hashes of the addresses of a page, each made once. Used by one
// thread at a time.
class PagePersons {
 public:
  explicit PagePersons(std::string hash_key) : hash_key_(std::move(hash_key)), hash_(hash_key_) {}
  const std::string& hash_key() const { return hash_key_; }
  // By the first address in its `Email`, else by the whole text. Empty: the record has none. Valid
  // as long as this object.
  const std::string& of(const mapping::Record& record);
  // That one first, then by every other address that its `Email` may mean.
  const std::vector<std::string>& all_of(const mapping::Record& record);
  // Each once, in their order.
  std::vector<std::string> of_addresses(const std::vector<std::string>& addresses) const;
  // Takes over what another page of the same key has made.
  void add(PagePersons& other) { known_.merge(other.known_); }

 private:
  std::string hash_key_;
  mapping::PersonHash hash_;
  std::unordered_map<std::string, std::vector<std::string>> known_;  // by `Email`
};

// Does the data column carry the keys of one push only?
bool carries_alone(const config::Settings& settings, const std::string& correlate);

// Whose these customers' transactions are, by the ledger: a service may take the address of whoever
// has opted out away, or mask it. A data column that has carried the keys of a push counts, also
// where no push is configured with it any more. Where two pushes share one, and of a push that is
// not configured any more in the column of another, the customer's id must be the one that the
// ledger knows.
using PersonsOf = std::map<const mapping::Record*, std::set<std::string>>;
PersonsOf persons_by_transaction(JobContext& context,
                                 const std::vector<const mapping::Record*>& customers);

// Those that carry the keys of the configured pushes.
std::vector<mapping::DataColumn> key_columns(JobContext& context);

// What the ledger is told of these customers: those with a number and a key. One that shows no key
// in `all` columns has one that no transaction has: a row of its person and date may be its own.
std::vector<crm::Ledger::Sighting> sightings_of(const std::vector<mapping::Record>& customers,
                                                const mapping::DataColumn& correlate,
                                                const std::vector<mapping::DataColumn>& all,
                                                PagePersons& persons);

// Tells the ledger of every push whose `correlate` is its own which of its transactions are among
// these customers, whatever the state of their rows, and logs unexpected results in the name of
// `job`. If two pushes share a data column, a key cannot be assigned: their rows do not change.
// `left_out`: a push whose ledger is not told; null: none.
void settle_listed(JobContext& context, PagePersons& persons, const std::string& job,
                   const std::vector<mapping::Record>& customers,
                   const config::Push* left_out = nullptr);

// Who has opted out is known by the transaction, too, as the service shows it or as it was stored
// before: a service may blank both address and key. `db_now`: the database's time at the
// beginning of the step.
std::vector<crm::Fact> opt_outs_by_transaction(JobContext& context, PagePersons& persons,
                                               const std::vector<mapping::Record>& customers,
                                               TimePoint db_now);
// The facts but those of persons of whom a fact of these kinds is stored.
std::vector<crm::Fact> without_persons_with(JobContext& context,
                                            const std::vector<crm::FactKind>& known,
                                            std::vector<crm::Fact> facts);

// The opt-outs by transaction, and those by address that are not known yet.
std::vector<crm::Fact> opt_outs_of(JobContext& context, PagePersons& persons,
                                   const std::vector<mapping::Record>& customers, TimePoint db_now);

}  // namespace surveybridge::daemon
