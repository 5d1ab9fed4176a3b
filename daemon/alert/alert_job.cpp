#include "daemon/alert/alert_job.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "connectors/crm/daemon_state/alert_store.hpp"
#include "connectors/crm/pulled/follow_up_store.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/service/api.hpp"
#include "daemon/job/backoff.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/pull/follow_ups.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::daemon {

namespace {

// A look counts what waits, so it takes at most a hundredth of the time, as for the status page.
constexpr Duration kLookEvery = std::chrono::minutes{1}, kLookMost = std::chrono::minutes{10};
constexpr int kLookShare = 100;
// Longer than a report and a message.
constexpr std::chrono::seconds kLeaseLasts = std::chrono::minutes{5};
constexpr Duration kLeaseAgain = std::chrono::seconds{5};
// A database that answers sooner is not told of.
constexpr Duration kOutageLasts = std::chrono::minutes{5};
constexpr std::chrono::hours kUnseenKept{24 * 30};

Need outage_need(const std::string& host) {
  return {"database: it does not answer " + host + ": nothing is sent or read",
          "surveybridge check", "", config::AlertKind::jobs, "database"};
}

// One of follow-ups alone is not.
bool is_told_how_all_stands(const config::Receiver& receiver) {
  return receiver.daily || !receiver.kinds || !receiver.kinds->empty();
}

// Of its message, whenever it is told.
std::string id_of(const crm::FollowUp& row) {
  return mapping::name_uuid(row.list + " " + row.name + " " + row.record + " " + row.receiver +
                            " " + second_text(row.found_at));
}

}  // namespace

AlertJob::AlertJob(const Shared& shared, std::function<std::vector<JobState>()> states,
                   const std::string& host, std::uint64_t seed)
    : states_(std::move(states)),
      origin_{host, shared.settings.file},
      context_(shared),
      random_(seed),
      log_throttle_(shared.log, name_, shared.environment.uptime) {
  status_.unit = "messages";
}

TimePoint AlertJob::step(TimePoint now) {
  status_.caught_up = false;
  try {
    context_.open();
    return work(now);
  } catch (const crm::DatabaseError& error) {
    if (error.kind == crm::DatabaseError::Kind::connection) meet_outage(error.what(), now);
    throw;
  }
}

TimePoint AlertJob::work(TimePoint now) {
  lease_ = crm::Leases(context_.database()).take(name_, context_.environment().owner, kLeaseLasts);
  if (!lease_) return now + kLeaseAgain;
  if (!context_.once() && (now >= look_at_ || look_at_ - now > kLookMost)) look(now);
  const bool again = tell_one(now);
  if (!again) give_up_answers();
  leave();
  show_failing();
  if (again) return now;
  status_.caught_up = true;
  TimePoint next = std::min(look_at_, now + kLookEvery);
  for (const auto& [receiver, failing] : failing_)
    next = std::min(next, failing.next_at);
  return std::max(next, now);
}

void AlertJob::look(TimePoint now) {
  crm::Database& database = context_.database();
  const auto& receivers = context_.settings().alerts;
  if (std::ranges::none_of(receivers, is_told_how_all_stands)) {
    look_at_ = now + kLookEvery;
    return end_outage(database.now());
  }
  const Duration began = context_.environment().uptime();
  const auto seen = read_report();
  const auto needs = needs_of(seen ? &*seen : nullptr, states_());
  summaries_.clear();  // one that is old would say that all is well
  for (const auto& receiver : receivers)
    if (seen && receiver.daily)
      summaries_.emplace(receiver.name, summary_of(*seen, needs, receiver, origin_));
  const TimePoint db_now = database.now();
  // What was not looked at meanwhile is not over: another daemon, or a job, may not be back yet.
  const auto gap = looked_at_ ? db_now - *looked_at_ : kAlertOver;
  if (!seen || gap >= kAlertOver || gap < Duration{0}) looked_since_ = db_now;
  looked_at_ = db_now;
  std::vector<crm::Alert> rows;
  for (const auto& receiver : receivers)
    std::ranges::move(seen_alerts(needs, receiver, alerts_of(receiver), origin_.file, db_now),
                      std::back_inserter(rows));
  crm::Transaction transaction(database);
  crm::Leases(database).confirm(*lease_);
  crm::AlertStore(database).put(rows);
  crm::AlertStore(database).remove_unseen_since(db_now - kUnseenKept);
  transaction.commit();
  end_outage(db_now);
  const Duration took = context_.environment().uptime() - began;
  look_at_ = now + std::clamp(took * kLookShare, kLookEvery, kLookMost);
}

