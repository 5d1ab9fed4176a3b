// The ledger: one row a transaction, for ever (table survey_push), and one a POST (survey_batch).
// A key enters once because the database says so. Every call is one transaction of its own; what
// it returns is durable. States and who moves them: docs/ARCHITECTURE.md.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/schema/ledger_words.hpp"

namespace surveybridge::crm {

// What a claim needs of one transaction. E-mail and transaction date stay in the ledger only while
// the row is claimed, in doubt or held: they narrow the read-back.
struct Claim {
  std::string key;
  std::string email;
  Instant transaction_date;  // as sent, else the time of the claim
  std::string person = {};   // keyed hash of the address (people.hpp); empty: not known
  std::string digest = {};   // keyed hash of the cells that were mapped; empty: not known
  std::string quota = {};    // keyed hash of the value by which it is counted; empty: by none
};

// Where transactions were sent or listed, as in NewBatch; empty: not known.
struct Place {
  std::string service = {}, correlate = {};
};

struct NewBatch {
  std::string id;  // unique for ever, drawn by the caller
  std::string push;
  std::string owner;                     // instance that sends
  bool test = false;                     // IsTest or IsConcept: read-back must include test records
  std::string service = {};              // where it goes, as brake_rule.hpp names it
  std::string correlate = {};            // the data column that carries the keys; empty: none
  std::vector<std::string> pushes = {};  // of the configuration, this one among them
  // Keys that may have gone out before, and whose rows the ledger has lost (missing()).
  std::set<std::string> lost = {};
  // Facts for which a person is left out, beside being forgotten: they may have come to light since
  // the batch was chosen.
  std::vector<FactKind> barring = {};
};

// How many rows of a claim may go, where a person has let a number through. Both are called within
// the claim's transaction: a claim that fails, or whose process dies, takes nothing away.
struct Quota {
  std::function<std::int64_t(std::int64_t rows)> take;  // of so many; empty: all may go
  std::function<void(std::int64_t rows)> give_back;
};

// A row that needs a look at the service.
struct Doubt {
  std::string key, batch, email;
  Instant transaction_date;
  Instant since;  // when it came into doubt
  bool test = false;
  bool refused = false;  // the service refused its batch; believed only once it has been looked up
  bool alone = false;    // it was the only row of that batch
  std::string words = {};     // the service's, of that refusal
  std::int64_t broken = 0;    // how many of its batches were answered 500
  std::int64_t attempts = 0;  // how often it was claimed
  bool dated = true;          // else its transaction date is not known
  // Of its batch, or of the list that shows it, as in NewBatch; empty: not known.
  std::string service = {}, correlate = {};
};

struct Entry {  // the ledger's row, for people
  std::string push, key;
  State state;
  std::string reason, batch;
  std::optional<std::int64_t> customer_id;
  std::int64_t attempts = 0;
  Instant seen_at, changed_at;
  static auto cells(auto& of) {
    return std::tie(of.push, of.key, of.state, of.reason, of.batch, of.customer_id, of.attempts,
                    of.seen_at, of.changed_at);
  }
};

class Ledger {
 public:
  explicit Ledger(Database& database) : database_(database) {}

  // Rows of a batch become claimed: new keys are entered, pending ones moved. Returns the keys that
  // are now ours; the others were taken by somebody else in between and must not be sent.
  // A key that the service lists (settle_listed), that a pulled customer has although the ledger
  // has never tried it, or that is `lost`, is not claimed and comes into doubt instead; so does a
  // row that it may list with its key changed (mapping/values/service_copy.hpp). Such a
  // doubt belongs to the place that the key was listed at. If the customer has opted out, the row's
  // person has, whatever address the service shows: nothing of that person is claimed.
  // Nothing claimed: no batch is written. With a lease it is confirmed in the same transaction. A
  // quota lets the first rows go.
  std::vector<std::string> claim(const NewBatch& batch, const std::vector<Claim>& rows,
                                 const std::optional<Lease>& lease = std::nullopt,
                                 const Quota& quota = {});

  // Those of the rows that could be claimed and whose keys the service lists, or that are `lost`,
  // come into doubt, as by a claim. How many.
  std::int64_t doubt_listed(const NewBatch& batch, const std::vector<Claim>& rows);

