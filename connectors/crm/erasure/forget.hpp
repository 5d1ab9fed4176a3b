// Erases a person from the bridge's own tables, from the columns of write-backs with `forget`, and
// with `forget = "delete"` the rows that those have made. Everything else in the CRM's tables is
// the CRM's to erase.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/pulled/write_back.hpp"

namespace surveybridge::crm {

// The names under which a rating may have this data column, folded: its name, and the labels that
// the service shows instead (survey_data_column). Empty for "".
std::set<std::string> labels_of(Database& database, const std::string& data_column);

// A write-back whose columns are emptied, and its name for error messages.
struct Emptying {
  const mapping::Resource* root;
  CompiledWrite write;
  std::string name;
};

struct Emptied {
  std::string table;
  std::int64_t rows = 0;       // rows that were not empty before
  std::int64_t deleted = 0;    // and rows that were made here
  std::int64_t not_found = 0;  // rows that were written, and that the match does not find now
};

struct Erased {
  std::int64_t customers = 0, bouncers = 0, ratings = 0;  // with all their child rows
  std::int64_t transactions = 0;  // rows of the ledger of this person; they stay, without a name
  // Transactions of this person that were claimed or in doubt: they cannot be called back.
  std::int64_t under_way = 0;
  std::vector<Emptied> emptied;  // one for each Emptying
  // Rows of the CRM's tables that were written for this person and are not emptied, because no
  // Emptying finds them: they are gone or changed, or another configuration has written them.
  std::map<std::string, std::int64_t> not_found;
  std::int64_t texts = 0;      // rows in which the service's words repeated the address
  bool has_facts = false;      // something is known of the person: an invitation, an opt-out
  bool was_forgotten = false;  // before
  bool is_forgotten = false;   // now
  // What another node of a cluster was storing meanwhile may be left.
  bool may_be_left = false;

  bool has_found_nothing() const {
    return customers + bouncers + ratings + transactions + texts == 0 && !has_facts;
  }
};

// A column of a write-back cannot be emptied, because a trigger, a policy or a constraint of the
// CRM keeps it. Nothing is erased then, so that a second `forget` finds the same rows.
struct NotEmptied : DatabaseError {
  using DatabaseError::DatabaseError;
};

// What is done with an address of which the bridge has nothing, which may be a typing error:
// nothing at all, or it is forgotten for all that is to come.
enum class Unknown { leave, forget };

// In one transaction: removes the pulled rows of this address (in any case of letters), ratings
// with one of the person's keys in a data column named in `correlates`, the values that those wrote
// back, and the address where the ledger or the service's words have it. What stays is `person`,
// the keyed hash (mapping/values/person.hpp), marked as forgotten, so that the person is not mailed
// again. `decided_by` is noted beside that mark, and in the history of each of the person's
// transactions; empty: not known. A claim or page of the same time comes before it or after it as a
// whole; in a cluster it is erased once more for what another node was storing. With a
// DatabaseError nothing is erased; see NotEmptied. The caller calls mark_forgotten() then, unless
// the error may pass.
//
// Where the CRM is another database, its rows are emptied in a transaction of their own, before the
// one in the store: after a crash between them a second `forget` finds all that it needs. The
// caller holds the right to write (the lease of each list's write-backs).
Erased forget(Database& store, Database& crm, const std::string& person, const std::string& address,
              const std::vector<std::string>& correlates,
              const std::vector<Emptying>& emptyings = {}, const std::string& decided_by = {},
              Unknown unknown = Unknown::forget);

// The cells of a row by the names of their columns.
using NamedCells = std::vector<std::pair<std::string, Value>>;
struct FoundTable {
  std::string table;
  // A row that forget() removes has each of its columns, one that stays its key and what is erased.
  // Of a text that is erased for the address in it, and may be about others, only the address.
  std::vector<NamedCells> rows;
};
struct Found {
  std::vector<FoundTable> store, crm;
};
// All that forget() would erase with the same arguments, as it is now; nothing is changed. `crm`
// has the columns of `emptyings`, and may have one table several times.
Found find_person(Database& store, Database& crm, const std::string& person,
                  const std::string& address, const std::vector<std::string>& correlates,
                  const std::vector<Emptying>& emptyings = {});

// What a page does with these records of the forgotten, in transactions as forget() has them:
// removes them, and empties what they wrote back. NotEmptied: nothing is removed, so that a second
// `forget` finds them.
void erase_with_writes(Database& store, Database& crm, const mapping::Resource& root,
                       const std::vector<Value>& keys, const std::vector<Emptying>& emptyings);

// Erases nothing, but the person is neither mailed nor stored from now on.
void mark_forgotten(Database& store, const std::string& person, const std::string& decided_by);

}  // namespace surveybridge::crm