// Empty: a query that is wrong, or a lock, keeps it from being read. What jobs say is told all the
// same.
std::optional<StatusReport> AlertJob::read_report() {
  unread_.reset();
  try {
    return report(context_.settings(), context_.database(), context_.crm());
  } catch (const crm::DatabaseError& error) {
    if (error.kind == crm::DatabaseError::Kind::connection) throw;
    unread_ = error;
    return std::nullopt;
  }
}

std::vector<crm::Alert> AlertJob::alerts_of(const config::Receiver& receiver) {
  auto rows = crm::AlertStore(context_.database()).of(receiver.name);
  std::erase_if(rows, [&](const crm::Alert& row) { return !wants(receiver, row.subject); });
  return rows;
}

// True: one was told, or could not be, and another may wait.
bool AlertJob::tell_one(TimePoint now) {
  for (const auto& receiver : context_.settings().alerts) {
    const auto failing = failing_.find(receiver.name);
    const bool fails = failing != failing_.end();
    const bool rests = fails && now < failing->second.next_at;
    // `sync` ends before a receiver that refuses one answer could be told of the others.
    const bool goes_on =
        context_.once() && fails && failing->second.last.fault == JobStatus::Fault::configuration;
    if (rests && !goes_on) continue;
    // What it refuses for good holds up nothing of the other kind.
    if (fails && (rests || failing->second.answers_first) && tell_answer(receiver, now, rests))
      return true;
    if (rests) continue;
    const auto rows = alerts_of(receiver);
    // Without a look, as in `sync`, nothing is begun or over.
    const auto due = looked_since_
                         ? due_alerts(rows, origin_, *looked_since_, context_.database().now())
                         : DueAlerts{};
    if (!due.none()) {
      if (tell(receiver, message_of(due, origin_), now)) settle(due);
      return true;
    }
    if (tell_summary(receiver, rows, now) || tell_answer(receiver, now, false)) return true;
    failing_.erase(receiver.name);  // nothing is left to be told
  }
  return false;
}

// True: one was told, or could not be, and another may wait. One that the receiver has not taken
// comes after all that were not tried yet, so that it holds up none, however many these are.
// `untried`: such a one is not tried again.
bool AlertJob::tell_answer(const config::Receiver& receiver, TimePoint now, bool untried) {
  struct Answer {
    const config::Pull& pull;
    const config::FollowUp& follow_up;
    crm::FollowUp row;
  };
  crm::Database& database = context_.database();
  auto& not_taken = not_taken_[receiver.name];
  const int most = crm::FollowUpStore::kWaiting + static_cast<int>(not_taken.size());
  std::map<std::ptrdiff_t, Answer> again;  // by the place in `not_taken`
  for (const auto& pull : context_.settings().pulls) {
    for (const auto& follow_up : pull.follow_ups) {
      if (std::ranges::find(follow_up.to, receiver.name) == follow_up.to.end()) continue;
      for (auto& row : crm::FollowUpStore(database).waiting(
               pull.name, follow_up.name, receiver.name, database.now() - follow_up.within, most)) {
        const auto place = std::ranges::find(not_taken, id_of(row)) - not_taken.begin();
        if (place == std::ssize(not_taken)) {
          tell_answer(receiver, pull, follow_up, row, now);
          return true;
        }
        again.emplace(place, Answer{pull, follow_up, std::move(row)});
      }
    }
  }
  if (again.empty()) {
    not_taken.clear();
    return false;
  }
  if (untried) return false;
  auto& [place, answer] = *again.begin();
  not_taken.erase(not_taken.begin(), not_taken.begin() + place + 1);  // those before it are gone
  tell_answer(receiver, answer.pull, answer.follow_up, answer.row, now);
  return true;
}

