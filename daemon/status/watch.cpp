#include "daemon/status/watch.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "connectors/crm/daemon_state/overview.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/status/list_page.hpp"

namespace surveybridge::daemon {

namespace {

// Reports take at most one hundredth of the time: one that was slow is used longer.
constexpr int kShare = 100;

// Requests ask the database at most once in this time whether it is there.
constexpr Duration kAskedAgain = std::chrono::seconds{1};
// The counts run the operators' queries, so an answer is reused for a while.
constexpr Duration kFresh = std::chrono::seconds{10};
// So long a request waits for the database.
constexpr Duration kDatabasePatience = std::chrono::seconds{3};

// Owns what it uses (page_session.hpp).
ReportMaker::Make maker(const config::Settings& settings, const Environment& environment) {
  return [settings, open_crm = environment.open_crm](crm::Database& store) {
    if (!open_crm) return report(settings, store, store);
    return report(settings, store, *open_crm(CrmUse::read));
  };
}

using Read = std::shared_ptr<std::atomic<bool>>;

// `read`: the database has answered, whatever becomes of the write.
PageSession::Open open_for_write(PageSession::Open open, const Read& read) {
  return [open = std::move(open), read] {
    *read = false;
    return open();
  };
}
PageSession::Work look_for_write(const Read& read) {
  return [read](crm::Database& database) {
    *read = false;
    const bool tables = crm::has_run(database);
    *read = true;
    crm::try_write(database, tables);
  };
}

}  // namespace

// The last report. The thread of the session may write it after everybody else has gone.
struct ReportMaker::Kept {
  Kept(Make given, std::function<Duration()> clock)
      : make(std::move(given)), uptime(std::move(clock)) {}

  void renew(crm::Database& database) {
    const Duration begun = uptime();
    auto made = std::make_shared<const StatusReport>(make(database));
    const std::lock_guard lock(mutex);
    report = std::move(made);
    made_at = uptime();
    // Who waited for a lock does not know what a report costs.
    if (std::ranges::none_of(report->waiting, &Waiting::locked))
      before = std::exchange(took, made_at - begun);
  }
  std::shared_ptr<const StatusReport> younger_than(Duration fresh) {
    const std::lock_guard lock(mutex);
    // A lock that one report waited for says nothing of what reports cost.
    const Duration valid = std::max(fresh, std::min(took, before) * kShare);
    return report && uptime() - made_at < valid ? report : nullptr;
  }

