// `quarantine`, `doubt` and `suppressed`: an operator looks, and decides about single transactions.
// Each decision is a transition of the ledger with its evidence: by whom is what the reason says.
#include <iostream>

#include <fmt/format.h>

#include "connectors/crm/state/overview.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

using crm::Ledger;
using crm::State;

constexpr int kListed = 1000;
constexpr const char* kByOperator = "decided by an operator";

// The pushes a command speaks of; empty: the name is wrong, and people have been told.
std::vector<std::string> pushes_of(const config::Settings& settings, const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& push : settings.pushes) {
    if (wanted.empty() || push.name == wanted) names.push_back(push.name);
  }
  if (names.empty()) report_error("there is no push \"" + wanted + "\" in the configuration");
  return names;
}

std::int64_t print_list(Ledger& ledger, const std::string& push, State state) {
  const auto entries = ledger.list(push, state, kListed);
  for (const auto& entry : entries) {
    const auto at = std::chrono::floor<std::chrono::seconds>(entry.changed_at);
    fmt::print("{}  {}  {}  {}  {}\n", push, one_line(entry.key), to_string(state),
               mapping::write_instant(at), one_line(entry.reason));
  }
  return static_cast<std::int64_t>(entries.size());
}

using Decide = std::int64_t (*)(Ledger&, const std::string& push, const std::vector<std::string>&);

Decide decision(const std::string& action) {
  if (action == "retry") {
    return [](Ledger& l, const std::string& p, const std::vector<std::string>& keys) {
      return l.retry(p, keys, std::string("retry ") + kByOperator);
    };
  }
  if (action == "drop") {
    return [](Ledger& l, const std::string& p, const std::vector<std::string>& keys) {
      return l.drop(p, keys, std::string("dropped for good, ") + kByOperator);
    };
  }
  if (action == "sent") {
    return [](Ledger& l, const std::string& p, const std::vector<std::string>& keys) {
      return l.decide(p, State::sent, keys, std::string("it had arrived, ") + kByOperator);
    };
  }
  return [](Ledger& l, const std::string& p, const std::vector<std::string>& keys) {
    return l.decide(p, State::pending, keys, std::string("goes out again, ") + kByOperator);
  };
}

ExitCode list(Ledger& ledger, const std::vector<std::string>& pushes,
              const std::vector<State>& states) {
  std::int64_t rows = 0;
  for (const auto& push : pushes) {
    for (const auto state : states)
      rows += print_list(ledger, push, state);
  }
  // Nobody has to do anything about the suppressed: they are listed, not complained about.
  const bool person = rows > 0 && states.front() != State::suppressed;
  return person ? kNeedsPerson : kDone;
}

// Every key one by one, so that each that did not move can be named.
ExitCode apply(Ledger& ledger, const std::vector<std::string>& pushes,
               const Invocation& invocation) {
  const Decide decide = decision(invocation.action);
  ExitCode code = kDone;
  for (const auto& key : invocation.keys) {
    std::int64_t moved = 0;
    for (const auto& push : pushes)
      moved += decide(ledger, push, {key});
    if (moved > 0) {
      fmt::print("{}  {}\n", one_line(key), invocation.action);
      continue;
    }
    report_error(key + ": nothing to " + invocation.action + ": it is not in a state for that");
    code = kNeedsPerson;
  }
  return code;
}

ExitCode settle(const Invocation& invocation, const std::vector<State>& states) {
  const auto command = open_command_context(invocation, nullptr);
  if (!command) return kConfiguration;
  const auto pushes = pushes_of(command->settings, invocation.push);
  if (pushes.empty()) return kUsage;
  if (invocation.action != "list" && invocation.keys.empty()) {
    report_error(invocation.action + ": name at least one key");
    return kUsage;
  }
  try {
    const auto database = command->environment.open_database();
    // Nothing has ever been set aside.
    if (crm::tables_to_read(*database) == crm::Tables::none) return kDone;
    Ledger ledger(*database);
    return invocation.action == "list" ? list(ledger, pushes, states)
                                       : apply(ledger, pushes, invocation);
  } catch (const crm::DatabaseError& error) {
    return report_error(error);
  }
}

}  // namespace

ExitCode command_quarantine(const Invocation& invocation) {
  return settle(invocation, {State::quarantined});
}

ExitCode command_suppressed(const Invocation& invocation) {
  Invocation list = invocation;
  list.action = "list";
  return settle(list, {State::suppressed});
}

ExitCode command_doubt(const Invocation& invocation) {
  return settle(invocation, {State::in_doubt, State::held});
}

}  // namespace surveybridge::daemon