// It is claimed before it is sent: whoever finds a claim says that it may have been told before.
void AlertJob::tell_answer(const config::Receiver& receiver, const config::Pull& pull,
                           const config::FollowUp& follow_up, crm::FollowUp& row, TimePoint now) {
  crm::Database& database = context_.database();
  const bool again = row.claimed_at.has_value();
  row.claimed_at = database.now();
  if (!mark(row)) return;
  const auto& root = service::operation_of(pull.list).item;
  const auto records = crm::stored_records(database, root, {crm::stored_key(root, row.record)});
  if (records.empty()) return crm::FollowUpStore(database).remove(row);
  const AnswerNote answer{id_of(row), row.name, again,
                          shown_of(context_.settings(), pull, follow_up, records.front())};
  if (send(receiver, answer_message(answer, origin_), now)) {
    row.told_at = database.now();
  } else {
    Failing& failing = failing_[receiver.name];
    failing.answers_first = false;
    not_taken_[receiver.name].push_back(answer.id);
    if (again || failing.last.may_be_there) return;
    row.claimed_at.reset();
  }
  mark(row);
}

// What could not be told within its time is in no message any more: the log says how many.
void AlertJob::give_up_answers() {
  crm::Database& database = context_.database();
  for (const auto& pull : context_.settings().pulls) {
    for (const auto& follow_up : pull.follow_ups) {
      crm::Transaction transaction(database);
      const TimePoint before = crm::Leases(database).confirm(*lease_) - follow_up.within;
      const auto records =
          crm::FollowUpStore(database).give_up(pull.name, follow_up.name, follow_up.to, before);
      transaction.commit();
      if (records == 0) continue;
      context_.log().warn(
          fmt::format("pull.{}.follow_up.{}: {} could not be told of within {} and {} given up",
                      pull.name, follow_up.name, counted(records, "record"),
                      length_text(follow_up.within), records == 1 ? "is" : "are"),
          {.job = name_});
    }
  }
}

// While no other daemon has the turn. False: the answer is gone.
bool AlertJob::mark(const crm::FollowUp& row) {
  crm::Transaction transaction(context_.database());
  crm::Leases(context_.database()).confirm(*lease_);
  const bool is_there = crm::FollowUpStore(context_.database()).mark(row);
  transaction.commit();
  return is_there;
}

bool AlertJob::tell_summary(const config::Receiver& receiver, const std::vector<crm::Alert>& rows,
                            TimePoint now) {
  const auto summary = summaries_.find(receiver.name);
  if (summary == summaries_.end()) return false;
  crm::Database& database = context_.database();
  const TimePoint db_now = database.now();
  const auto last = std::ranges::find(rows, kSummarySubject, &crm::Alert::subject);
  const bool is_first = last == rows.end();
  const TimePoint due =
      last_time({.at = *receiver.daily}, context_.settings().crm.time_zone, db_now);
  const bool told = !is_first && last->told_at && *last->told_at >= due;
  if (told && *last->told_at <= db_now) return false;  // else the clock was ahead
  if (!is_first && !tell(receiver, summary->second, now)) return true;
  crm::AlertStore(database).put({{receiver.name, kSummarySubject, "", "", db_now, db_now, db_now}});
  return true;
}

// The lease is confirmed first, so that no other daemon tells the same meanwhile.
bool AlertJob::tell(const config::Receiver& receiver, const AlertMessage& message, TimePoint now) {
  crm::Transaction transaction(context_.database());
  crm::Leases(context_.database()).confirm(*lease_);
  transaction.commit();
  if (send(receiver, message, now)) return true;
  failing_[receiver.name].answers_first = true;
  return false;
}

