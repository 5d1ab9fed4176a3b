#include "daemon/status/job_lines.hpp"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

namespace {

// No text holds them, since one_line() escapes them.
constexpr char kBetweenJobs = '\x1e', kBetweenFields = '\x1f';
constexpr const char* kFormat = "jobs-2";  // of the line; the first of its parts
constexpr std::size_t kFields = 11;

std::string number_text(const std::optional<Duration>& time) {
  return time ? std::to_string(time->count()) : "";
}

std::vector<std::string_view> parts_of(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(between);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Throws std::invalid_argument for anything else.
std::int64_t number_in(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) throw std::invalid_argument("no number");
  return number;
}

std::optional<Duration> time_in(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(Duration{number_in(text)});
}

JobStatus::Fault fault_in(std::string_view text) {
  const auto number = number_in(text);
  if (number < 0 || number > static_cast<std::int64_t>(JobStatus::Fault::person))
    throw std::invalid_argument("no fault");
  return static_cast<JobStatus::Fault>(number);
}

JobState state_in(std::string_view text) {
  const auto fields = parts_of(text, kBetweenFields);
  if (fields.size() != kFields) throw std::invalid_argument("not a job");
  JobState state;
  state.name = one_line(fields[0]);
  state.status.done = number_in(fields[1]);
  state.status.unit = one_line(fields[2]);
  state.status.trouble = one_line(fields[3]);
  state.status.fault = fault_in(fields[4]);
  state.status.degraded = fields[5] == "1";
  state.trouble_for = time_in(fields[6]);
  state.next_in = time_in(fields[7]);
  state.stuck = fields[8] == "1";
  state.step_for = time_in(fields[9]);
  state.statement = one_line(fields[10]);
  return state;
}

}  // namespace

std::string write_job_states(const std::vector<JobState>& states) {
  std::string line = kFormat;
  for (const auto& [name, status, trouble_for, next_in, stuck, step_for, statement] : states) {
    line += kBetweenJobs;
    const std::vector<std::string> fields = {one_line(name),
                                             std::to_string(status.done),
                                             one_line(status.unit),
                                             one_line(status.trouble),
                                             std::to_string(static_cast<int>(status.fault)),
                                             status.degraded ? "1" : "0",
                                             number_text(trouble_for),
                                             number_text(next_in),
                                             stuck ? "1" : "0",
                                             number_text(step_for),
                                             one_line(statement)};
    line += fmt::format("{}", fmt::join(fields, std::string(1, kBetweenFields)));
  }
  return line;
}

std::optional<std::vector<JobState>> read_job_states(const std::string& line) {
  const auto parts = parts_of(line, kBetweenJobs);
  if (parts.front() != kFormat) return std::nullopt;
  std::vector<JobState> states;
  try {
    for (std::size_t i = 1; i < parts.size(); ++i)
      states.push_back(state_in(parts[i]));
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  return states;
}

}  // namespace surveybridge::daemon
