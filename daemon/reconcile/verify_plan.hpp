// Compares ledger and service, key by key. Pure. Equal keys are counted; different ones are
// named.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/job/job.hpp"
#include "daemon/suppress/batch_item.hpp"

namespace surveybridge::daemon {

// What the service lists under a key.
struct ListedKey {
  int times = 0;
  bool has_several_persons = false;  // addresses
  // Of the last one; empty: not shown.
  std::string email;
  std::optional<TimePoint> transaction_date;

  ListedKey(int number = 0) : times(number) {}
};
using Listed = std::map<std::string, ListedKey>;

struct Difference {
  // What has to be done about it depends on this.
  enum class Kind {
    listed_twice,   // somebody was mailed twice
    shared,         // the service has several persons under the key
    other_person,   // the CRM has given the key again
    unknown,        // listed, and the ledger does not know the key
    held_listed,    // it has arrived: `doubt sent`
    unsent_listed,  // listed, though the ledger has never sent it
    marked_sent,    // not listed; a person said that it was sent, and `doubt undo` takes it back
    not_listed,     // sent, and not listed
  };
  Kind kind;
  std::string key, what;
};

struct Comparison {
  std::int64_t agree = 0;
  std::int64_t young = 0;  // sent so recently that the service need not list it yet
  std::int64_t open = 0;   // claimed or in doubt: the read-back will settle it
  std::vector<Difference> differences;
  // Keys with another address, whose dates are nearer than a service may move them, and how far
  // apart they are. Whether they are other people say the dates of the keys with the same address:
  // how many of these there are, and the most by which the service has moved one.
  std::vector<std::pair<std::string, Duration>> near;
  std::int64_t same = 0;
  Duration moved{0};
};

// Compares some rows of the ledger with the list; removes from `listed` what was compared.
// `settle`: within this time the service may not list a new customer.
void compare(const std::vector<crm::Entry>& rows, Duration settle, TimePoint now, Listed& listed,
             Comparison& comparison);
// Do the customers of this push have a date of its transactions?
bool sends_transaction_date(const config::Push& push);
// Rows of the CRM whose keys the service lists for another address and another transaction date: a
// CRM that was restored alone gives its numbers again. Either of them alone may have been
// corrected.
void compare_persons(const std::vector<BatchItem>& rows, const Listed& listed,
                     Comparison& comparison);
// The rest of the list: keys that the ledger does not have, and those of `near` whose dates are
// further apart than this service moves them. Sorts the differences by their kind and
// their key, numbers as numbers.
void compare_rest(const Listed& listed, Comparison& comparison);
// What a person does about differences of this kind; `key` is one of them.
std::string step_for(Difference::Kind kind, const std::string& key, const std::string& file);

}  // namespace surveybridge::daemon
