#include "daemon/status/metrics.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace surveybridge::daemon {

namespace {

// One metric: its help and type once, then its samples.
class Metric {
 public:
  Metric(std::string& out, const char* name, const char* type, const char* help)
      : out_(out), name_(name) {
    out_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  }
  template <typename Number>
  void sample(const std::vector<std::pair<const char*, std::string>>& labels, Number value) {
    std::string text;
    for (const auto& [label, of] : labels)
      text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", label, in_label(of));
    out_ += text.empty() ? fmt::format("{} {}\n", name_, value)
                         : fmt::format("{}{{{}}} {}\n", name_, text, value);
  }

 private:
  static std::string in_label(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c == '\n' ? ' ' : c;
    }
    return out;
  }
  std::string& out_;
  std::string name_;
};

void add_ledger(std::string& out, const StatusReport& report) {
  Metric rows(out, "surveybridge_transactions", "gauge", "Rows of the ledger by state.");
  for (const auto& count : report.overview.counts)
    rows.sample({{"push", count.push}, {"state", to_string(count.state)}}, count.rows);
  Metric waiting(out, "surveybridge_waiting", "gauge",
                 "Transactions the ledger does not know yet.");
  for (const auto& push : report.waiting)
    waiting.sample({{"push", push.push}}, push.rows);
  Metric old(out, "surveybridge_too_old", "gauge",
             "Transactions first seen when older than look_back; never sent.");
  for (const auto& push : report.waiting)
    old.sample({{"push", push.push}}, push.too_old);
  Metric listed(out, "surveybridge_never_listed", "gauge",
                "Transactions sent a day ago or earlier that the service does not list.");
  for (const auto& push : report.waiting)
    if (push.never_listed) listed.sample({{"push", push.push}}, *push.never_listed);
  Metric brake(out, "surveybridge_brake", "gauge", "1 where the brake holds.");
  for (const auto& push : report.waiting)
    brake.sample({{"push", push.push}}, push.brake.empty() ? 0 : 1);
}

void add_pace(std::string& out, const StatusReport& report) {
  const TimePoint now = report.overview.now;
  std::vector<crm::PaceRow> living;
  std::ranges::copy_if(report.overview.paces, std::back_inserter(living),
                       [&](const crm::PaceRow& pace) { return pace.live_until > now; });
  Metric rate(out, "surveybridge_pace", "gauge", "Requests a second that were learned to pass.");
  for (const auto& pace : living)
    rate.sample({{"instance", pace.owner}, {"lane", pace.read ? "write" : "all"}},
                pace.all.per_second);
  for (const auto& pace : living) {
    if (pace.read) rate.sample({{"instance", pace.owner}, {"lane", "read"}}, pace.read->per_second);
  }
  Metric held(out, "surveybridge_pace_held_seconds", "gauge",
              "For so long nobody sends, since the service asked to wait.");
  for (const auto& pace : living) {
    const auto left = pace.held_until.value_or(now) - now;
    held.sample({{"instance", pace.owner}},
                std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::seconds>(left).count()));
  }
}

void add_unreadable(std::string& out, const StatusReport& report) {
  Metric unreadable(out, "surveybridge_unreadable_records", "gauge",
                    "Records of a list that could not be read and are set aside.");
  for (const auto& [list, records] : report.overview.unreadable)
    unreadable.sample({{"list", list}}, records);
}

void add_verified(std::string& out, const StatusReport& report) {
  const auto& all = report.overview.verify_results;
  Metric differences(out, "surveybridge_verify_differences", "gauge",
                     "Transactions by which ledger and service differed when last verified.");
  for (const auto& found : all) {
    if (found.differences) differences.sample({{"push", found.push}}, *found.differences);
  }
  Metric unaccounted(out, "surveybridge_verify_unaccounted", "gauge",
                     "Eligible transactions that nothing had become of when last verified.");
  for (const auto& found : all)
    unaccounted.sample({{"push", found.push}}, found.unaccounted);
  Metric age(out, "surveybridge_verify_age_seconds", "gauge", "Seconds since verify last ran.");
  for (const auto& found : all) {
    const auto since = std::chrono::floor<std::chrono::seconds>(report.overview.now - found.at);
    age.sample({{"push", found.push}}, since.count());
  }
}

void add_walks(std::string& out, const StatusReport& report) {
  Metric age(out, "surveybridge_walk_age_seconds", "gauge",
             "Seconds since a walk last came to its end.");
  for (const auto& walk : report.overview.walks) {
    if (!walk.finished_at) continue;
    const auto since =
        std::chrono::floor<std::chrono::seconds>(report.overview.now - *walk.finished_at);
    age.sample({{"list", walk.list}, {"walk", walk.walk}}, since.count());
  }
}

}  // namespace

std::string metrics_of(const StatusReport* report, const std::vector<JobState>& jobs) {
  std::string out;
  Metric up(out, "surveybridge_database_up", "gauge", "1 where the CRM's database answers.");
  up.sample({}, report == nullptr ? 0 : 1);
  if (report != nullptr) {
    add_ledger(out, *report);
    add_verified(out, *report);
    add_unreadable(out, *report);
    add_pace(out, *report);
    add_walks(out, *report);
  }
  Metric trouble(out, "surveybridge_job_trouble", "gauge", "1 where a job waits for something.");
  for (const auto& job : jobs)
    trouble.sample({{"job", job.name}}, job.status.trouble.empty() ? 0 : 1);
  Metric done(out, "surveybridge_job_done_total", "counter", "Rows or records since the start.");
  for (const auto& job : jobs)
    done.sample({{"job", job.name}}, job.status.done);
  return out;
}

}  // namespace surveybridge::daemon
