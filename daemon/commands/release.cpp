// `release`: a person has looked at how many would be mailed, and says that number.
#include <algorithm>

#include <fmt/format.h>

#include "connectors/crm/schema/schema.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/context/databases.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/push/restore_check.hpp"
#include "daemon/runtime/control_socket.hpp"
#include "daemon/suppress/brake.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "daemon/suppress/suppression_check.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kShown = 3;  // releases before this one

// Is it the number of somebody who has looked? A larger one would let rows through later that
// nobody has looked at. A tenth more may wait: rows that have come since the look.
bool is_looked_at(std::int64_t confirmed, std::int64_t waiting) {
  constexpr std::int64_t kPart = 10;
  return confirmed <= waiting && waiting <= confirmed + confirmed / kPart;
}

void print_releases(const std::vector<crm::Release>& releases) {
  for (const auto& before : releases) {
    fmt::print("released before: {}, up to {}, by {}{}\n", second_text(before.at), before.rows,
               before.decided_by.empty() ? "nobody known" : one_line(before.decided_by),
               before.reason.empty() ? "" : ": " + one_line(before.reason));
  }
}

// Why the rows wait for a person; empty: they do not.
std::string why_held(const config::Push& push, const std::optional<crm::BrakeState>& state,
                     bool same, std::int64_t waiting) {
  if (state && !state->reason.empty()) return "the brake holds: " + state->reason;
  if (state && !same && push.brake) return std::string(kAsksAnew);
  if (!state && push.brake && waiting > 0)
    return "no row of this push is confirmed as sent yet: its first run waits until they are let "
           "go";
  return "";
}

// How many the push may send without being looked at.
std::int64_t let_go(const std::optional<crm::BrakeState>& state, bool same) {
  return same && state->reason.empty() ? state->allowance : 0;
}

// Why there is nothing to release; empty: there is.
std::string why_nothing(const config::Push& push, const std::optional<crm::BrakeState>& state,
                        bool same, std::int64_t waiting, const Invocation& invocation,
                        const std::string& file) {
  const std::int64_t may_go = let_go(state, same);
  if (may_go > 0 && may_go >= waiting)
    return fmt::format("up to {} of them are let go already: there is nothing to confirm", may_go);
  const bool for_a_reason = state && !state->reason.empty();
  if (!invocation.released && waiting == 0 && !for_a_reason) return "there is nothing to let go";
  const bool holds = state ? !state->reason.empty() || state->allowance > 0 || !same : push.brake;
  if (waiting == 0 || holds) return "";
  return "the brake does not hold this push: nothing has to be let go. They wait for the next "
         "poll, "
         "or for their time: `" +
         with_file("surveybridge explain KEY", file) + "` says which";
}

// What is shown without --confirm, for a program.
Json json_of(const config::Push& push, const std::string& held, std::int64_t waiting,
             std::int64_t may_go, const std::vector<crm::Release>& releases) {
  return {{"push", push.name},
          {"waiting", waiting},
          {"reason", or_null(held)},
          {"let_go", may_go},
          {"releases", array_of(releases, [](const crm::Release& before) -> Json {
             return {{"at", second_text(before.at)},
                     {"rows", before.rows},
                     {"decided_by", or_null(before.decided_by)},
                     {"reason", or_null(before.reason)}};
           })}};
}

ExitCode release(const Invocation& invocation, const CommandContext& command,
                 const config::Push& push) {
  Databases databases(command.looking);
  crm::Database& store = databases.store();
  crm::make_schema(store);
  const auto& zone = command.settings.crm.time_zone;
  crm::Source source(databases.crm(), store, crm::source_query(push, zone));
  const auto waiting = count_waiting(push, store, source, zone, databases.crm().now());
  crm::Brakes brakes(store);
  const auto state = brakes.load(push.name);
  const CrmIdentity crm = crm_identity(command.settings, databases.crm());
  const bool same = state && is_of(*state, push, crm, service_of(push, command.settings));
  const auto releases = brakes.releases(push.name, kShown);
  const auto held = why_held(push, state, same, waiting);
  const auto why = why_nothing(push, state, same, waiting, invocation, command.settings.file);
  if (invocation.json) {
    print_json(json_of(push, held, waiting, let_go(state, same), releases));
    return why.empty() ? kNeedsPerson : kDone;
  }
  fmt::print("{}: {} transactions wait\n", push.name, waiting);
  if (push.sample < 1 && push.sample_by == config::Push::SampleBy::person)
    fmt::print(
        "this is an estimate: people are drawn (sample_by), each with all rows, and a few with many"
        " rows make it more\n");
  if (!held.empty()) fmt::print("{}\n", held);
  print_releases(releases);
  const auto confirming = [&](std::int64_t rows) {
    return with_file(fmt::format("surveybridge release {} --confirm {}", push.name, rows),
                     command.settings.file);
  };
  if (!why.empty()) {
    fmt::print("{}\n", why);
    return kDone;
  }
  if (!invocation.released) {
    if (held.find(kNotKnown) != std::string::npos)
      fmt::print(
          "release it only if the bridge's tables were certainly not restored from a backup: what"
          " was sent after the backup would be mailed again. The hold ends by itself once the"
          " service lists what is lacking\n");
    if (waiting == 0) {
      fmt::print("to end the hold: {}\n", confirming(0));
      return kNeedsPerson;
    }
    if (held.find(kListLost) != std::string::npos)
      fmt::print(
          "a release mails the people whom the list names no longer. Fill the list again, and the"
          " hold ends by itself\n");
    fmt::print(
        "those that cannot be mailed, or whose person must not be, are set aside when it is their"
        " turn: {}\n",
        with_file("surveybridge preview " + push.name, command.settings.file));
    fmt::print("to let them go: {}\n", confirming(waiting));
    return kNeedsPerson;
  }
  const bool ends = *invocation.released == 0 && state && !state->reason.empty();
  if (waiting == 0 && !ends) {
    report_error(push.name + ": no transaction waits: nothing was released");
    return kNeedsPerson;
  }
  if (!is_looked_at(*invocation.released, waiting)) {
    report_error(fmt::format(
        "{}: {} wait, with those that will be set aside, and not {}: nothing was released."
        " If {} may go out: `{}`",
        push.name, waiting, *invocation.released, waiting, confirming(waiting)));
    return kNeedsPerson;
  }
  if (*invocation.released > 0 && has_changed_query(push, command.settings, databases.crm(), store))
    crm::keep_set_aside(store, push.name);
  brakes.release(push.name, fingerprint_of(push, zone), *invocation.released,
                 service_of(push, command.settings), invocation.decided_by, query_text(push, crm),
                 held);
  if (ends)
    fmt::print("the brake holds no longer; what comes is looked at again\n");
  else
    fmt::print("released: up to {}\n", *invocation.released);
  ask_daemon(command.settings.file, "now push." + push.name);  // where one runs here
  return kDone;
}

}  // namespace

ExitCode command_release(const Invocation& invocation) {
  return with_context(invocation, [&](const CommandContext& command) {
    const auto& pushes = command.settings.pushes;
    const auto push = std::ranges::find(pushes, invocation.name, &config::Push::name);
    if (push == pushes.end())
      return report_unknown_name("there is no push", invocation.name, names_of(pushes));
    return release(invocation, command, *push);
  });
}

}  // namespace surveybridge::daemon
