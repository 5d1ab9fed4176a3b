// `forget`: erases a person from the bridge's tables. A keyed hash of the address stays, so that
// the person is not mailed again. The address is never printed. `export`: prints what `forget`
// would erase, found by the same search.
#include "connectors/crm/erasure/forget.hpp"

#include <functional>
#include <iostream>

#include <fmt/format.h>

#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/commands/waiting_rows.hpp"
#include "daemon/context/databases.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/pull/emptyings.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/values/address.hpp"
#include "mapping/values/base64.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/person.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kWaitingMost = 1000;  // rows of one person; more are not counted

// Empty: the problems were reported.
std::optional<std::vector<crm::Emptying>> emptyings(const config::Settings& settings,
                                                    Databases& databases) {
  auto found = emptyings_of(settings, [&]() -> crm::Database& { return databases.crm(); });
  for (const auto& problem : found.problems)
    std::cerr << one_line(to_string(problem)) << "\n";
  if (!found.problems.empty()) return std::nullopt;
  return std::move(found.all);
}

void tell_erased(const crm::Erased& erased) {
  fmt::print("erased: {}, {}, {}, with all that hung on them\n",
             counted(erased.customers, "customer"), counted(erased.bouncers, "bouncer"),
             counted(erased.ratings, "rating"));
  for (const auto& each : erased.emptied) {
    fmt::print("emptied: {} of {}\n", counted(each.rows, "row"), each.table);
    if (each.deleted > 0)
      fmt::print("deleted: {} of {}\n", counted(each.deleted, "row"), each.table);
  }
  for (const auto& [table, rows] : erased.not_found)
    fmt::print(
        "not found: {} of {}, written for this person: removed or changed since, or written by "
        "another configuration: look there\n",
        counted(rows, "row"), table);
  fmt::print("{} of the ledger kept, without a name; no push mails this person again\n",
             counted(erased.transactions, "transaction"));
  if (erased.was_forgotten) fmt::print("this person was forgotten before, and still is\n");
  if (erased.under_way == 1)
    fmt::print("1 of them was on its way or in doubt: the service may mail it still\n");
  if (erased.under_way > 1)
    fmt::print("{} of them were on their way or in doubt: the service may mail those still\n",
               erased.under_way);
  fmt::print(
      "{} the survey service are not touched\n",
      erased.emptied.empty() ? "the CRM's own tables and" : "all else in the CRM's own tables and");
}

void tell_known(const crm::Erased& erased, std::int64_t waiting) {
  if (waiting == 0) {
    fmt::print(
        "nothing to erase: the bridge has {} of this address\n"
        "forgotten from now on: no push mails it, and no pull stores it, when the CRM or the "
        "service has it later\n",
        erased.has_facts ? "no more than a hash" : "nothing");
    return;
  }
  fmt::print(
      "nothing to erase: the bridge has not sent anything to this address\n"
      "forgotten from now on: {} of the CRM, which waited to be sent, {} not mailed\n"
      "the CRM's own tables and the survey service are not touched\n",
      counted(waiting, "row"), waiting == 1 ? "is" : "are");
}

Json json_of(const crm::Erased& erased, std::int64_t waiting) {
  Json not_found = Json::array();
  for (const auto& [table, rows] : erased.not_found)
    not_found.push_back({{"table", table}, {"rows", rows}});
  return {{"customers", erased.customers},
          {"bouncers", erased.bouncers},
          {"ratings", erased.ratings},
          {"emptied", array_of(erased.emptied,
                               [](const crm::Emptied& emptied) -> Json {
                                 return {{"table", emptied.table},
                                         {"rows", emptied.rows},
                                         {"deleted", emptied.deleted}};
                               })},
          {"not_found", std::move(not_found)},
          {"transactions", erased.transactions},
          {"under_way", erased.under_way},
          {"waiting", waiting},
          {"forgotten_before", erased.was_forgotten},
          {"forgotten", erased.is_forgotten}};
}