  // What a POST came to, for the batch's record.
  struct Answer {
    Outcome outcome = Outcome::none;
    int http_status = 0;  // 0: none
    std::string detail;   // bounded; the service's words or the transport's
  };
  // Some keys of a batch get a state (sent, pending, in_doubt, quarantined, held).
  // From claimed; or from in_doubt when the batch is still the row's (its own answer is the best
  // evidence there is). How many rows moved.
  struct Verdict {
    std::string key;
    State state;
    std::string reason;
    std::optional<std::int64_t> customer_id = std::nullopt;
    std::string batch = {};  // only while the row is this batch's; empty: any
    // For resolve and decide: only while the row has been claimed so often; empty: any.
    std::optional<std::int64_t> attempts = std::nullopt;
    std::string digest = {};  // for mended: only while the row has this one; empty: any
  };
  std::int64_t settle(const std::string& push, const std::string& batch, const Answer& answer,
                      const std::vector<Verdict>& verdicts);

  // A transaction that is not to be sent.
  struct SetAside {
    std::string key, reason;
    std::string person = {};  // keyed hash of the address; empty: not known
    std::string digest = {};  // as in Claim, or kNoDigest; empty: the row is not tried again
  };
  // Keys seen for the first time become quarantined or suppressed; pending rows, too. How many
  // moved or entered.
  std::int64_t set_aside(const std::string& push, State state, const std::vector<SetAside>& rows);

  // Keys that may go, but not before a time: pending until then. How many.
  struct Delay {
    std::string key, reason;
    Instant until;
    std::string person = {};  // as in SetAside
  };
  std::int64_t delay(const std::string& push, const std::vector<Delay>& delays);

  // Claimed rows of owners without a valid lease "instance:OWNER" come into doubt, and those that
  // have been claimed for longer than `longest`, which no step takes: their owner settled the claim
  // before it could see it, after a lost commit say. How many.
  std::int64_t doubt_the_dead(const std::string& push,
                              std::chrono::seconds longest = std::chrono::hours{1});

  // Keys behind `after` of rows in this state of which the ledger does not know whose they are, in
  // their order; none of an erased key.
  std::vector<std::string> without_person(const std::string& push, State state,
                                          const std::string& after, int limit);
  // Up to `limit` rows in doubt, oldest doubt first, of batches of this push.
  std::vector<Doubt> in_doubt(const std::string& push, int limit);
  // Those of these keys that are held, as they were when they were in doubt.
  std::vector<Doubt> held(const std::string& push, const std::vector<std::string>& keys);
  // Does the ledger know a customer that the service lists, by its id, or by its key as one of
  // these pushes'?
  bool knows_customer(const std::vector<std::string>& pushes, const std::string& key,
                      std::int64_t customer_id);
  // in_doubt → sent | pending | held | quarantined for single keys, with what the read-back saw as
  // reason. A verdict that names its batch cannot move a row that has gone out again since.
  std::int64_t resolve(const std::string& push, const std::vector<Verdict>& verdicts);

