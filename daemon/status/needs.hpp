// Everything that does not improve by itself, each with the command that shows or ends it. Pure.
// `status`, the status page, the exit code of `status` and the messages of [alert] use this list.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "daemon/status/report.hpp"

namespace surveybridge::daemon {

struct Need {
  std::string what;  // a sentence without its full stop
  // What to type, for the file that is read anyway (with_file()); empty: no command helps.
  std::string command;
  std::string list = {};  // the path of the list on the status page that shows it; empty: none
  config::AlertKind kind = config::AlertKind::rows;
  // Whose it is, and of which sort: the same as long as it lasts, whatever the numbers of `what`
  // become. Empty: `what` itself.
  std::string about = {};
  // Why, without numbers: another cause of the same is told anew, but not one that begins one that
  // was told. Empty: there is one only.
  std::string cause = {};
  bool works = false;  // of jobs that go on all the same
};

std::vector<Need> needs_of(const StatusReport& report);
// Of a state of a push's rows; empty: nobody needs to look. `of_nobody`: pushes whose rows in doubt
// nothing looks up.
std::optional<Need> need_of(const crm::Ledger::Count& count,
                            const std::vector<std::string>& of_nobody);
// Has the job a trouble that a person must end? One that should end by itself counts after
// kLongTrouble.
inline constexpr Duration kLongTrouble = std::chrono::hours{2};
bool needs_person(const JobState& job);
// The same as above, and the jobs that need a person. `report` null: only the jobs.
std::vector<Need> needs_of(const StatusReport* report, const std::vector<JobState>& jobs);

// Nothing has run for longer than a daemon ever rests, on whatever machine: it was not started
// again. For `status` alone, where no daemon answers; whoever tells by needs_of() runs.
std::optional<Need> need_of_daemon(const StatusReport& report);

// What jobs say, each text once: one wrong secret stops them all.
struct Trouble {
  std::string what;
  JobStatus::Fault fault;
  std::string jobs;    // their names, with ", " between them
  bool works = false;  // they go on all the same
};
// Of the jobs that count.
std::vector<Trouble> troubles_of(const std::vector<JobState>& jobs,
                                 const std::function<bool(const JobState&)>& counts);

// How the bridge is, in one word.
enum class Verdict { well, waits, needs_person };
Verdict verdict_of(const std::vector<Need>& needs, const std::vector<JobState>& jobs,
                   bool database_answers);

}  // namespace surveybridge::daemon
