// `move`: everything that the bridge keeps goes from where another configuration has it to where
// this one has it (docs/RUNBOOK.md).
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/schema/move_tables.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/commands/progress.hpp"
#include "daemon/commands/service_account.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/runtime/control_socket.hpp"
#include "daemon/runtime/instance_name.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {
namespace {

// Whoever works with either place must be stopped first.
bool is_at_work(const std::string& file) {
  if (!ask_daemon(file, "stuck")) return false;
  report_error("move: a daemon runs here with " + file + ": stop it first");
  return true;
}

bool is_at_work(const CommandContext& place, crm::Database& store) {
  crm::Leases(store).end_those_of(place.environment.has_ended);
  const auto owners = crm::owners_at_work(store);
  for (const auto& [owner, until] : owners) {
    const auto pid = pid_here(owner);
    report_error(
        pid ? fmt::format("move: process {} works with the tables of {}: stop it first", *pid,
                          place.settings.file)
            : fmt::format("move: a daemon on another machine works with the tables of {}: stop it "
                          "first. If it does not run any more, type this again after {}",
                          place.settings.file,
                          mapping::write_instant(std::chrono::ceil<std::chrono::seconds>(until))));
  }
  return !owners.empty();
}

// The tables that were moved, or that can be.
void print_tables(const CommandContext& old_place, const CommandContext& new_place,
                  const std::vector<crm::MovedTable>& tables, bool moved) {
  const std::string &from = old_place.settings.file, &to = new_place.settings.file;
  for (const auto& table : tables)
    fmt::print("{:<36} {:>10} rows\n", table.name, table.rows);
  if (moved)
    fmt::print(
        "moved: start the daemon with {}.\nThe old tables survey_… still hold addresses and "
        "answers: drop them when nothing goes wrong at the new place\n",
        to);
  else
    fmt::print(
        "these tables can be moved from where {} has them to where {} has them. Afterwards no"
        " daemon can work with the old ones.\nto move them: {}\n",
        from, to, with_file("surveybridge move --confirm --from " + from, to));
}

void print_tables_json(const CommandContext& old_place, const CommandContext& new_place,
                       const std::vector<crm::MovedTable>& tables, bool moved) {
  print_json({{"from", old_place.settings.file},
              {"to", new_place.settings.file},
              {"moved", moved},
              {"tables", array_of(tables, [](const crm::MovedTable& table) -> Json {
                 return {{"table", table.name}, {"rows", table.rows}};
               })}});
}

// PostgreSQL looks for the old place's tables in the schema that has the role's name, once it has
// them: then neither place works any more.
std::optional<std::string> hiding_schema(const CommandContext& old_place, crm::Database& from,
                                         const CommandContext& new_place, crm::Database& to) {
  const auto& store = new_place.settings.store;
  const bool named = old_place.settings.store && !old_place.settings.store->schema.empty();
  if (from.dialect() != crm::Dialect::postgresql || to.dialect() != from.dialect()) return {};
  if (named || !store || store->schema.empty()) return {};
  const crm::Statement here{"SELECT current_database()", {}};
  if (from.query(here).rows != to.query(here).rows) return {};
  const auto found =
      from.query({"SELECT 1 WHERE CAST(:p1 AS text) = ANY(CAST(current_schemas(false) AS text[]))",
                  {store->schema}});
  if (found.rows.empty()) return {};
  return "the schema \"" + store->schema + "\" is where " + old_place.settings.file +
         " looks first (search_path): give the new schema another name than the role has";
}

ExitCode refuse(const std::string& why) {
  report_error("move: " + why);
  return kNeedsPerson;
}

// Empty: it was stopped.
std::optional<std::vector<crm::MovedTable>> copy(crm::Database& from, crm::Database& to,
                                                 const Interruption& interruption) {
  const auto log = open_log();
  Progress progress(*log);
  progress.expect("move", [&](std::int64_t) {
    std::int64_t rows = 0;
    for (const auto& table : crm::tables_to_move(from))
      rows += table.rows;
    return rows;
  });
  return crm::copy_tables(from, to, [&](const std::string& table, std::int64_t rows) {
    JobStatus status;
    status.done = rows;
    status.unit = "rows, " + table;
    progress.show("move", status);
    return !interruption.stopped();
  });
}

ExitCode move(const CommandContext& old_place, const CommandContext& new_place,
              const Invocation& invocation, const Interruption& interruption) {
  const auto tell = [&](const std::vector<crm::MovedTable>& tables, bool moved) {
    (invocation.json ? print_tables_json : print_tables)(old_place, new_place, tables, moved);
  };
  const auto from = old_place.environment.open_database();
  if (!crm::has_table(*from, "survey_seal"))
    return refuse("the bridge has no tables where " + old_place.settings.file + " has them");
  const auto to = new_place.environment.open_database();
  if (const auto moved = crm::moved_before(*from, *to)) {
    report_error("move: the tables were moved at " + *moved + ": there is nothing more to do");
    if (invocation.json) tell({}, true);
    return kDone;
  }
  if (const auto why = hiding_schema(old_place, *from, new_place, *to)) return refuse(*why);
  if (const auto why = crm::why_not_to(*to)) return refuse(*why);
  if (is_at_work(old_place, *from) || is_at_work(new_place, *to)) return kNeedsPerson;
  if (!invocation.confirmed) {
    tell(crm::tables_to_move(*from), false);
    return kNeedsPerson;
  }
  if (interruption.stopped()) return refuse("stopped: nothing is changed");
  crm::close_for_move(*from, *to, std::filesystem::absolute(new_place.settings.file).string());
  const auto copied = copy(*from, *to, interruption);
  if (!copied)
    return refuse("stopped: no row is at the new place, and the old one is closed; " +
                  interruption.next());
  tell(*copied, true);
  return kDone;
}

}  // namespace

ExitCode command_move(const Invocation& invocation) {
  Interruption interruption("the same command does it again");
  if (const auto fault = fault_by_sudo(invocation.from)) {
    report_error("move: " + *fault);
    return kConfiguration;
  }
  const auto new_place = open_command_context(invocation, nullptr);
  if (!new_place) return kConfiguration;
  Invocation old = invocation;
  old.config = invocation.from;
  const auto old_place = open_command_context(old, nullptr);
  if (!old_place) return kConfiguration;
  if (is_at_work(invocation.from) || is_at_work(invocation.config)) return kNeedsPerson;
  try {
    return move(*old_place, *new_place, invocation, interruption);
  } catch (const crm::DatabaseError& error) {
    report_error(std::string("move: not done, and may be repeated: database: ") + error.what());
    return exit_code_of(error);
  }
}

}  // namespace surveybridge::daemon
