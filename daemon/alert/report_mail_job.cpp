#include "daemon/alert/report_mail_job.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "connectors/crm/daemon_state/alert_store.hpp"
#include "connectors/crm/report/report_reading.hpp"
#include "daemon/job/backoff.hpp"
#include "daemon/job/fault.hpp"

namespace surveybridge::daemon {

namespace {

constexpr const char* kReportSubject = "report";
// Longer than a mail takes.
constexpr std::chrono::seconds kMailLeaseLasts = std::chrono::minutes{5};
constexpr Duration kMailLeaseAgain = std::chrono::seconds{5};
// The database's clock may be set meanwhile.
constexpr Duration kLookMeanwhile = std::chrono::minutes{10};
// A row that nobody has seen for a month is removed.
constexpr Duration kSeenAgain = std::chrono::hours{24};

}  // namespace

ReportMailJob::ReportMailJob(const config::Report::Mail& mail, const Shared& shared,
                             const std::string& host, std::uint64_t seed)
    : name_("report." + mail.name),
      mail_(mail),
      origin_{host, shared.settings.file},
      context_(shared),
      random_(seed),
      log_throttle_(shared.log, name_, shared.environment.uptime) {
  status_.unit = "reports";
}

TimePoint ReportMailJob::step(TimePoint now) {
  status_.caught_up = false;
  context_.open();
  lease_ =
      crm::Leases(context_.database()).take(name_, context_.environment().owner, kMailLeaseLasts);
  if (!lease_) return now + kMailLeaseAgain;
  const std::string& zone = context_.settings().crm.time_zone;
  const TimePoint db_now = context_.database().now();
  const auto last = look(last_time(mail_.every, zone, db_now), now);
  leave();
  show(last, db_now);
  status_.caught_up = true;
  if (failing_) return next_try_at_;
  return now + std::min<Duration>(next_time(mail_.every, zone, db_now) - db_now, kLookMeanwhile);
}

// The first report is the one that becomes due from now on.
std::optional<crm::Alert> ReportMailJob::look(TimePoint due, TimePoint now) {
  const TimePoint db_now = context_.database().now();
  const auto last = last_claim();
  const bool knows = last && last->since - db_now < kReportMadeUp;  // else the clock was ahead
  const bool is_due = knows && last->since < due && db_now - due < kReportMadeUp;
  if (!is_due) forget_failure();
  if (!knows) {
    keep(due, db_now);
  } else if (is_due && now >= next_try_at_) {
    make_and_send(due, now);
  } else if (db_now - last->seen_at > kSeenAgain) {
    keep(last->since, last->told_at);
  }
  return last_claim();
}

std::optional<crm::Alert> ReportMailJob::last_claim() {
  auto rows = crm::AlertStore(context_.database()).of(name_);
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

// Throws LeaseLost where another daemon has taken over.
void ReportMailJob::keep(TimePoint due, std::optional<TimePoint> told_at) {
  crm::Database& database = context_.database();
  crm::Transaction transaction(database);
  const TimePoint db_now = crm::Leases(database).confirm(*lease_);
  crm::AlertStore(database).put({{name_, kReportSubject, "", "", due, db_now, told_at}});
  transaction.commit();
}

void ReportMailJob::make_and_send(TimePoint due, TimePoint now) {
  const auto& settings = context_.settings();
  if (!crm::has_report_tables(context_.database()))
    return fail({"the database has no tables for reports yet"}, now);
  const auto gathered = gather_report(context_.database(), settings,
                                      report_due_at(due, mail_, settings.crm.time_zone),
                                      crm_to_read(context_.environment()));
  if (const auto* refused = std::get_if<ReportRefused>(&gathered))
    return fail({fmt::format("{}", fmt::join(*refused, "; ")), JobStatus::Fault::configuration},
                now);
  send(due, report_message(std::get<SurveyReport>(gathered), mail_, origin_), now);
}

// The report may have taken longer than the lease lasts, and another daemon may have sent it.
void ReportMailJob::send(TimePoint due, const AlertMessage& message, TimePoint now) {
  lease_ =
      crm::Leases(context_.database()).take(name_, context_.environment().owner, kMailLeaseLasts);
  const auto before = last_claim();
  if (!lease_ || !before || before->since >= due) return;
  const auto transport = context_.environment().open_messenger(mail_.receiver);
  keep(due, std::nullopt);
  const auto undelivered = deliver(mail_.receiver, message, *transport, now);
  refused_.reset();
  if (!undelivered || undelivered->to_others) {
    refused_ = undelivered;
    keep(due, context_.database().now());
    ++status_.done;
  } else if (!undelivered->may_be_there) {
    keep(before->since, before->told_at);
    return fail(*undelivered, now);
  }
  forget_failure();
}

// It was sent, or is too late for that.
void ReportMailJob::forget_failure() {
  failing_.reset();
  failures_ = 0;
  next_try_at_ = {};
}

void ReportMailJob::fail(const Undelivered& why, TimePoint now) {
  failing_ = why;
  next_try_at_ = now + backoff(++failures_, random_.unit());
}

// A report that is not sent is a trouble of this job only, which tries again.
void ReportMailJob::show(const std::optional<crm::Alert>& last, TimePoint db_now) {
  const bool in_doubt = last && !last->told_at && db_now - last->since < kReportMadeUp;
  status_.trouble.clear();
  status_.fault = JobStatus::Fault::none;
  if (failing_) {
    status_.trouble = "it could not be sent: " + failing_->why;
    status_.fault = failing_->fault;
  } else if (in_doubt) {
    status_.trouble =
        "nobody knows whether the last report has gone out, because its sending was cut off: it is "
        "not sent again";
    status_.fault = JobStatus::Fault::person;
  } else if (refused_) {
    status_.trouble = "the last report was sent in part: " + refused_->why;
    status_.fault = refused_->fault;
  }
  status_.degraded = !status_.trouble.empty();
  if (status_.trouble.empty()) return log_throttle_.over();
  log_throttle_.report(level_of(status_.fault), status_.trouble);
}

void ReportMailJob::leave() {
  if (!lease_) return;
  crm::Leases(context_.database()).release(*lease_);
  lease_.reset();
}

}  // namespace surveybridge::daemon
