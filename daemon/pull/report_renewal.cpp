#include "daemon/pull/report_renewal.hpp"

#include <algorithm>
#include <utility>

namespace surveybridge::daemon {

namespace {

constexpr Duration kAgain = std::chrono::minutes{10};

}  // namespace

bool ReportRenewal::step(crm::PullStore& tables, TimePoint now) {
  if (!tables.report_problem().empty() && now >= again_) {
    again_ = now + kAgain;
    done_ = false;
    tables.try_report_again();
  }
  if (done_ && !tables.report_is_late()) return false;
  if (tables.renew_report() > 0) return true;
  done_ = true;
  tell(tables);
  return false;
}

TimePoint ReportRenewal::next_step(const crm::PullStore& tables, TimePoint now,
                                   TimePoint next) const {
  if (tables.report_problem().empty()) return next;
  return std::clamp(again_, std::min(now, next), next);
}

void ReportRenewal::tell(const crm::PullStore& tables) {
  const std::string problem = tables.report_problem();
  if (problem.empty()) {
    if (done_ && std::exchange(problem_told_, false))
      log_.info("the tables and views for reports are kept up to date again", {.job = job_});
    return;
  }
  if (std::exchange(problem_told_, true)) return;
  log_.warn("the tables and views for reports cannot be kept up to date: " + problem,
            {.job = job_});
}

}  // namespace surveybridge::daemon