ExitCode tell(const crm::Erased& erased, std::int64_t waiting, bool json, const std::string& file) {
  if (json) print_json(json_of(erased, waiting));
  const bool nothing =
      erased.customers + erased.bouncers + erased.ratings + erased.transactions + erased.texts == 0;
  if (!erased.is_forgotten) {
    report_error(
        "forget: the bridge has nothing of this address, no row that waits to be sent has it, and "
        "nothing was changed: is it written as the CRM has it? If it is, `" +
        with_file("surveybridge forget --unknown ADDRESS", file) +
        "` keeps it from being mailed when the CRM has it later");
    return kNeedsPerson;
  }
  const ExitCode done = erased.not_found.empty() ? kDone : kNeedsPerson;
  if (json) return done;
  if (!nothing) {
    tell_erased(erased);
  } else if (erased.was_forgotten) {
    fmt::print("nothing to erase: this address was forgotten before, and still is\n");
  } else {
    tell_known(erased, waiting);
  }
  return done;
}

std::vector<std::string> correlates_of(const config::Settings& settings) {
  std::vector<std::string> all;
  for (const auto& push : settings.pushes)
    all.push_back(push.correlate);
  return all;
}

// It may go well when the command is typed again, without a change of anything.
bool may_pass(const crm::DatabaseError& error) {
  using Kind = crm::DatabaseError::Kind;
  return error.kind == Kind::connection || error.kind == Kind::busy;
}

// Whatever keeps the person from being erased, they are marked, so that they are not mailed.
ExitCode forget(const CommandContext& command, const Invocation& invocation,
                Interruption& interruption) {
  const std::string& address = invocation.keys.front();
  const auto correlates = correlates_of(command.settings);
  Databases databases(command.environment, CrmUse::write);
  crm::Database& store = databases.store();
  crm::make_schema(store);
  const std::string person = mapping::person_of(person_key(store), address);
  const auto only_mark = [&](const std::string& why) {
    crm::mark_forgotten(store, person, invocation.decided_by);
    report_error("forget: nothing is erased yet" + why +
                 "; from now on no push mails this person, and no pull stores it. Type it again "
                 "when that is mended");
  };
  // Where a daemon writes or a database is away, whoever the bridge knows is marked. Where a
  // statement takes too long nobody has looked whether it knows them: they are marked, too.
  const auto is_known = [&] {
    return invocation.unknown || !crm::People(store).contact_histories({person}).empty();
  };
  try {
    const auto also = emptyings(command.settings, databases);
    if (!also) {
      only_mark("");
      return kConfiguration;
    }
    WriteTurns turns(store, command.settings, command.environment.owner);
    const auto wait = [&interruption, until = system_now() + lease_duration(command.settings)] {
      return system_now() < until &&
             interruption.wait_until(system_now() + std::chrono::milliseconds{100});
    };
    if (databases.is_apart() && !turns.take(wait)) {
      if (is_known()) {
        only_mark(": the daemon writes into the CRM");
      } else {
        report_error("forget: nothing is erased: the daemon writes into the CRM; type it again");
      }
      return kUnreachable;
    }
    // Without write-backs to empty the CRM need not answer for a person whom the bridge knows.
    crm::Database& crm = also->empty() ? store : databases.crm();
    const auto erase = [&](crm::Unknown unknown) {
      return crm::forget(store, crm, person, address, correlates, *also, invocation.decided_by,
                         unknown);
    };
    crm::Erased erased = erase(invocation.unknown ? crm::Unknown::forget : crm::Unknown::leave);
    std::int64_t waiting = 0;
    if (!erased.is_forgotten) {
      waiting = std::ssize(waiting_rows_of(databases, command.settings, "", address, kWaitingMost));
      if (waiting > 0) erased = erase(crm::Unknown::forget);
    }
    const ExitCode told = tell(erased, waiting, invocation.json, command.settings.file);
    if (!erased.may_be_left) return told;
    report_error(
        "forget: what another node of the cluster was storing meanwhile may be left: type it "
        "again");
    return kUnreachable;
  } catch (const crm::DatabaseError& error) {
    if (error.kind == crm::DatabaseError::Kind::connection && !is_known()) throw;
    only_mark(std::string(": ") + error.what());
    return may_pass(error) ? kUnreachable : kNeedsPerson;
  }
}

