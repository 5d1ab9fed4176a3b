// The building blocks of the ledger: inserting rows and changing their states, within the
// caller's transaction. Each makes only the allowed changes, and returns what it changed. A change
// that the row's batch does not tell is recorded as an event.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/ledger/row_change.hpp"

namespace surveybridge::crm {

// At most kReasonBytesMax bytes, cut between characters, and before a word that may be an address.
std::string bounded(const std::string& text);

// A transaction that changes the ledger: `forget` waits until it ends, so that whom it finds
// forgotten does not change meanwhile.
class LedgerTransaction {
 public:
  explicit LedgerTransaction(Database& database);
  void commit() { transaction_.commit(); }
  // Has `forget` run since its runs are counted? It has not since a claim if it never has.
  bool has_forgotten() const { return forgets_ > 0; }

 private:
  Transaction transaction_;
  std::int64_t forgets_;
};

// Rows that are inserted or are pending in the ledger, and their new state.
struct Entering {
  struct Row {
    std::string key, reason = {};
    Value email = mapping::Null{}, transaction_date = mapping::Null{};
    Value person = mapping::Null{}, not_before = mapping::Null{};
    Value digest = mapping::Null{}, quota = mapping::Null{};
  };
  std::string push;
  State state = State::pending;
  std::string batch = {}, owner = {};  // empty: set aside, not claimed
  bool test = false;
  Instant now{};
  std::vector<Row> rows = {};
};

// The keys that were inserted or moved, in the order given. The first of two rows with one key
// counts; a key that is too long is not inserted.
std::vector<std::string> enter(Database& database, const Entering& entering);

// The number of changed rows. The last of two verdicts on one key counts.
std::int64_t move(Database& database, const std::string& push, From from,
                  const std::vector<Ledger::Verdict>& verdicts, Instant now);

// What is known of a key that the service lists.
struct Listing {
  Place read_at;                          // lately
  std::set<std::int64_t> opted_out = {};  // those of its customers who have
};
// Those of these keys of the batch's push that settle_listed() has remembered, and those never
// tried that a pulled customer has (survey_invitation): the ledger has lost their rows. A test
// customer counts for a test only.
std::map<std::string, Listing> listings(Database& database, const NewBatch& batch,
                                        const std::vector<std::string>& keys);

// A row that a push which is not configured any more has sent, or may have, as the ledger knows.
struct SentByFormer {
  std::string push;
  Place place;
  bool same_column = false;  // else it may have been another survey: a person knows
};
// Keys of these rows that such a push has sent by the same data column: it has another name now.
// Or by another one or none to the same person, before the batch's push has sent anything, and
// nothing since: it was split, say. `batch.pushes` are configured.
std::map<std::string, SentByFormer> sent_by_former(Database& database, const NewBatch& batch,
                                                   const std::vector<Claim>& rows);

// The keys of those rows never in doubt before that a service may list with their keys changed: a
// customer of that person, with a date that may be theirs, whose key no row of the batch's pushes
// has. A restored ledger may know such a row as refused. Each with where it is listed.
std::map<std::string, Place> listed_alike(Database& database, const NewBatch& batch,
                                          const std::vector<Claim>& rows);
void forget_listed(Database& database, const std::string& push,
                   const std::vector<std::string>& keys);

struct Orphan {
  std::string key, batch, owner;
  bool owner_lives = false;
};
// Claimed rows whose owner holds no lease "instance:OWNER" that is valid at `now`, and those that
// were claimed longer ago than `longest`, or after `now`.
std::vector<Orphan> orphaned_claims(Database& database, const std::string& push, Instant now,
                                    std::chrono::seconds longest);

}  // namespace surveybridge::crm
