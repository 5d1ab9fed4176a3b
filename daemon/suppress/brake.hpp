// The brake of one push. It is asked before each batch; once it holds the push, it does so until a
// person releases it (`surveybridge release`). Belongs to a push.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/suppress/brake_rule.hpp"

namespace surveybridge::daemon {

// What the brake looks at before anything is decided on some rows.
struct NextToGo {
  std::int64_t sends = 0;  // rows that go out next
  std::int64_t aside = 0;  // others of those that were looked at: suppressed, delayed, set aside
  bool more = false;       // others wait behind all of these
  // New rows of the window that are drawn, and pending ones.
  std::function<std::int64_t()> count;

  // Rows that a decision is about: where nothing goes, what would be set aside is looked at like
  // rows that go, for nothing is decided on rows that the brake would hold.
  std::int64_t rows(const config::Push& push) const;
  // How many would go out in all. `is_first_run`: the brake knows nothing of the push yet.
  std::int64_t waiting(const config::Push& push, bool is_first_run) const;
};

// Why these rows may not go out without a person's word; empty: they may. Changes nothing.
// `source`: of the push. Where its query, key, bounds or CRM were changed, the rows that only the
// changed query returns and that are older than the last whole sweep of before, or the last batch,
// hold the push; where no sweep has ended, as in a first run, all that only the changed query
// returns. `waiting`: asked only where it matters. The databases are one object where the store is
// the CRM's.
std::optional<std::string> why_brake_holds(const config::Push& push,
                                           const config::Settings& settings,
                                           const std::optional<crm::BrakeState>& state,
                                           std::int64_t sends,
                                           const std::function<std::int64_t()>& waiting,
                                           crm::Source& source, crm::Database& crm,
                                           crm::Database& store, TimePoint db_now);

class Brake {
 public:
  Brake(const config::Push& push, JobContext& context) : push_(push), context_(context) {}

  // Why nothing of this push may go out, with what to do about it; empty: it may.
  std::optional<std::string> holds();
  // The reason, as `holds` has read it; empty: it does not hold.
  const std::string& reason() const { return reason_; }
  // How many rows may go out in one batch before the next look: what is left of what a person let
  // through, as `holds` has read it.
  std::size_t most() const;
  // The same, after a look at how many there are. What waits is counted once a wave.
  std::optional<std::string> look(const NextToGo& next, crm::Source& source, TimePoint db_now);
  // Holds the push for another reason than the number of rows.
  std::string hold(const std::string& reason);
  // The reason that `holds` has read is no more: the push is not held for it any longer.
  void end();
  // Has a person let through what goes out now?
  bool is_released() const { return allowance_ > 0; }
  // How many of a batch may be claimed. What a person let through is taken from it by the claim, so
  // that no other instance lets the same go, and none is lost with a process that dies.
  crm::Quota quota();
  // Did the last claim find nothing left of it?
  bool took_none() const { return took_none_; }
  // So many rows were claimed, and go.
  void pass(std::size_t rows);
  // Nothing is left to send: the next that come are a wave of their own. What a person let through
  // and did not go, because it was suppressed, say, lapses once nothing waits, or only rows that
  // are delayed by more than three days; that is counted once a minute.
  void rest(crm::Source& source);

 private:
  std::string told(const std::string& reason) const;
  const std::string& zone() const { return context_.settings().crm.time_zone; }
  const CrmIdentity& crm();

  const config::Push& push_;
  JobContext& context_;
  std::int64_t looked_at_ = 0;  // rows of this wave that were counted and have not gone yet
  std::int64_t allowance_ = 0;  // left of what a person let through; 0: nobody was asked
  std::string reason_;
  std::optional<CrmIdentity> crm_;  // asked for once
  bool took_none_ = false;
  bool changed_ = false;                // the query or the CRM, as `holds` has read it
  std::optional<Duration> counted_at_;  // in rest(), by the uptime
};

// Which CRM this is. A server's name is not part of it: it changes when another machine takes over.
CrmIdentity crm_identity(const config::Settings& settings, crm::Database& crm);

// Have rows of this push gone out by another query, key or bounds, or from another CRM, and none by
// these?
bool has_changed_query(const config::Push& push, const config::Settings& settings,
                       crm::Database& crm, crm::Database& store);
bool has_changed_query(const config::Push& push, JobContext& context);

// How many of so many new rows of a push are drawn by its `sample`, about.
std::int64_t drawn_of(const config::Push& push, std::int64_t rows);

// How many rows of a push would go out: new ones of the window that are drawn, and pending ones.
std::int64_t count_waiting(const config::Push& push, crm::Database& database, crm::Source& source,
                           const std::string& zone, TimePoint db_now);

}  // namespace surveybridge::daemon
