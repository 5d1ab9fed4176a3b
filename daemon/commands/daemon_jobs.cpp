#include "daemon/commands/daemon_jobs.hpp"

#include <map>

#include <fmt/format.h>

#include "daemon/job/length_text.hpp"
#include "daemon/job/log.hpp"
#include "daemon/runtime/control_socket.hpp"

namespace surveybridge::daemon {

namespace {

bool step_lasts(const JobState& job) {
  return !job.next_in && job.step_for && *job.step_for >= std::chrono::seconds{1};
}

std::string next_text(const JobState& job, TimePoint now) {
  if (step_lasts(job)) return "in a step for " + length_text(*job.step_for);
  if (!job.next_in) return "in a step now";
  const Duration in = std::max(*job.next_in, Duration{0});
  return fmt::format("next step in {}, at {}", length_text(in), second_text(now + in));
}

std::string trouble_text(const JobState& job, const std::string& why, TimePoint now) {
  const Duration age = job.trouble_for.value_or(Duration{0});
  const char* const waits = step_lasts(job) ? "waited before this step," : "waits";
  return fmt::format("{} since {} ({}): {}", job.status.degraded ? "works, but" : waits,
                     second_text(now - age), length_text(age), why);
}

const char* word_for(JobStatus::Fault fault) {
  static constexpr const char* kWords[] = {"none", "unreachable", "throttled", "configuration",
                                           "person"};
  return kWords[static_cast<std::size_t>(fault)];
}

Json job_json(const JobState& job, TimePoint now) {
  const JobStatus& status = job.status;
  Json json{{"job", job.name}, {"done", status.done}, {"unit", status.unit}};
  if (job.next_in) json["next_step_at"] = second_text(now + *job.next_in);
  if (job.step_for)
    json["in_step_seconds"] = std::chrono::floor<std::chrono::seconds>(*job.step_for).count();
  if (!job.statement.empty()) json["statement"] = job.statement;
  if (status.trouble.empty()) return json;
  json["waits_for"] = status.trouble;
  json["since"] = second_text(now - job.trouble_for.value_or(Duration{0}));
  json["fault"] = word_for(status.fault);
  json["works"] = status.degraded;
  return json;
}

}  // namespace

std::optional<DaemonState> ask_for_jobs(const std::string& config_file) {
  const auto stuck = ask_daemon(config_file, "stuck");
  if (!stuck) return std::nullopt;
  DaemonState daemon;
  if (*stuck != "ok") daemon.stuck = *stuck;
  if (const auto line = ask_daemon(config_file, "jobs"))
    daemon.jobs = read_job_states(*line).value_or(std::vector<JobState>{});
  return daemon;
}

void print_jobs(const std::optional<DaemonState>& daemon, const std::string& config_file,
                TimePoint now) {
  if (!daemon) {
    fmt::print("daemon  none runs here with {}\n", one_line(config_file));
    return;
  }
  fmt::print("daemon  {}\n", daemon->stuck.empty() ? "runs here" : one_line(daemon->stuck));
  std::map<std::string, std::string> told;  // a trouble, and the first job that has it
  for (const auto& job : daemon->jobs) {
    fmt::print("job     {:<36} {}\n", one_line(job.name), next_text(job, now));
    if (!job.statement.empty())
      fmt::print("job     {:<36} in this step {}\n", one_line(job.name), one_line(job.statement));
    if (job.status.trouble.empty()) continue;
    const auto [first, is_new] = told.try_emplace(job.status.trouble, one_line(job.name));
    const std::string why = is_new ? one_line(job.status.trouble) : "the same as " + first->second;
    fmt::print("job     {:<36} {}\n", one_line(job.name), trouble_text(job, why, now));
  }
}

void put_jobs(Json& object, const std::optional<DaemonState>& daemon, TimePoint now) {
  const DaemonState state = daemon.value_or(DaemonState{});
  object["daemon"] = {{"runs", daemon.has_value()}, {"stuck", state.stuck}};
  object["jobs"] = array_of(state.jobs, [&](const JobState& job) { return job_json(job, now); });
}

}  // namespace surveybridge::daemon