  // A customer that the service lists, and the key it carries.
  struct Sighting {
    std::string key;
    std::int64_t customer_id;
    std::string person = {};  // as in Claim; a customer of somebody else is not ours
    std::optional<Instant> transaction_date = std::nullopt;
    bool opted_out = false;                   // of the row's person, whoever that is
    std::optional<bool> test = std::nullopt;  // of a test batch; it ends the doubt of none other
  };
  struct SightingResult {
    std::int64_t arrived = 0;  // were thought unsent, and are sent after all
    std::int64_t twice = 0;    // are at the service more than once; told once a customer
    std::int64_t doubts = 0;   // were in doubt, and have arrived
    std::string first_arrived = {}, first_twice = {};  // keys
  };
  // What the service lists is the best evidence there is: a sent row learns its customer's id, and
  // a row that was tried and is unsent or in doubt becomes sent. A batch that was refused and yet
  // kept is marked so. Rows never tried, claimed or suppressed stay as they are; a key that was
  // never tried, or that the ledger does not have, is remembered as listed, whether the CRM has its
  // row now or not (table survey_listed), with where it was listed, and that it has opted out.
  SightingResult settle_listed(const std::string& push, const std::vector<Sighting>& customers,
                               const Place& read_at = {});
  // The push and the key of these customers' transactions, as the customers were stored last; empty
  // where nothing is stored of them, or this account may not read that.
  std::map<std::int64_t, std::pair<std::string, std::string>> stored_transactions(
      const std::vector<std::int64_t>& customers);
  // Those of these keys that a claim would put in doubt because the service lists them.
  std::set<std::string> listed(const std::string& push, const std::vector<std::string>& keys);
  // Those of these keys that the ledger does not have, or has as pending: a claim could take them.
  std::vector<std::string> claimable(const std::string& push, const std::vector<std::string>& keys);
  // Those of these keys that the ledger does not have.
  std::set<std::string> missing(const std::string& push, const std::vector<std::string>& keys);
  // When the last batch of a push was claimed; empty: none is known.
  std::optional<Instant> last_claim(const std::string& push);
  // When the oldest row was met that may still go out: pending, quarantined, held or suppressed;
  // empty: none.
  std::optional<Instant> oldest_unsent(const std::string& push);
  bool knows_batch(const std::string& id);
  // Has the service ever kept what it refused?
  bool keeps_what_it_refuses(const std::string& push);
  // Rows of the smallest batch that was refused with one of these keys in it, of those that are
  // pending now; 0: none.
  std::int64_t smallest_refused(const std::string& push, const std::vector<std::string>& keys);
  // The same for batches that were answered 500.
  std::int64_t smallest_broken(const std::string& push, const std::vector<std::string>& keys);
  // What the service said of rows since then, as the ledger has them now: set aside for a refusal,
  // and sent.
  struct Refusals {
    std::int64_t refused = 0, sent = 0;
  };
  Refusals refusals_since(const std::string& push, Instant since);
  // How often a row was sent alone and answered 403, before an acceptance of another batch.
  std::int64_t forbidden_alone(const std::string& push, const std::string& key);

