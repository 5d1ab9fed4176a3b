#include "daemon/status/job_state.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "daemon/job/fault.hpp"
#include "daemon/job/json_text.hpp"
#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

namespace {

Json time_of(const std::optional<Duration>& time) {
  return time ? Json(time->count()) : Json();
}

std::optional<Duration> time_in(const Json& time) {
  if (time.is_null()) return std::nullopt;
  return Duration{time.get<std::int64_t>()};
}

std::optional<std::int64_t> number_in(const Json& number) {
  if (number.is_null()) return std::nullopt;
  return number.get<std::int64_t>();
}

std::string text_in(const Json& text) {
  return one_line(text.get<std::string>());
}

// Empty: it is none.
std::optional<JobStatus::Fault> fault_in(const Json& fault) {
  const auto number = fault.get<std::int64_t>();
  if (number < 0 || number > static_cast<std::int64_t>(JobStatus::Fault::person))
    return std::nullopt;
  return static_cast<JobStatus::Fault>(number);
}

// Throws nlohmann::json::exception for anything else. Empty: a fault that is not known.
std::optional<JobState> state_in(const Json& job) {
  const auto fault = fault_in(job.at("fault"));
  if (!fault) return std::nullopt;
  JobState state;
  state.name = text_in(job.at("name"));
  state.status.done = job.at("done").get<std::int64_t>();
  state.status.unit = text_in(job.at("unit"));
  state.status.changed = number_in(job.at("changed"));
  state.status.trouble = text_in(job.at("trouble"));
  state.status.fault = *fault;
  state.status.degraded = job.at("degraded").get<bool>();
  state.trouble_for = time_in(job.at("trouble_for"));
  state.next_in = time_in(job.at("next_in"));
  state.stuck = job.at("stuck").get<bool>();
  state.step_for = time_in(job.at("step_for"));
  state.statement = text_in(job.at("statement"));
  return state;
}

}  // namespace

std::string write_job_states(const std::vector<JobState>& states) {
  return json_text(array_of(states, [](const JobState& state) -> Json {
    const JobStatus& status = state.status;
    return {{"name", state.name},
            {"done", status.done},
            {"unit", status.unit},
            {"changed", status.changed ? Json(*status.changed) : Json()},
            {"trouble", status.trouble},
            {"fault", static_cast<int>(status.fault)},
            {"degraded", status.degraded},
            {"trouble_for", time_of(state.trouble_for)},
            {"next_in", time_of(state.next_in)},
            {"stuck", state.stuck},
            {"step_for", time_of(state.step_for)},
            {"statement", state.statement}};
  }));
}

std::optional<std::vector<JobState>> read_job_states(const std::string& line) {
  const Json all = Json::parse(line, nullptr, false);
  if (!all.is_array()) return std::nullopt;
  std::vector<JobState> states;
  try {
    for (const auto& job : all) {
      auto state = state_in(job);
      if (!state) return std::nullopt;
      states.push_back(*std::move(state));
    }
  } catch (const Json::exception&) {
    return std::nullopt;
  }
  return states;
}

std::string rate_text(double rate, const std::optional<double>& reading, std::string_view unit) {
  if (!reading) return fmt::format("{:.1f} {}", rate, unit);
  return fmt::format("{:.1f} {} writing, {:.1f} reading", rate, unit, *reading);
}

void tell_present_cause(std::vector<JobState>& states, const Pace::PaceSnapshot& pace) {
  if (pace.held_until || pace.away) return;  // what they met last is still why they wait
  const auto& [all, read] = pace.learned;
  const std::string rate = rate_text(
      all.per_second, read ? std::optional(read->per_second) : std::nullopt, "requests a second");
  for (auto& state : states) {
    JobStatus& status = state.status;
    const bool failed = !status.trouble.empty() && !status.degraded && !state.stuck;
    if (!failed || !is_temporary(status.fault)) continue;
    if (std::ranges::find(pace.waiting, state.name) == pace.waiting.end()) continue;
    status.trouble = fmt::format("waits for its turn, at {}; before: {}", rate, status.trouble);
  }
}

}  // namespace surveybridge::daemon
