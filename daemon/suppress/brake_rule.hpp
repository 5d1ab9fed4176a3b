// When a push must not go out without a person's word, and at which hours and days it may. Pure.
// `max_per_hour`, `brake`, `send_window`, `send_days` and `closed` of docs/CONFIG.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/daemon_state/brakes.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// What decides who is asked: query, key, when, start, look_back, and the CRM's zone, which keys and
// dates made of times depend on.
std::string fingerprint_of(const config::Push& push, const std::string& zone);

// The CRM, as keys depend on it.
struct CrmIdentity {
  std::string zone;
  std::string database = {};  // its product and name, "PostgreSQL shop"; empty: not known
  bool has_ledger = false;    // which goes where the CRM goes
};
// Is `now` the database of `before`, as far as both are known? One that has the ledger always is.
bool is_same_database(const CrmIdentity& before, const CrmIdentity& now);

// The same as a text, a line each: key, when, bounds with the zone and the database; the rest is
// the query.
std::string query_text(const config::Push& push, const CrmIdentity& crm);
// The push as it asked by that text, and whom. Empty: the text does not say all of it, as those of
// earlier versions.
struct Asked {
  config::Push push;
  CrmIdentity crm;
};
std::optional<Asked> asked_by(const std::string& query_text, const config::Push& push);

// Are its customers test customers?
bool is_test(const config::Batch& batch);

// Where a push's rows go, for people: the service's base_url, the account as far as it has a name
// (client_id, user), and whether they are test customers.
std::string service_of(const config::Push& push, const config::Settings& settings);

// The same for all pushes: for customers, and for test customers.
std::vector<std::string> services_of(const config::Settings& settings);

// Did rows go out last by the query, key and bounds of the push, from this CRM?
bool asks_the_same(const crm::BrakeState& state, const config::Push& push, const CrmIdentity& crm);

// The same, and to this service? What a person let through counts only then.
bool is_of(const crm::BrakeState& state, const config::Push& push, const CrmIdentity& crm,
           const std::string& service);

// What people are told where it does not, and nothing holds the push yet.
inline constexpr std::string_view kAsksAnew =
    "the query, its bounds, the CRM, its time zone or the service were changed, and the brake "
    "checks the rows before they go out";

// Rows from before a change of the query that would go out.
struct OlderRows {
  std::int64_t rows = 0;
  std::string oldest = {};  // its `when`, for people; empty: not known
};

// How its reason begins where the query, key or bounds, the CRM, its zone, or the service, were
// changed.
inline constexpr std::string_view kQueryChanged = "the query was changed: ",
                                  kCrmChanged = "[crm] connection was changed: ",
                                  kZoneChanged = "[crm] time_zone was changed: ",
                                  kServiceChanged = "the service was changed: ";
// What another key means, as a sentence; empty: it is the same column.
std::string other_key_text(const config::Push& before, const config::Push& after);
// Was a change that holds a push taken back?
bool is_taken_back(const config::Push& push, const CrmIdentity& crm, const std::string& service,
                   const crm::BrakeState& state);

struct Wave {
  std::int64_t batch = 0;  // rows that would go out now
  // How many rows wait in all. Asked only where it matters: it counts the query.
  std::function<std::int64_t()> waiting;
  std::string service = {};  // they would go to: service_of
  // Asked only where the query, the key, the bounds or the CRM are others than those of the rows
  // that went out last. Empty: nothing is known.
  std::function<OlderRows()> older = {};
  CrmIdentity crm = {};
};

// Why the brake takes hold; empty: this batch may go. What a person has let through is not asked
// about again.
std::optional<std::string> brakes_on(const config::Push& push,
                                     const std::optional<crm::BrakeState>& state,
                                     const crm::Flow& flow, const Wave& wave, TimePoint now);

// When a push may send next: `now` on one of its days within its window, else the next opening, by
// the wall clock of `zone`.
TimePoint opening(const config::Push& push, const std::string& zone, TimePoint now);

}  // namespace surveybridge::daemon
