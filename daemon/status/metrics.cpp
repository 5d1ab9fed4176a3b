#include "daemon/status/metrics.hpp"

#include <algorithm>

#include <prometheus/text_serializer.h>

namespace surveybridge::daemon {

namespace {

using prometheus::MetricType;

// Adds a family of metrics, and its samples.
class Metric {
 public:
  Metric(MetricFamilies& out, const char* name, MetricType type, const char* help)
      : out_(out), index_(out.size()) {
    out.push_back({name, help, type, {}});
  }

  template <typename Number>
  void sample(std::vector<prometheus::ClientMetric::Label> labels, Number value) {
    prometheus::ClientMetric sample;
    sample.label = std::move(labels);
    auto& family = out_[index_];
    (family.type == MetricType::Counter ? sample.counter.value : sample.gauge.value) =
        static_cast<double>(value);
    family.metric.push_back(std::move(sample));
  }

 private:
  MetricFamilies& out_;
  std::size_t index_;
};

Metric gauge(MetricFamilies& out, const char* name, const char* help) {
  return {out, name, MetricType::Gauge, help};
}
Metric counter(MetricFamilies& out, const char* name, const char* help) {
  return {out, name, MetricType::Counter, help};
}

std::int64_t seconds(Duration time) {
  return std::max<std::int64_t>(0, std::chrono::floor<std::chrono::seconds>(time).count());
}

void add_ledger(MetricFamilies& out, const StatusReport& report, TimePoint now) {
  auto rows = gauge(out, "surveybridge_transactions", "Rows of the ledger by state.");
  for (const auto& count : report.overview.counts)
    rows.sample({{"push", count.push}, {"state", to_string(count.state)}}, count.rows);
  auto oldest =
      gauge(out, "surveybridge_oldest_transaction_age_seconds",
            "Time since the oldest row of the ledger in this state came into it; delayed: "
            "pending, and not before a time.");
  for (const auto& each : report.overview.oldest)
    oldest.sample({{"push", each.push}, {"state", each.state}}, seconds(now - each.since));
}

void add_waiting(MetricFamilies& out, const StatusReport& report, TimePoint now) {
  auto waiting = gauge(out, "surveybridge_waiting", "Transactions the ledger does not know yet.");
  auto old = gauge(out, "surveybridge_too_old",
                   "Transactions first seen when older than look_back; never sent.");
  auto listed = gauge(out, "surveybridge_never_listed",
                      "Transactions sent a day ago or earlier that the service does not list.");
  auto few = gauge(out, "surveybridge_too_few",
                   "1 where fewer transactions come than usual, or than `expect` says.");
  auto brake = gauge(out, "surveybridge_brake", "1 where the brake holds.");
  auto open = gauge(out, "surveybridge_send_window_open",
                    "1 where send_window, send_days and closed let rows out now.");
  auto swept = gauge(out, "surveybridge_sweep_age_seconds",
                     "Time since a push last came to the end of a sweep of its whole window.");
  for (const auto& push : report.waiting) {
    if (push.uncounted.empty()) {
      waiting.sample({{"push", push.push}}, push.rows);
      old.sample({{"push", push.push}}, push.too_old);
    }
    if (push.uncounted.empty()) few.sample({{"push", push.push}}, push.too_few ? 1 : 0);
    if (push.never_listed) listed.sample({{"push", push.push}}, *push.never_listed);
    brake.sample({{"push", push.push}}, push.brake.empty() ? 0 : 1);
    open.sample({{"push", push.push}}, push.opens ? 0 : 1);
    if (push.swept) swept.sample({{"push", push.push}}, seconds(now - push.swept->ended));
  }
}

void add_pace(MetricFamilies& out, const StatusReport& report, TimePoint now) {
  auto rate = gauge(out, "surveybridge_pace", "Requests a second that were learned to pass.");
  auto held = gauge(out, "surveybridge_pace_held_seconds",
                    "For so long nobody sends, since the service asked to wait.");
  for (const auto& pace : report.overview.paces) {
    if (pace.live_until <= report.overview.now) continue;
    rate.sample({{"bridge_instance", pace.owner}, {"lane", pace.read ? "write" : "all"}},
                pace.all.per_second);
    if (pace.read)
      rate.sample({{"bridge_instance", pace.owner}, {"lane", "read"}}, pace.read->per_second);
    const auto left = pace.held_until.value_or(now) - now;
    held.sample({{"bridge_instance", pace.owner}},
                std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::seconds>(left).count()));
  }
}

void add_records(MetricFamilies& out, const StatusReport& report, TimePoint now) {
  auto unreadable = gauge(out, "surveybridge_unreadable_records",
                          "Records of a list that could not be read and are set aside.");
  for (const auto& of_list : report.overview.unreadable)
    unreadable.sample({{"list", of_list.list}}, of_list.records);
  auto age = gauge(out, "surveybridge_walk_age_seconds", "Time since a walk last came to its end.");
  for (const auto& walk : report.overview.walks) {
    if (!walk.finished_at) continue;
    age.sample({{"list", walk.list}, {"walk", walk.walk}}, seconds(now - *walk.finished_at));
  }
  auto silent = gauge(out, "surveybridge_walk_silent",
                      "1 where a walk brings no new record for longer than usual.");
  for (const auto& walk : report.overview.walks) {
    const auto same = [&](const SilentWalk& each) {
      return each.list == walk.list && each.walk == walk.walk;
    };
    silent.sample({{"list", walk.list}, {"walk", walk.walk}},
                  std::ranges::any_of(report.silent, same) ? 1 : 0);
  }
  auto first = gauge(out, "surveybridge_first_walk_age_seconds",
                     "Time since a walk was begun that has never come to its end.");
  for (const auto& walk : report.overview.walks) {
    if (walk.finished_at || !walk.begun_at) continue;
    first.sample({{"list", walk.list}, {"walk", walk.walk}}, seconds(now - *walk.begun_at));
  }
  auto every = gauge(out, "surveybridge_walk_interval_seconds",
                     "Time from the end of a walk to its next beginning, by the configuration.");
  for (const auto& walk : report.walks)
    every.sample({{"list", walk.list}, {"walk", walk.walk}}, seconds(walk.every));
}

void add_writes(MetricFamilies& out, const StatusReport& report, TimePoint now) {
  auto writes =
      counter(out, "surveybridge_writes_total",
              "Write-backs by list, table of the CRM and outcome, since the bridge first ran.");
  for (const auto& write : report.overview.writes) {
    const auto add = [&](const char* outcome, std::int64_t count) {
      writes.sample({{"list", write.list}, {"table", write.table}, {"outcome", outcome}}, count);
    };
    add("written", write.written);
    add("matched_none", write.matched_none);
    add("matched_many", write.matched_many);
    add("unfit", write.unfit);
  }
  auto unwritten =
      gauge(out, "surveybridge_unwritten_records",
            "Records of which a column of the CRM does not hold what was to be written.");
  for (const auto& [list, sort, records, since] : report.overview.unwritten)
    unwritten.sample(
        {{"list", list}, {"table", sort.table}, {"column", sort.column}, {"reason", sort.reason}},
        records);
  auto waiting = gauge(out, "surveybridge_write_backs_waiting",
                       "Write-backs that met no row of the CRM and are tried again.");
  auto oldest = gauge(out, "surveybridge_oldest_write_back_age_seconds",
                      "Time since the first try of the write-back that waits longest for its row.");
  for (const auto& write : report.overview.waiting_writes) {
    waiting.sample({{"list", write.list}}, write.records);
    oldest.sample({{"list", write.list}}, seconds(now - write.since));
  }
  auto queued = gauge(out, "surveybridge_write_queue_changes",
                      "Changes that are queued for a CRM in another database than [store].");
  auto age = gauge(out, "surveybridge_write_queue_age_seconds",
                   "Time since the change was queued that waits longest.");
  for (const auto& queue : report.overview.write_queue) {
    queued.sample({{"list", queue.list}}, queue.entries);
    age.sample({{"list", queue.list}}, seconds(now - queue.oldest));
  }
}

void add_verify_results(MetricFamilies& out, const StatusReport& report, TimePoint now) {
  auto differences = gauge(out, "surveybridge_verify_differences",
                           "Transactions by which ledger and service differed when last verified.");
  auto unaccounted = gauge(out, "surveybridge_verify_unaccounted",
                           "Eligible transactions that nothing had become of when last verified.");
  auto age = gauge(out, "surveybridge_verify_age_seconds", "Time since verify last ran.");
  for (const auto& found : report.overview.verify_results) {
    if (found.differences) differences.sample({{"push", found.push}}, *found.differences);
    unaccounted.sample({{"push", found.push}}, found.unaccounted);
    age.sample({{"push", found.push}}, seconds(now - found.at));
  }
}

void add_jobs(MetricFamilies& out, const std::vector<JobState>& jobs) {
  auto trouble = gauge(out, "surveybridge_job_trouble",
                       "1 where a job waits for something, or a person is needed.");
  auto lasts =
      gauge(out, "surveybridge_job_trouble_seconds", "How long a job has had its trouble.");
  auto stuck = gauge(out, "surveybridge_job_stuck",
                     "1 where a job has been in one step or statement for too long.");
  auto done = counter(out, "surveybridge_job_done_total",
                      "Rows or records since the job's start; it starts anew with a reload.");
  for (const auto& job : jobs) {
    trouble.sample({{"bridge_job", job.name}}, job.status.trouble.empty() ? 0 : 1);
    lasts.sample({{"bridge_job", job.name}}, seconds(job.trouble_for.value_or(Duration{0})));
    stuck.sample({{"bridge_job", job.name}}, job.stuck ? 1 : 0);
    done.sample({{"bridge_job", job.name}}, job.status.done);
  }
}

// A gauge of a job that the configuration no longer has says nothing.
void drop_former_jobs(MetricFamilies& families, const std::vector<JobState>& jobs) {
  const auto is_former = [&](const prometheus::ClientMetric& sample) {
    return std::ranges::any_of(sample.label, [&](const auto& label) {
      return label.name == "bridge_job" &&
             std::ranges::find(jobs, label.value, &JobState::name) == jobs.end();
    });
  };
  for (auto& family : families)
    if (family.type == MetricType::Gauge) std::erase_if(family.metric, is_former);
}

}  // namespace

std::string metrics_of(const LastReport& last, const std::vector<JobState>& jobs,
                       MetricFamilies counted) {
  MetricFamilies all = std::move(counted);
  drop_former_jobs(all, jobs);
  add_jobs(all, jobs);
  gauge(all, "surveybridge_database_up", "1 where the CRM's database answers.")
      .sample({}, last.database_up ? 1 : 0);
  if (last.report != nullptr) {
    gauge(all, "surveybridge_report_age_seconds",
          "Age of what follows: while the database does not answer, the last known values stay.")
        .sample({}, seconds(last.age));
    const TimePoint now = last.report->overview.now + last.age;
    add_ledger(all, *last.report, now);
    add_waiting(all, *last.report, now);
    add_verify_results(all, *last.report, now);
    add_records(all, *last.report, now);
    add_writes(all, *last.report, now);
    add_pace(all, *last.report, now);
  }
  std::erase_if(all, [](const auto& family) { return family.metric.empty(); });
  return prometheus::TextSerializer().Serialize(all);
}

}  // namespace surveybridge::daemon
