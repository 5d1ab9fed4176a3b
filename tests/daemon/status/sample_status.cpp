#include "tests/daemon/status/sample_status.hpp"

namespace sample_status {

using namespace surveybridge;
using namespace surveybridge::daemon;

StatusReport shop() {
  StatusReport report;
  report.overview.tables = crm::Tables::whole;
  report.overview.now = TimePoint{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};
  report.overview.counts = {{"orders", crm::State::sent, 12}, {"orders", crm::State::held, 1}};
  crm::StoredWalk walk;
  walk.list = "customers";
  walk.walk = "LastActivityDate";
  walk.finished_at = report.overview.now - std::chrono::seconds{90};
  crm::StoredWalk first;
  first.list = "ratings";
  first.walk = "ReviewApprovedDate";
  first.window_to = report.overview.now;
  first.begun_at = report.overview.now - std::chrono::hours{50};
  report.overview.walks = {walk, first};
  report.overview.oldest = {{"orders", "in_doubt", report.overview.now - std::chrono::minutes{5}}};
  report.overview.writes = {{"customers", "orders", 8, 7, 6, 5}};
  report.overview.waiting_writes = {{"customers", 9, report.overview.now - std::chrono::hours{3}}};
  report.overview.unwritten = {{"customers",
                                {"orders", "state", "the column takes no NULL"},
                                3,
                                report.overview.now - std::chrono::hours{3}}};
  report.overview.write_queue = {{"customers", 12, report.overview.now - std::chrono::minutes{2}}};
  report.waiting = {{"orders", 3, 2, "the first run", 4}};
  report.waiting[0].opens = report.overview.now + std::chrono::hours{8};
  report.waiting[0].swept = {"orders", {}, report.overview.now - std::chrono::seconds{30}, 0, {}};
  crm::PaceRow pace;
  pace.owner = "one";
  pace.all.per_second = 19.5;
  pace.live_until = report.overview.now + std::chrono::seconds{60};
  pace.held_until = report.overview.now + std::chrono::minutes{10};
  pace.waiting = "push.orders";
  crm::PaceRow gone = pace;
  gone.owner = "two";
  gone.live_until = report.overview.now;
  report.overview.paces = {pace, gone};
  report.overview.verify_results = {
      {"orders", report.overview.now - std::chrono::minutes{2}, 40, 1, 3},
      {"uncorrelated", report.overview.now, 5, 0, std::nullopt}};
  report.overview.unreadable = {{"customers", 2}};
  report.follow_ups = {
      {"customers", "unhappy", 14, report.overview.now - std::chrono::minutes{25}}};
  report.walks = {{"customers", "LastActivityDate", std::chrono::minutes{5}}};
  return report;
}

std::vector<JobState> jobs(const std::string& trouble) {
  JobStatus status;
  status.done = 7;
  status.trouble = trouble;
  return {{"push.orders", status}};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace sample_status
