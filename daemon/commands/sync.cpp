#include "daemon/runtime/sync.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/commands/progress.hpp"
#include "daemon/context/databases.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/pull/pace_job.hpp"
#include "daemon/reconcile/as_sent.hpp"
#include "daemon/runtime/bridge.hpp"
#include "daemon/status/needs.hpp"
#include "daemon/suppress/brake.hpp"

namespace surveybridge::daemon {

namespace {

bool known_names(const std::vector<std::string>& names, const config::Settings& settings) {
  const auto known = names_of(settings);
  for (const auto& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    report_unknown_name("sync: there is no", name, known);
    return false;
  }
  return true;
}

// What somebody has to do about these rows; rows in doubt are looked up again by themselves, except
// those of nobody.
std::optional<Need> need_after_sync(const crm::Ledger::Count& count,
                                    const std::vector<std::string>& of_nobody) {
  if (auto need = need_of(count, of_nobody)) return need;
  if (count.state == crm::State::in_doubt && count.rows > 0)
    return Need{fmt::format("{}: {} in doubt, looked up again by the next sync", count.push,
                            counted(count.rows, "transaction")),
                "surveybridge doubt list"};
  return std::nullopt;
}

// What `status` names beside the ledger. A brake is left out: the job of its push says it. Where a
// CRM of its own does not answer, nothing: the jobs that need it say so.
std::vector<Need> needs_beside_ledger(const config::Settings& settings, Databases& databases) {
  try {
    databases.crm();
  } catch (const crm::DatabaseError&) {
    return {};
  }
  StatusReport status = report(settings, databases.store(), databases.crm(), OnLock::hide_part);
  status.overview.counts.clear();
  auto needs = needs_of(status);
  std::erase_if(needs, [](const Need& need) { return need.kind == config::AlertKind::brake; });
  return needs;
}

// The ledger in numbers, and what needs a person.
struct Summary {
  std::vector<crm::Ledger::Count> ledger;
  std::vector<Need> needs;  // each with its whole command
};

Summary summary_of(const CommandContext& command) {
  const config::Settings& settings = command.settings;
  Databases databases(command.looking);
  Summary summary{crm::count_by_kept(databases.store()), {}};
  const auto of_nobody = names_of_nobody(settings, databases.store());
  for (const auto& count : summary.ledger)
    if (auto need = need_after_sync(count, of_nobody)) summary.needs.push_back(*std::move(need));
  std::ranges::move(needs_beside_ledger(settings, databases), std::back_inserter(summary.needs));
  for (Need& need : summary.needs)
    if (!need.command.empty()) need.command = with_file(need.command, settings.file);
  return summary;
}

void print_summary(const Summary& summary) {
  for (const auto& count : summary.ledger)
    fmt::print("{:<36} {:>8} {}\n", "ledger." + count.push, count.rows, to_string(count.state));
  for (const Need& need : summary.needs)
    fmt::print("{}{}\n", need.what, need.command.empty() ? "" : ": see `" + need.command + "`");
}

// Nothing can be done without the database: said once instead of by every job.
std::optional<ExitCode> database_fault(const CommandContext& command) {
  try {
    const auto database = command.environment.open_database();
    crm::refuse_tables(*database);
    if (const auto foreign = crm::foreign_tables(*database); !foreign.empty())
      throw crm::DatabaseError(crm::DatabaseError::Kind::other,
                               crm::foreign_table_problem(foreign.front()));
    return std::nullopt;
  } catch (const crm::DatabaseError& error) {
    return report_error(error);
  }
}

// Why a job gave up; empty: it did not, or was stopped.
std::string why_left(const SyncResult& result, const SyncResult::Done& done) {
  const bool stopped = result.stopped && &done == &result.jobs.back();
  if (!done.gave_up || stopped) return "";
  return done.status.trouble.empty() ? "the service has not answered a job before it"
                                     : done.status.trouble;
}

void print_jobs(const SyncResult& result) {
  for (const auto& done : result.jobs) {
    const std::string why = why_left(result, done);
    fmt::print("{:<36} {:>8} {}{}\n", done.job, done.status.done, done.status.unit,
               !done.gave_up ? ""
               : why.empty() ? "  stopped"
                             : "  gave up: " + why);
  }
}

// Whoever waits for mails must know why none comes.
std::vector<std::string> approval_notes(const SyncResult& result,
                                        const config::Settings& settings) {
  std::vector<std::string> notes;
  for (const auto& done : result.jobs) {
    for (const auto& push : settings.pushes) {
      const bool sent = done.job == "push." + push.name && done.status.done > 0;
      if (sent && needs_approval(push)) notes.push_back(approval_text(push));
    }
  }
  return notes;
}

// `summary` empty: the database did not answer.
void print_sync(const SyncResult& result, const std::vector<std::string>& notes,
                const std::optional<Summary>& summary) {
  print_jobs(result);
  for (const auto& note : notes)
    fmt::print("{}\n", note);
  if (summary) print_summary(*summary);
}

void print_sync_json(const SyncResult& result, const std::vector<std::string>& notes,
                     const std::optional<Summary>& summary) {
  Json json{{"jobs", array_of(result.jobs,
                              [&](const SyncResult::Done& done) -> Json {
                                return {{"job", done.job},
                                        {"done", done.status.done},
                                        {"unit", done.status.unit},
                                        {"gave_up", done.gave_up},
                                        {"reason", or_null(why_left(result, done))}};
                              })},
            {"stopped", result.stopped},
            {"notes", notes},
            {"ledger", nullptr},
            {"needs", nullptr}};
  if (summary) {
    json["ledger"] = array_of(summary->ledger, count_json);
    json["needs"] = array_of(summary->needs, [](const Need& need) -> Json {
      return {{"what", need.what}, {"command", or_null(need.command)}};
    });
  }
  print_json(json);
}

// What was learned about the service's limit outlives this process. Where the database does not
// answer, the jobs say so.
template <typename Step>
void with_database(const CommandContext& command, const Step& step) {
  try {
    step(*command.environment.open_database());
  } catch (const crm::DatabaseError&) {
    return;
  }
}

// What waits for each push, so that a person sees how long it will take; what is set aside of it
// makes it shorter.
void expect_pushes(const CommandContext& command, Progress& progress) {
  for (const auto& push : command.settings.pushes) {
    progress.expect("push." + push.name, [&](std::int64_t done) -> std::int64_t {
      try {
        Databases databases(command.looking);
        const auto& zone = command.settings.crm.time_zone;
        crm::Source source(databases.crm(), databases.store(), crm::source_query(push, zone));
        return done + count_waiting(push, databases.store(), source, zone, databases.crm().now());
      } catch (const crm::DatabaseError&) {
        return 0;
      }
    });
  }
}

}  // namespace

ExitCode command_sync(const Invocation& invocation) {
  Interruption interruption("the next sync goes on from here");
  const auto journal = open_log(invocation.log_format);
  const auto command =
      open_command_context(invocation, &interruption.flag(), Uses::everything, journal.get());
  if (!command) return kConfiguration;
  if (!known_names(invocation.names, command->settings)) return kUsage;
  if (const auto fault = database_fault(*command)) return *fault;
  Progress progress(*journal);
  Bridge bridge(
      command->settings, command->environment, progress.log(), *command->credentials,
      {.once = true, .names = invocation.names, .sessions = command->settings.crm.connections});
  const std::string service = pace_key(command->settings);
  with_database(*command, [&](auto& database) { recall_pace(database, bridge.pace(), service); });
  expect_pushes(*command, progress);
  SyncResult result =
      sync(bridge.jobs(), progress.watched(interruption.clock()),
           [&](const auto& job, const auto& status) { progress.show(job, status); });
  progress.clear();
  with_database(*command, [&](auto& database) {
    keep_pace(database, bridge.pace(), service, command->environment.owner,
              std::chrono::seconds{0});
  });
  if (result.stopped)
    report_error("sync: stopped before everything was done; " + interruption.next());
  std::optional<Summary> summary;
  try {
    summary = summary_of(*command);
    if (!summary->needs.empty()) result.exit_code = std::max(result.exit_code, kNeedsPerson);
  } catch (const crm::DatabaseError& error) {
    result.exit_code = std::max(result.exit_code, report_error(error));
  }
  const auto print = invocation.json ? print_sync_json : print_sync;
  print(result, approval_notes(result, command->settings), summary);
  return result.exit_code;
}

}  // namespace surveybridge::daemon