struct ToJson {
  Json operator()(const mapping::Null&) const { return nullptr; }
  Json operator()(const mapping::Decimal& value) const { return value.text; }
  Json operator()(crm::Instant value) const { return mapping::write_instant(value); }
  Json operator()(mapping::LocalTime value) const { return mapping::write_local(value); }
  Json operator()(const mapping::Bytes& value) const { return mapping::write_base64(value.bytes); }
  Json operator()(const mapping::Enumerator& value) const {
    return value.number ? Json(*value.number) : Json(value.name);
  }
  template <typename Plain>
  Json operator()(const Plain& value) const {
    return value;
  }
};

// Each table with its rows; one that is there twice has the rows of both.
Json json_of(const std::vector<crm::FoundTable>& tables) {
  Json all = Json::object();
  for (const auto& [table, rows] : tables) {
    for (const auto& cells : rows) {
      Json row = Json::object();
      for (const auto& [column, value] : cells)
        row[column] = std::visit(ToJson{}, value);
      all[table].push_back(std::move(row));
    }
  }
  return all;
}

ExitCode export_person(const CommandContext& command, const Invocation& invocation) {
  const std::string& address = invocation.keys.front();
  // Whether a write-back can be emptied is tried in a transaction that is rolled back.
  Databases databases(command.environment, CrmUse::write);
  crm::Database& store = databases.store();
  if (crm::tables_to_read(store) == crm::Tables::none) {
    report_error("export: the bridge has not run on this database yet");
    return kNeedsPerson;
  }
  const auto also = emptyings(command.settings, databases);
  if (!also) return kConfiguration;
  const auto hash_key = crm::People(store).stored_hash_key();
  const std::string person = hash_key ? mapping::person_of(*hash_key, address) : "";
  crm::Database& crm = also->empty() ? store : databases.crm();
  const crm::Found found =
      crm::find_person(store, crm, person, address, correlates_of(command.settings), *also);
  print_json({{"store", json_of(found.store)}, {"crm", json_of(found.crm)}});
  if (!found.store.empty() || !found.crm.empty()) return kDone;
  report_error(
      "export: the bridge has nothing of this address that `forget` would erase: is it written as "
      "the CRM has it?");
  return kNeedsPerson;
}

// Runs a command about one person with the address that was typed or read, without the blanks
// around it. `unchanged`: what is said first of an error of the database.
ExitCode about_a_person(
    const Invocation& typed, const std::string& name, const std::string& unchanged,
    const std::function<ExitCode(const CommandContext&, const Invocation&)>& command) {
  Invocation invocation = typed;
  if (!read_from_input(invocation, name)) return kUsage;
  std::string& address = invocation.keys.front();
  address = std::string(mapping::trimmed(address));
  const auto context = open_command_context(invocation, nullptr);
  if (!context) return kConfiguration;
  if (const auto fault = mapping::fault_in_address(address)) {
    report_error(name + ": this is no e-mail address: " + std::string(*fault));
    return kUsage;
  }
  try {
    const LongWait long_wait;
    return command(*context, invocation);
  } catch (const crm::DatabaseError& error) {
    report_error(name + ": " + unchanged + "database: " + error.what());
    return exit_code_of(error);
  }
}

}  // namespace

ExitCode command_forget(const Invocation& typed) {
  Interruption interruption;
  return about_a_person(typed, "forget", "nothing is erased: ",
                        [&](const CommandContext& command, const Invocation& invocation) {
                          return forget(command, invocation, interruption);
                        });
}

ExitCode command_export(const Invocation& typed) {
  return about_a_person(typed, "export", "", export_person);
}

}  // namespace surveybridge::daemon
