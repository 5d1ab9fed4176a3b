// What is known of people, without knowing them: facts under a keyed hash of the address
// (mapping/values/person), fed by what the pulls bring and by `forget`. It outlives the pulled
// tables.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/schema/ledger_words.hpp"

namespace surveybridge::crm {

// The last three: a record of the person cannot be read where it would say whether the person opted
// out, how the mail bounced, or when the person was invited or answered.
enum class FactKind {
  opted_out,
  bounced_hard,
  bounced_soft,
  invited,
  answered,
  forgotten,
  unread_opt_out,
  unread_bounce,
  unread_contact
};
const char* to_string(FactKind kind);

// How the `ref` of a fact begins that a record without a key has told.
inline constexpr std::string_view kKeylessRecord = "text ";

struct Fact {
  std::string person;
  FactKind kind;
  std::string ref;  // what told it: a customer's or bouncer's id. Told again it is the same fact.
  Instant at;
};

using TransactionKey = std::pair<std::string, std::string>;  // its push, its key there

// Everything about one person, counted by the database: an address may have any number of
// transactions.
struct ContactHistory {
  struct Facts {
    std::int64_t count = 0;
    Instant latest;
  };
  std::map<FactKind, Facts> facts;
  // Of the transactions of one push that went to the person, or may have; those that the service
  // lists and the ledger does not have (Ledger::settle_listed) are sent.
  struct OfPush {
    std::map<State, Instant> latest;        // claimed, sent, in_doubt, held: the last change of one
    std::map<FactKind, Instant> customers;  // invited, answered: the latest of its customers
  };
  std::map<std::string, OfPush> pushes;
};

// How much of a ContactHistory is read: the facts; also the transactions; also when the customers
// of each push were invited or answered.
enum class Asked { facts, transactions, customers };

class People {
 public:
  explicit People(Database& database) : database_(database) {}

  // The key of the hash: the one kept in survey_seal, or `proposed` from now on.
  std::string hash_key(const std::string& proposed);
  // The one kept; empty: none is.
  std::optional<std::string> stored_hash_key();
  // The key of the hash, if there is one, and forgets(), in one look.
  struct Seals {
    std::optional<std::string> hash_key;
    std::int64_t forgets = 0;
  };
  Seals seals();
  // Within the caller's transaction where there is one. A fact told again takes the time told last.
  void note(const std::vector<Fact>& facts);
  // Within the caller's transaction: these records, of customers or of bouncers, can be read now,
  // so that nothing more is supposed of whomever they were told of, by any address or transaction.
  // Their rows that wait are looked at again at once. `refs` as in Fact.
  void note_read(const std::vector<std::string>& refs, bool of_bouncers);
  // The same of all records without a key of these persons.
  void note_read_keyless(const std::vector<std::string>& persons);
  // Those among them of whom one of these is known.
  std::set<std::string> with_facts(const std::vector<std::string>& persons,
                                   const std::vector<FactKind>& kinds);
  // Those among them who asked to be forgotten.
  std::set<std::string> forgotten(const std::vector<std::string>& persons);
  // Whose the transactions of a push with these keys are, by key; those that the ledger knows.
  struct Owner {
    std::string person;
    std::optional<std::int64_t> customer_id;  // at the service, as far as it is known
  };
  std::map<std::string, Owner> owners_of(const std::string& push,
                                         const std::vector<std::string>& keys);
  // Those transactions of a push with one of these keys whose person has a fact of these kinds.
  std::set<TransactionKey> transactions_of(const std::string& push,
                                           const std::vector<std::string>& keys,
                                           const std::vector<FactKind>& kinds);
  // How often `forget` has run. A page that was checked against the forgotten under one number may
  // be stored only under the same number.
  std::int64_t forgets();
  // Within a transaction: keeps `forget` waiting until it ends. Any number may do so at once. Tells
  // the number above, which does not change before the transaction ends.
  std::int64_t keep_forget_waiting();
  // Within `forget`'s transaction, first of all: waits for those, keeps others waiting, and counts.
  void count_forget();
  // The same without counting: nobody is forgotten by it.
  void wait_as_forget();
  // Outside of a transaction, after `forget`'s. False: this is no cluster, where those wait for
  // each other on the same node only. True: on any node each transaction that keeps `forget`
  // waiting has either been committed and is seen by the next statement, or knows what was
  // committed here before, or is rolled back.
  bool pass_all_gates();
  // When the one of these walks that lags behind of a list came to its end; empty: one of them
  // never did, or did at a time still to come: the database's clock was ahead.
  std::optional<Instant> fed(const std::string& list, const std::vector<std::string>& walks);
  // Whoever nothing is known of is not in the map.
  std::map<std::string, ContactHistory> contact_histories(const std::vector<std::string>& persons,
                                                          Asked asked = Asked::transactions);

 private:
  void drop_supposed(const std::string& person, const std::string& condition,
                     const std::string& ref);

  Database& database_;
};

}  // namespace surveybridge::crm