// False: it is tried again later.
bool AlertJob::send(const config::Receiver& receiver, const AlertMessage& message, TimePoint now) {
  const auto transport = context_.environment().open_messenger(receiver);
  const auto undelivered = deliver(receiver, message, *transport, now);
  if (!undelivered || undelivered->to_others) {
    failing_.erase(receiver.name);
    refused_.erase(receiver.name);
    if (undelivered) refused_.emplace(receiver.name, *undelivered);
    ++status_.done;
    return true;
  }
  Failing& failing = failing_[receiver.name];
  failing.last = *undelivered;
  failing.next_at = now + backoff(++failing.failures, random_.unit());
  return false;
}

void AlertJob::settle(const DueAlerts& due) {
  crm::Database& database = context_.database();
  crm::AlertStore store(database);
  crm::Transaction transaction(database);
  const TimePoint db_now = crm::Leases(database).confirm(*lease_);
  auto told = due.begun;
  for (auto& alert : told)
    alert.tell(db_now);
  store.put(told);
  for (const auto& alert : due.over)
    store.remove(alert);
  transaction.commit();
}

// What cannot be in the store is in memory: each daemon tells of it, and again after a restart.
void AlertJob::meet_outage(const std::string& why, TimePoint now) {
  lease_.reset();
  const Duration uptime = context_.environment().uptime();
  if (!away_since_) away_since_ = uptime;
  if (uptime - *away_since_ < kOutageLasts) return;
  for (const auto& receiver : context_.settings().alerts) {
    const auto failing = failing_.find(receiver.name);
    const bool rests = failing != failing_.end() && now < failing->second.next_at;
    if (rests || told_of_outage_.contains(receiver.name)) continue;
    Need need = outage_need(origin_.host);
    need.what += ": " + why;
    DueAlerts due;
    if (due.begun = seen_alerts({need}, receiver, {}, origin_.file, now); due.begun.empty())
      continue;
    if (send(receiver, message_of(due, origin_), now)) told_of_outage_.insert(receiver.name);
    return;
  }
}

// From now on the store knows who was told, and so when it is to be told that it is well again.
void AlertJob::end_outage(TimePoint db_now) {
  away_since_.reset();
  if (told_of_outage_.empty()) return;
  std::vector<crm::Alert> rows;
  for (const auto& receiver : context_.settings().alerts) {
    if (!told_of_outage_.contains(receiver.name)) continue;
    for (auto& row : seen_alerts({outage_need(origin_.host)}, receiver, {}, origin_.file, db_now)) {
      row.told_at = db_now;
      rows.push_back(std::move(row));
    }
  }
  crm::AlertStore(context_.database()).put(rows);
  told_of_outage_.clear();
}

// A receiver that is not reached, or a report that is not read, is a trouble of this job, which
// works all the same.
void AlertJob::show_failing() {
  status_.trouble.clear();
  status_.fault = JobStatus::Fault::none;
  status_.degraded = unread_ || !failing_.empty() || !refused_.empty();
  if (unread_) {
    const bool is_busy = unread_->kind == crm::DatabaseError::Kind::busy;
    status_.trouble = std::string(kOfDatabase) + unread_->what();
    status_.fault = is_busy ? JobStatus::Fault::unreachable : JobStatus::Fault::configuration;
  }
  const auto add = [&](const std::string& words, const Undelivered& last) {
    status_.trouble += (status_.trouble.empty() ? "" : "; ") + words + ": " + last.why;
    if (status_.fault != JobStatus::Fault::configuration) status_.fault = last.fault;
  };
  for (const auto& [receiver, failing] : failing_)
    add(receiver + " could not be told", failing.last);
  for (const auto& [receiver, last] : refused_)
    add(receiver + " was told in part", last);
  if (status_.trouble.empty()) return log_throttle_.over();
  log_throttle_.report(level_of(status_.fault), status_.trouble);
}

void AlertJob::leave() {
  if (!lease_) return;
  crm::Leases(context_.database()).release(*lease_);
  lease_.reset();
}

}  // namespace surveybridge::daemon
