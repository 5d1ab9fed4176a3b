// The brake of each push (table survey_brake): whether it holds and why, how many rows a person
// has let through, and who (table survey_release). One transaction a call; any number of instances
// share it.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct BrakeState {
  std::string fingerprint;     // of the query and its bounds, as they were when rows last went out
  std::int64_t allowance = 0;  // rows that a person let through and that have not gone yet
  std::int64_t passed = 0;     // rows that ever went out
  std::string reason;          // why nothing may go out; empty: it does not hold
  std::optional<Instant> since = {};
  std::string service = {};  // where rows went to last; empty: not known
  // Of those rows, as brake_rule.hpp writes it; empty: not known.
  std::string query = {};
  static auto cells(auto& of) {
    return std::tie(of.fingerprint, of.allowance, of.passed, of.reason, of.since, of.service,
                    of.query);
  }
};

// How much of a push has gone out, by its batches.
struct Flow {
  std::int64_t last_hour = 0;
  std::int64_t usual = 0;              // in 28 days, without those of a first run
  std::optional<Instant> first_batch;  // of those days
  bool ledger_empty = true;            // it knows no transaction of this push
  std::int64_t last_day = 0;           // within 24 hours
  std::int64_t unasked = 0;            // of those, since the last release, without what it let go
  // Where rows went that the service took, or may have taken; asked for with by_service().
  std::vector<std::pair<std::string, std::int64_t>> by_service = {};
};

// A person's decision to let rows go.
struct Release {
  Instant at;
  std::int64_t rows = 0;
  std::string decided_by;
  std::string reason;  // why they waited, as the person was told
  static auto cells(auto& of) { return std::tie(of.at, of.rows, of.decided_by, of.reason); }
};

class Brakes {
 public:
  explicit Brakes(Database& database) : database_(database) {}

  // Empty: nothing of this push has ever gone out, or the tables are lost.
  std::optional<BrakeState> load(const std::string& push);
  // Those pushes of which anything went out or was held, also under a name that is not configured.
  std::vector<std::string> pushes();
  Flow flow(const std::string& push, Instant now);
  // When the last batch was claimed; empty: there is none.
  std::optional<Instant> last_batch(const std::string& push);

  // Services and rows, by name. Batches of earlier versions do not say where they went.
  std::vector<std::pair<std::string, std::int64_t>> by_service(const std::string& push);

  void hold(const std::string& push, const std::string& reason);
  // What held the push is no more. Nothing is let through. Does nothing if another reason holds it
  // by now.
  void end(const std::string& push, const std::string& reason);
  // A person's word: `rows` may go, whatever held them; 0: nothing waits, and what held the push
  // holds it no longer. Who said so, and what held the rows, is noted.
  void release(const std::string& push, const std::string& fingerprint, std::int64_t rows,
               const std::string& service = "", const std::string& decided_by = "",
               const std::string& query = "", const std::string& reason = "");
  // The latest first.
  std::vector<Release> releases(const std::string& push, int most);
  // Up to `rows` of what a person let through are the caller's from now on, and nobody else's. How
  // many; they may be given back.
  std::int64_t take(const std::string& push, std::int64_t rows);
  void give_back(const std::string& push, std::int64_t rows);
  // These `rows` are all that is left of what a person let through, and nobody needs them. Does
  // nothing if another number is left by now.
  void lapse(const std::string& push, std::int64_t rows);
  // `rows` go out under this query, to this service. What a person let through for another query or
  // service lapses.
  void pass(const std::string& push, const std::string& fingerprint, std::int64_t rows,
            const std::string& service = "", const std::string& query = "");

 private:
  Database& database_;
};

}  // namespace surveybridge::crm
