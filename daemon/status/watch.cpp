#include "daemon/status/watch.hpp"

namespace surveybridge::daemon {

namespace {

// The counts run the operators' queries, so an answer is reused for a while.
constexpr Duration kFresh = std::chrono::seconds{10};
// So long a request waits for the database; `/health` waits behind it at most.
constexpr Duration kPatience = std::chrono::seconds{3};

StatusReply plain(int code, std::string text) {
  return {code, "text/plain; charset=utf-8", std::move(text) + "\n"};
}

// Owns what it uses (report_maker.hpp).
ReportMaker::Make maker(const config::Settings& settings, const Environment& environment) {
  return [settings, open = environment.open_database,
          database = std::shared_ptr<crm::Database>()]() mutable {
    try {
      if (!database) database = open();
      return report(settings, *database);
    } catch (const crm::DatabaseError&) {
      database.reset();
      throw;
    }
  };
}

}  // namespace

StatusWatch::StatusWatch(const config::Settings& settings, const Environment& environment,
                         Daemon daemon)
    : daemon_(std::move(daemon)), reports_(maker(settings, environment), environment.uptime) {}

StatusReply StatusWatch::answer(const std::string& path) {
  if (path == "/") return page();
  if (path == "/health") return health();
  if (path == "/ready") return ready();
  if (path == "/metrics") return metrics();
  return plain(404, "/, /health, /ready or /metrics");
}

StatusReply StatusWatch::health() const {
  const std::string stuck = daemon_.stuck();
  return stuck.empty() ? plain(200, "ok") : plain(503, stuck);
}

// A job that works although a person is needed is ready; one that waits is not.
StatusReply StatusWatch::ready() const {
  std::string reasons = daemon_.stuck();
  for (const auto& job : daemon_.jobs()) {
    if (job.status.trouble.empty() || job.status.degraded) continue;
    if (!reasons.empty()) reasons += "\n";
    reasons += job.name + ": " + one_line(job.status.trouble);
  }
  return reasons.empty() ? plain(200, "ready") : plain(503, reasons);
}

StatusReply StatusWatch::page() {
  const auto report = reports_.get(kFresh, kPatience);
  return {report ? 200 : 503, "text/html; charset=utf-8",
          page_of(report.get(), daemon_.jobs(), daemon_.about())};
}

StatusReply StatusWatch::metrics() {
  const bool up = reports_.get(kFresh, kPatience) != nullptr;
  const auto last = reports_.last();
  return {200, "text/plain; version=0.0.4; charset=utf-8",
          metrics_of({last.report.get(), last.age, up}, daemon_.jobs(),
                     daemon_.counted ? daemon_.counted() : MetricFamilies{})};
}

}  // namespace surveybridge::daemon
