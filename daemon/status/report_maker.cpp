#include "daemon/status/report_maker.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace surveybridge::daemon {

namespace {
// Reports take at most one hundredth of the time: one that was slow is used longer.
constexpr int kShare = 100;
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

ReportMaker::ReportMaker(Make make, PageSession& session, std::function<Duration()> uptime)
    : session_(session), kept_(std::make_shared<Kept>(std::move(make), std::move(uptime))) {}

std::shared_ptr<const StatusReport> ReportMaker::get(Duration fresh, Duration patience) {
  if (auto report = kept_->younger_than(fresh)) return report;
  const auto renew = [kept = kept_](crm::Database& database) { kept->renew(database); };
  if (!session_.run(renew, patience)) return nullptr;
  const std::lock_guard lock(kept_->mutex);
  return kept_->report;
}

ReportMaker::Last ReportMaker::last() const {
  const std::lock_guard lock(kept_->mutex);
  return {kept_->report, kept_->uptime() - kept_->made_at};
}

}  // namespace surveybridge::daemon