  // What is set aside with a digest, of these keys, and may be tried again now: after each time a
  // row waits as long as the ledger has known it, but no longer than kTriedAgainMax, and
  // kSentAgainMax where it was sent. Such a one must have been set aside before `listed_until`: the
  // service may have kept it.
  static constexpr std::chrono::hours kTriedAgainMax{1}, kSentAgainMax{24};
  struct Mendable {
    std::string key, digest;
  };
  std::vector<Mendable> mendable(const std::string& push, const std::vector<std::string>& keys,
                                 Instant listed_until = Instant::max());
  // May there be a row that is set aside with a digest, and was so at `since` or later? Of each
  // state the latest `most` are looked at: rows that no rule lets go may be many.
  bool may_have_mendable(const std::string& push, Instant since, int most = 20'000);
  // quarantined, suppressed → pending, where the row is still set aside with this digest. What a
  // person has decided has none. How many.
  std::int64_t mended(const std::string& push, const std::vector<Mendable>& rows,
                      const std::string& reason);
  // How many rows of a push were claimed since then for each of these values, and may have gone
  // out. Values without such a row are not there.
  std::map<std::string, std::int64_t> taken(const std::string& push,
                                            const std::vector<std::string>& quotas, Instant since);

  // An operator's word. How many moved; a key in any other state stays where it is.
  // quarantined → pending: goes out as the CRM has it now.
  std::int64_t retry(const std::string& push, const std::vector<std::string>& keys,
                     const std::string& reason);
  // suppressed → pending: judged anew, as the CRM has it now. What of a person who has opted out or
  // is forgotten stays.
  std::int64_t judge_again(const std::string& push, const std::vector<std::string>& keys,
                           const std::string& reason);
  // quarantined → suppressed.
  std::int64_t drop(const std::string& push, const std::vector<std::string>& keys,
                    const std::string& reason);
  // held | in_doubt → sent: it did arrive. held → pending: it goes out again; what is in doubt may
  // still be found. `seen`: how often rows had been claimed (Entry::attempts) when somebody looked
  // at them, by key. A row that was claimed again since then stays: nobody has looked at that
  // batch. A key that is not there may have been claimed any number of times.
  using Attempts = std::map<std::string, std::int64_t>;
  std::int64_t decide(const std::string& push, State state, const std::vector<std::string>& keys,
                      const std::string& reason, const Attempts& seen = {});

  // Takes back that a person marked rows sent: they are in doubt again, since the time they came
  // into doubt last, and are looked up at the service. Not where the service has shown the
  // customer.
  std::int64_t undo_sent(const std::string& push, const std::vector<std::string>& keys,
                         const std::string& reason);
  // Up to `limit` rows behind a key that it would take back, in the order of keys.
  std::vector<Entry> marked_sent(const std::string& push, const std::string& key, int limit);

  // Lets the database count its rows anew, where it plans statements by counts that may be old
  // (PostgreSQL). Only the tables' owner can; for others it changes nothing.
  void renew_statistics();

  // Oldest change first.
  std::vector<Entry> list(const std::string& push, State state, int limit);
  // Up to `limit` rows in a state behind a key, in the order of keys as the database has it.
  std::vector<Entry> in_state(const std::string& push, State state, const std::string& key,
                              int limit);
  // The row that came into a state last.
  std::optional<Entry> latest(const std::string& push, State state);
  // Why rows are in a state, the most frequent reason first.
  struct Reason {
    std::string reason;
    std::int64_t rows = 0;
    Instant first, last;  // changes
    static auto cells(auto& of) { return std::tie(of.reason, of.rows, of.first, of.last); }
  };
  std::vector<Reason> reasons(const std::string& push, State state);
  // Up to `limit` rows behind a key, in the order of keys as the database has it.
  std::vector<Entry> after(const std::string& push, const std::string& key, int limit);
  std::optional<Entry> find(const std::string& push, const std::string& key);
  // Rows that were sent at `from` or later and before `to`, no test batch's, of which the service
  // has listed no customer yet.
  std::int64_t never_listed(const std::string& push, Instant from, Instant to);
  struct Count {
    std::string push;
    State state;
    std::int64_t rows;
    static auto cells(auto& of) { return std::tie(of.push, of.state, of.rows); }
  };
  std::vector<Count> counts();
  // When the oldest row of a push came into each state that it leaves again; "delayed": pending,
  // and not before a time that is to come. Without a row nothing is said of a state.
  struct Oldest {
    std::string push, state;
    Instant since;
  };
  std::vector<Oldest> oldest(const std::string& push, Instant now);
  // Is no row of the push quarantined with a reason that begins with `reason`?
  bool none_set_aside(const std::string& push, const std::string& reason);
  // The rows of one push in one state.
  std::int64_t count(const std::string& push, State state);
  // Of the pending ones those that may go at that time.
  std::int64_t count_due(const std::string& push, Instant at);

  // A key's transitions, first to last: each with the batch and the reason the row then had. Those
  // older than [ledger] keep_events may be missing.
  struct Event {
    Instant at;
    State state;
    std::string batch, detail;
    static auto cells(auto& of) { return std::tie(of.at, of.state, of.batch, of.detail); }
  };
  std::vector<Event> history(const std::string& push, const std::string& key);
  struct Batch {
    std::string id, push, owner;
    std::int64_t rows = 0;
    Instant sent_at;
    Answer answer;  // outcome none: no answer has come yet
    bool test = false;
    std::optional<Instant> settled_at;
    // Where it went, and the data column that carried its keys; empty: an earlier version did not
    // say.
    std::string service, correlate = {};
    static auto cells(auto& of) {
      return std::tie(of.id, of.push, of.owner, of.rows, of.sent_at, of.answer.outcome,
                      of.answer.http_status, of.answer.detail, of.test, of.settled_at, of.service,
                      of.correlate);
    }
  };
  // Transactions of a person (as in Claim), and those whose customer has this id; of every push, in
  // the order of push and key.
  std::vector<Entry> of_person(const std::string& person, int limit);
  std::vector<Entry> of_customer(std::int64_t id, int limit);
  std::vector<Batch> batches(const std::string& push, int limit);  // newest first
  std::optional<Batch> batch(const std::string& id);
  // How many of the rows whose last batch this is are in each state now.
  std::map<State, std::int64_t> states_of_batch(const std::string& id);

 private:
  Database& database_;
};

}  // namespace surveybridge::crm
