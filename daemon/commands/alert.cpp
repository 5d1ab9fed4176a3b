// `alert`: tells the receivers of [alert] by hand. `test` sends a message to each address and says
// what came of it; `failed` is typed by systemd when a unit has failed
// (surveybridge-alert@.service).
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>

#include "config/sections/load.hpp"
#include "connectors/crm/daemon_state/alert_store.hpp"
#include "connectors/crm/daemon_state/overview.hpp"
#include "daemon/alert/delivery.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/daemon_jobs.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/runtime/instance_name.hpp"
#include "daemon/runtime/real_environment.hpp"

namespace surveybridge::daemon {

namespace {

// The worst of all that was sent.
ExitCode worse(ExitCode code, const std::optional<Undelivered>& undelivered) {
  if (!undelivered) return code;
  const bool ours = undelivered->fault == JobStatus::Fault::configuration;
  return std::max(code, ours ? kConfiguration : kUnreachable);
}

std::optional<Undelivered> send_to(const config::Receiver& receiver, const AlertMessage& message) {
  const auto transport = environment_of({}, {}, nullptr).open_messenger(receiver);
  return deliver(receiver, message, *transport, system_now());
}

// A server that refuses one of several addresses takes the mail for the others: each is tried
// alone.
ExitCode send_test(const config::Settings& settings, const AlertOrigin& origin, bool as_json) {
  ExitCode code = kDone;
  Json messages = Json::array();
  const auto tell = [&](const std::string& section, const config::Receiver& receiver,
                        const std::string& whom) {
    const auto undelivered = send_to(receiver, test_message(origin));
    const std::string name = section + "." + receiver.name;
    const std::string why = undelivered ? one_line(undelivered->why) : "";
    if (as_json) {
      messages.push_back({{"receiver", name},
                          {"to", whom},
                          {"sent", !undelivered},
                          {"reason", undelivered ? Json(why) : Json()}});
    } else {
      fmt::print("{}: {}: {}\n", name, one_line(whom), undelivered ? "not sent: " + why : "sent");
    }
    code = worse(code, undelivered);
  };
  const auto tell_each = [&](const std::string& section, const config::Receiver& receiver) {
    if (receiver.mail.empty()) tell(section, receiver, "webhook");
    for (const auto& address : receiver.mail) {
      config::Receiver one = receiver;
      one.mail = {address};
      tell(section, one, address);
    }
  };
  for (const auto& receiver : settings.alerts)
    tell_each("alert", receiver);
  for (const auto& mail : settings.report.mails)
    tell_each("report.mail", mail.receiver);
  if (as_json) print_json({{"messages", messages}});
  return code;
}

// What systemd says of the unit that has failed (MONITOR_… of systemd.exec); empty: nothing.
std::string told_by_systemd(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : one_line(text);
}

Need need_of_failure(const std::string& unit, bool is_verify) {
  const std::string status = told_by_systemd("MONITOR_EXIT_STATUS");
  const std::string result = told_by_systemd("MONITOR_SERVICE_RESULT");
  std::string what = unit + " has failed";
  if (!result.empty()) what += ": " + result + (status.empty() ? "" : " " + status);
  const bool wrong_file = status == std::to_string(kConfiguration);
  return {what,
          is_verify    ? "surveybridge verify"
          : wrong_file ? "surveybridge check"
                       : "journalctl -p warning -u " + unit,
          "", is_verify ? config::AlertKind::verify : config::AlertKind::daemon, unit};
}

// The daemon that is started again tells from the store that all is well.
void keep_told(const config::Settings& settings, std::vector<crm::Alert> told) {
  const auto connections = read_connections(settings);
  const auto* texts = std::get_if<Connections>(&connections);
  if (texts == nullptr) return;
  try {
    const auto database = environment_of(settings, *texts, nullptr, Purpose::look).open_database();
    if (!crm::has_run(*database)) return;
    const TimePoint now = database->now();
    for (auto& alert : told)
      alert.since = alert.seen_at = now, alert.told_at = now;
    crm::AlertStore(*database).put(told);
  } catch (const crm::DatabaseError& error) {
    report_error(std::string("database: ") + error.what());
  }
}

// Sends first: the database may be why the unit has failed.
ExitCode send_failure(const config::PartlyRight& loaded, const AlertOrigin& origin) {
  const std::string unit =
      told_by_systemd("MONITOR_UNIT").empty() ? "surveybridge" : told_by_systemd("MONITOR_UNIT");
  const bool is_verify = unit.starts_with("surveybridge-verify");
  const bool has_found =
      told_by_systemd("MONITOR_EXIT_STATUS") == std::to_string(kNeedsPerson) && is_verify;
  if (has_found && ask_for_jobs(origin.file)) {
    std::cout << "the daemon tells what verify has found\n";
    return kDone;
  }
  ExitCode code = kDone;
  std::vector<crm::Alert> told;
  for (const auto& receiver : loaded.settings.alerts) {
    DueAlerts due;
    due.begun =
        seen_alerts({need_of_failure(unit, is_verify)}, receiver, {}, origin.file, system_now());
    if (due.begun.empty()) continue;
    const auto undelivered = send_to(receiver, message_of(due, origin));
    code = worse(code, undelivered);
    const bool is_told = !undelivered || undelivered->to_others;
    if (undelivered)
      report_error(fmt::format("alert.{}: {}: {}", receiver.name,
                               is_told ? "sent in part" : "not sent", undelivered->why));
    if (!is_told) continue;
    due.begun.front().subject = end_subject(origin);
    told.push_back(due.begun.front());
  }
  if (!is_verify && loaded.crm && !told.empty()) keep_told(loaded.settings, std::move(told));
  return code;
}

}  // namespace

ExitCode command_alert(const Invocation& invocation) {
  const auto loaded = config::load_in_parts(invocation.config);
  const AlertOrigin origin{host_name(), invocation.config};
  const bool is_wrong = std::ranges::any_of(loaded.problems, [](const config::Problem& problem) {
    return problem.key.empty() || problem.key.starts_with("alert") ||
           problem.key.starts_with("report.mail");
  });
  const bool is_test = invocation.alert == "test";
  for (const auto& problem : loaded.problems)
    if (is_wrong) report_problem(to_string(problem));
  if (loaded.settings.alerts.empty()) {
    if (!is_wrong) report_error("there is no [alert.NAME] in " + invocation.config);
    return is_wrong ? kConfiguration : is_test ? kUsage : kDone;
  }
  const ExitCode code =
      is_test ? send_test(loaded.settings, origin, invocation.json) : send_failure(loaded, origin);
  return is_wrong ? std::max(code, kConfiguration) : code;
}

}  // namespace surveybridge::daemon
