// `plan`: what another configuration would change, before the daemon reads it.
#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/forecast.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/commands/reload_plan.hpp"
#include "daemon/commands/service_account.hpp"
#include "daemon/job/length_text.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kExamples = 3;

Json json_of_plan(const PushChanges& plan) {
  return {{"push", plan.push},
          {"goes", plan.goes},
          {"newly", plan.newly},
          {"no_longer", array_of(plan.no_longer,
                                 [](const PushChanges::Lost& row) -> Json {
                                   return {{"key", row.key}, {"reason", row.why}};
                                 })},
          {"changed", array_of(plan.changed,
                               [](const PushChanges::Changed& row) -> Json {
                                 return {{"key", row.key}, {"fields", row.fields}};
                               })},
          {"other_key", or_null(plan.other_key)},
          {"held", or_null(plan.held)},
          {"stale", or_null(plan.stale)},
          {"quarantined", plan.quarantined},
          {"whole", plan.whole}};
}

// "  12 newly go out: 17, 18, 19, …"
void print_keys(const std::string& what, const std::vector<std::string>& keys) {
  if (keys.empty()) return;
  std::vector<std::string> shown;
  for (const auto& key : keys) {
    if (shown.size() == kExamples) break;
    shown.push_back(one_line(key));
  }
  fmt::print("  {:>6} {}: {}{}\n", keys.size(), what, fmt::join(shown, ", "),
             keys.size() > shown.size() ? ", …" : "");
}

void print_plan(const PushChanges& plan) {
  fmt::print("push.{}: {} would go out\n", plan.push, counted(plan.goes, "row"));
  print_keys("newly", plan.newly);
  std::map<std::string, std::vector<std::string>> lost, changed;
  for (const auto& [key, why] : plan.no_longer)
    lost[one_line(why)].push_back(key);
  for (const auto& [why, keys] : lost)
    print_keys("no longer (" + why + ")", keys);
  for (const auto& [key, fields] : plan.changed)
    for (const auto& field : fields)
      changed[one_line(field)].push_back(key);
  for (const auto& [field, keys] : changed)
    print_keys("with another " + field, keys);
  if (plan.newly.empty() && lost.empty() && changed.empty())
    fmt::print("  nothing changes for the rows that wait\n");
  if (plan.quarantined > 0)
    fmt::print(
        "  {} in quarantine now: the daemon tries again those whose mapped cells differ;"
        " `surveybridge quarantine retry` tries the others\n",
        counted(plan.quarantined, "row"));
  if (!plan.other_key.empty()) fmt::print("  {}\n", one_line(plan.other_key));
  if (!plan.held.empty())
    fmt::print("  the brake will hold: {}\n", one_line(plan.held));
  else
    fmt::print("  the brake will not hold\n");
  if (!plan.stale.empty()) fmt::print("  nothing goes out yet: {}\n", one_line(plan.stale));
  if (!plan.whole) fmt::print("  more rows wait than were looked at\n");
}

ExitCode plan(const CommandContext& old_one, const CommandContext& new_one, bool json) {
  const auto transport = new_one.environment.open_transport();
  service::Api api(new_one.settings.service, *transport, *new_one.credentials);
  const auto columns = data_columns_of(api);
  if (const auto* code = std::get_if<ExitCode>(&columns)) return *code;
  const auto planned =
      plan_reload({old_one.settings, old_one.looking}, {new_one.settings, new_one.looking},
                  std::get<std::vector<mapping::DataColumn>>(columns));
  if (const auto* problems = std::get_if<std::vector<config::Problem>>(&planned)) {
    for (const auto& problem : *problems)
      report_problem(to_string(problem));
    return kConfiguration;
  }
  const auto& plans = std::get<std::vector<PushChanges>>(planned);
  if (json)
    print_json({{"pushes", array_of(plans, json_of_plan)}});
  else
    for (const auto& each : plans)
      print_plan(each);
  const auto holds = [](const PushChanges& each) { return !each.held.empty(); };
  return std::ranges::any_of(plans, holds) ? kNeedsPerson : kDone;
}

}  // namespace

ExitCode command_plan(const Invocation& invocation) {
  if (const auto fault = fault_by_sudo(invocation.name)) {
    report_error("plan: " + *fault);
    return kConfiguration;
  }
  const auto old_one = open_command_context(invocation, nullptr);
  if (!old_one) return kConfiguration;
  Invocation other = invocation;
  other.config = invocation.name;
  const auto new_one = open_command_context(other, nullptr, Uses::service);
  if (!new_one) return kConfiguration;
  return ask_queries({old_one.get(), new_one.get()},
                     [&] { return plan(*old_one, *new_one, invocation.json); });
}

}  // namespace surveybridge::daemon