  const Make make;
  const std::function<Duration()> uptime;
  std::mutex mutex;
  std::shared_ptr<const StatusReport> report;
  Duration made_at{0}, took{0}, before{0};  // of the last one, and what the one before took
};

ReportMaker::ReportMaker(Make make, std::function<Duration()> uptime)
    : kept_(std::make_shared<Kept>(std::move(make), std::move(uptime))) {}

std::shared_ptr<const StatusReport> ReportMaker::get(PageSession& session, Duration fresh,
                                                     Duration patience) {
  if (auto report = kept_->younger_than(fresh)) return report;
  const auto renew = [kept = kept_](crm::Database& database) { kept->renew(database); };
  if (!session.run(renew, patience)) return nullptr;
  const std::lock_guard lock(kept_->mutex);
  return kept_->report;
}

ReportMaker::Last ReportMaker::last() const {
  const std::lock_guard lock(kept_->mutex);
  return {kept_->report, kept_->uptime() - kept_->made_at};
}

StatusWatch::StatusWatch(const config::Settings& settings, const Environment& environment,
                         std::function<DaemonState()> daemon,
                         std::function<MetricFamilies()> counted)
    : daemon_(std::move(daemon)),
      counted_(std::move(counted)),
      pushes_(names_of(settings.pushes)),
      ready_(open_for_write(environment.open_database, read_), environment.uptime,
             look_for_write(read_)),
      metrics_(environment.open_database, environment.uptime, crm::has_run),
      pages_(environment.open_database, environment.uptime, crm::has_run),
      reports_(maker(settings, environment), environment.uptime) {}

http::Reply StatusWatch::answer(const std::string& target) {
  const auto mark = std::min(target.find('?'), target.size());
  const std::string path = target.substr(0, mark);
  if (path == "/") return page();
  if (path == "/health") return health();
  if (path == "/ready") return ready();
  if (path == "/metrics") return metrics();
  if (const ListKind* kind = list_at(path))
    return list(*kind, page_in(std::string_view(target).substr(std::min(mark + 1, target.size()))));
  return http::text_reply(404, "/, /quarantine, /doubts, /suppressed, /health, /ready or /metrics");
}

http::Reply StatusWatch::health() const {
  const std::string stuck = daemon_().stuck;
  return stuck.empty() ? http::text_reply(200, "ok") : http::text_reply(503, stuck);
}

// Jobs notice an outage at their next step only, which may be long after.
bool AskedSession::answers() {
  if (!asked_at_ || uptime_() - *asked_at_ >= kAskedAgain) {
    answered_ = session_.run(look_, kDatabasePatience);
    asked_at_ = uptime_();
  }
  return answered_;
}

// A database that never answered is not slow, but away.
DatabaseState AskedSession::state() const {
  const bool late = session_.state() == DatabaseState::slow;
  return late && !answered_ ? DatabaseState::away : session_.state();
}

// A database that is locked, or takes no writes, answers: nothing could be sent all the same.
std::string StatusWatch::unready_database() {
  if (ready_.answers()) return "";
  if (*read_) return "the database answers, and cannot be written";
  const DatabaseState state = ready_.state();
  if (state == DatabaseState::locked)
    return "the database answers, and another session has locked a table of the bridge";
  return state == DatabaseState::refused ? "the database answers, and refuses the bridge's login"
                                         : "the database does not answer";
}

// A job that works although a person is needed is ready; one that waits is not.
http::Reply StatusWatch::ready() {
  const auto daemon = daemon_();
  std::string reasons = daemon.stuck;
  const auto add = [&](const std::string& reason) {
    reasons += (reasons.empty() ? "" : "\n") + reason;
  };
  if (const auto why = unready_database(); !why.empty()) add(why);
  for (const auto& job : daemon.jobs) {
    if (job.stuck || job.status.trouble.empty() || job.status.degraded) continue;
    add(job.name + ": " + one_line(job.status.trouble));
  }
  return reasons.empty() ? http::text_reply(200, "ready") : http::text_reply(503, reasons);
}

http::Reply StatusWatch::page() {
  const auto report =
      pages_.answers() ? reports_.get(pages_.session(), kFresh, kDatabasePatience) : nullptr;
  return {report ? 200 : 503,
          {{"Content-Type", "text/html; charset=utf-8"}},
          page_of(report.get(), daemon_(), pages_.state())};
}

http::Reply StatusWatch::list(const ListKind& kind, std::optional<int> page) {
  if (!page)
    return http::text_reply(400, fmt::format("page must be a number from 1 to {}", kListPages));
  const auto listed = std::make_shared<ListedRows>();  // the thread may write it too late
  const bool read = pages_.answers() &&
                    pages_.session().run(
                        [listed, pushes = pushes_, &kind, page = *page](crm::Database& database) {
                          *listed = listed_rows(database, pushes, kind, page);
                        },
                        kDatabasePatience);
  return {read ? 200 : 503,
          {{"Content-Type", "text/html; charset=utf-8"}},
          list_page_of(kind, read ? listed.get() : nullptr, *page, daemon_(), pages_.state())};
}

http::Reply StatusWatch::metrics() {
  const bool made =
      metrics_.answers() && reports_.get(metrics_.session(), kFresh, kDatabasePatience) != nullptr;
  const DatabaseState state = metrics_.state();
  const bool up = made || (state != DatabaseState::away && state != DatabaseState::refused);
  const auto last = reports_.last();
  return {200,
          {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
          metrics_of({last.report.get(), last.age, up}, daemon_().jobs,
                     counted_ ? counted_() : MetricFamilies{})};
}

}  // namespace surveybridge::daemon
