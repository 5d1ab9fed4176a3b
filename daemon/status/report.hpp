// The status from the CRM's database, for `status` and the status page. Reads only; contains no
// keys and no addresses.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/daemon_state/sweep_store.hpp"
#include "daemon/push/too_few.hpp"
#include "daemon/status/alerts.hpp"
#include "daemon/status/job_state.hpp"

namespace surveybridge::daemon {

// The rows that wait for a push, and the rows that it will never send because they appeared when
// they were older than the look-back window.
struct Waiting {
  std::string push;
  std::int64_t rows = 0, too_old = 0;
  std::string brake;  // why it holds; empty: it does not hold
  // Sent, and never listed by the service since (never_listed.hpp); empty: nobody can tell.
  std::optional<std::int64_t> never_listed = {};
  std::optional<crm::Swept> swept = {};  // the last sweep of the whole window; empty: none yet
  // When send_window, send_days and closed let rows out again; empty: they do now.
  std::optional<TimePoint> opens = {};
  std::string uncounted = {};          // why `rows` and `too_old` are not known; empty: they are
  bool locked = false;                 // that is why
  std::optional<TooFew> too_few = {};  // empty: enough comes, or nobody can tell
};

// A walk of the configuration, and the time from its end to its next beginning.
struct WalkInterval {
  std::string list, walk;
  Duration every{0};
};

// A walk that brings nothing for longer than usual.
struct SilentWalk {
  std::string list, walk;
  TooFew found;
};

// Follow-ups that are to be sent: messages, to whichever receivers.
struct WaitingFollowUps {
  std::string list, name;
  std::int64_t messages = 0;
  std::optional<TimePoint> since = {};  // when the oldest was found; empty: there is none
  std::int64_t given_up = 0;            // records that could not be told of within their time
};

struct StatusReport {
  crm::Overview overview;
  std::vector<Waiting> waiting;  // by push; before the first run only how many rows there are
  std::vector<WalkInterval> walks = {};
  std::vector<SilentWalk> silent = {};
  std::vector<crm::LockedPart> locked = {};  // what a lock of another session hides
  // Pushes of the ledger whose rows in doubt nothing looks up (as_sent.hpp).
  std::vector<std::string> of_nobody = {};
  std::vector<WaitingFollowUps> follow_ups = {};  // of which some wait or were given up
  std::vector<LastingAlert> alerts = {};          // by receiver
};

// What is said of a push beside the states of its rows in the ledger.
struct PushLine {
  const char* what;  // "waiting", "too old"
  std::string rows;  // "?": they could not be counted; empty: it is about no rows
  std::string why;
  // What to type, for the file that is read anyway (with_file()); empty: no command helps.
  std::string command = {};
};
std::vector<PushLine> lines_of(const Waiting& push, TimePoint now);

std::string instance_name(const crm::PaceRow& pace);  // the first characters of its id
// Requests: "19.5 a second", or "5.0 a second writing, 20.0 reading".
std::string rate_text(const crm::PaceRow& pace);

// The jobs that this instance lets wait at present; empty: none, or nobody knows, since it was
// written down too long ago.
std::string waiting_text(const crm::PaceRow& pace, TimePoint now);

// The name of a walk for people: "customers.LastActivityDate", "statuses" for a list that is read
// as a whole, "restore check (orders)" for a push's look at the service's list after a start.
std::string walk_text(const crm::StoredWalk& walk);

// "at page 7", or "between windows".
std::string progress_text(const crm::StoredWalk& walk);

// What records that cannot be read mean for whom not to mail, to be appended; empty: nothing.
std::string unread_text(const crm::UnreadableCount& unreadable);

// "[suppress] query: 2 values cannot be read as addresses, or not whole"; empty: it lists nothing
// else.
std::string unread_text(const std::string& section, const crm::ListReading& reading);

// Does a daemon work with these tables, on whatever machine?
bool is_at_work(const crm::Overview& overview);

// What came of a batch: an outcome, "no answer yet", or "no answer came": its instance has ended,
// and its rows are looked up at the service. Without a certain answer with what its rows are now.
std::string outcome_text(const crm::Ledger::Batch& batch, const crm::Overview& overview);

// What a lock on one of the bridge's own tables does: hide the parts that need this table, or let
// the whole report fail (DatabaseError(busy)).
enum class OnLock { hide_part, fail };

// `crm`: where the queries of the pushes are run; may be the store.
StatusReport report(const config::Settings& settings, crm::Database& store, crm::Database& crm,
                    OnLock lock = OnLock::fail);

}  // namespace surveybridge::daemon
