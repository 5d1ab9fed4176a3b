// What a person can ask of surveybridge (docs/GUIDE.md): one function a command, its
// answer the exit code. Results go to standard output, everything else to standard error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "daemon/job/command_text.hpp"
#include "daemon/job/log.hpp"
#include "daemon/report/gather.hpp"
#include "daemon/runtime/exit_code.hpp"

namespace surveybridge::daemon {

// Which rows of the ledger, and what becomes of them: `rows`, `quarantine`, `doubt`, `suppressed`.
struct RowChoice {
  std::string action = "list";
  std::vector<std::string> states;    // empty: as the action says
  std::string reason, since, before;  // empty: any
  bool all = false;
  int page = 1;        // list
  bool force = false;  // resend: without asking the service
};

struct Invocation {
  std::string config = kConfigurationFile;
  std::string decided_by;          // who types it (service_account.hpp)
  std::vector<std::string> names;  // sync, preview: of these only
  std::string
      name;  // now, backfill, write-back, release: a job, a list, a push; plan, test: a file
  std::vector<std::string> keys;  // rows, explain; forget, export: the address
  std::string push;               // rows, explain: of this push only
  std::string from, to;           // backfill: days, `to` empty: now; move: the file used before
  bool json = false;
  bool groups = false;                          // rows, preview: how many for which reason
  LogFormat log_format = LogFormat::automatic;  // run, sync
  bool offline = false;                         // check
  std::optional<int> previewed;                 // preview: rows; empty: five, or all of `groups`
  int parallel = 4;                             // backfill: windows walked side by side
  bool unknown = false;                         // forget: also an address that nothing is known of
  bool from_input = false;                      // explain, forget, export: the key is read there
  std::optional<std::int64_t> released;         // release: how many may go out
  bool confirmed = false;                       // move
  std::string database = "postgresql";          // schema
  std::optional<int> schema_from;               // schema: of this version
  RowChoice rows;
  ReportAsked report;
  std::string html, csv;  // report: a file; a folder
  std::string alert;      // "test" or "failed"
};

ExitCode command_run(const Invocation& invocation);
ExitCode command_sync(const Invocation& invocation);
ExitCode command_check(const Invocation& invocation);
// The same. `wrong`: gets every problem, one text each.
ExitCode check_configuration(const Invocation& invocation, std::vector<std::string>& wrong);
ExitCode command_preview(const Invocation& invocation);
ExitCode command_plan(const Invocation& invocation);
ExitCode command_test(const Invocation& invocation);
ExitCode command_status(const Invocation& invocation);
ExitCode command_schema(const Invocation& invocation);
// " (did you mean \"check\"?)" where a candidate is close to the word, else nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);
std::vector<std::string> database_names();  // that `schema --database` takes
ExitCode command_config_schema(const Invocation& invocation);
// The JSON Schema of the configuration (draft 7), made of its description. Editors find an unknown
// key, a wrong type and a missing key with it; what only two keys together break, `check` finds.
std::string config_schema();
ExitCode command_rows(const Invocation& invocation);
ExitCode command_verify(const Invocation& invocation);
ExitCode command_forget(const Invocation& invocation);
ExitCode command_export(const Invocation& invocation);
ExitCode command_backfill(const Invocation& invocation);
ExitCode command_write_back(const Invocation& invocation);
ExitCode command_release(const Invocation& invocation);
ExitCode command_now(const Invocation& invocation);
ExitCode command_move(const Invocation& invocation);
ExitCode command_explain(const Invocation& invocation);
ExitCode command_report(const Invocation& invocation);
ExitCode command_alert(const Invocation& invocation);

}  // namespace surveybridge::daemon
