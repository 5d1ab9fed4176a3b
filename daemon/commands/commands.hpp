// What a person can ask of surveybridge (docs/GUIDE.md): one function a command, its
// answer the exit code. Results go to standard output, everything else to standard error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/job/command_text.hpp"
#include "daemon/job/log.hpp"
#include "daemon/runtime/exit_code.hpp"

namespace surveybridge::daemon {

struct Invocation {
  std::string config = kConfigurationFile;
  std::vector<std::string> names;
  std::string database = "postgresql";  // schema
  std::optional<int> schema_from;       // schema: of this version
  bool offline = false;                 // check
  bool json = false;                    // status, verify
  int rows = 5;                         // preview
  std::string action;                   // quarantine, doubt: list, retry, …
  bool all = false, groups = false;     // quarantine
  bool force = false;                   // doubt resend: without asking the service
  std::string reason, since, before;    // quarantine: which rows; empty: any
  int page = 1;                         // quarantine list
  std::vector<std::string> keys;        // quarantine, doubt, explain; forget: the address
  std::string push;            // release; which push a key belongs to, empty: any that knows it
  std::string list, from, to;  // backfill, write-back; `to` empty: now. `now`: whose wait
  int parallel = 4;            // backfill: windows walked side by side
  std::string by, period;      // report: the segment; week or month
  std::string html, csv;       // report: a file; a folder
  bool texts = false;          // report: with words of customers
  std::string word;            // report: only texts with it
  std::optional<std::int64_t> confirm;          // release: how many may go out
  bool confirmed = false;                       // move
  bool unknown = false;                         // forget: also an address that nothing is known of
  bool from_input = false;                      // forget: the address is read there
  LogFormat log_format = LogFormat::automatic;  // run, sync
  std::string decided_by;                       // who types it (operator_name.hpp)
};

ExitCode command_run(const Invocation& invocation);
ExitCode command_sync(const Invocation& invocation);
ExitCode command_check(const Invocation& invocation);
// The same. `wrong`: gets every problem, one text each.
ExitCode check_configuration(const Invocation& invocation, std::vector<std::string>& wrong);
ExitCode command_preview(const Invocation& invocation);
ExitCode command_status(const Invocation& invocation);
ExitCode command_schema(const Invocation& invocation);
// " (did you mean \"check\"?)" where a candidate is close to the word, else nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);
std::vector<std::string> database_names();  // that `schema --database` takes
ExitCode command_quarantine(const Invocation& invocation);
ExitCode command_doubt(const Invocation& invocation);
ExitCode command_suppressed(const Invocation& invocation);
ExitCode command_verify(const Invocation& invocation);
ExitCode command_forget(const Invocation& invocation);
ExitCode command_backfill(const Invocation& invocation);
ExitCode command_write_back(const Invocation& invocation);
ExitCode command_release(const Invocation& invocation);
// Manual pages and completions into folders man1, man5, bash, zsh and fish of this folder.
struct ProgramText;
ExitCode write_manual(const ProgramText& program, const std::string& folder);
ExitCode command_now(const Invocation& invocation);
ExitCode command_move(const Invocation& invocation);
ExitCode command_explain(const Invocation& invocation);
ExitCode command_report(const Invocation& invocation);

}  // namespace surveybridge::daemon
