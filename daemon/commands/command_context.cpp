#include "daemon/commands/command_context.hpp"

#include <iostream>

#include "config/problem.hpp"
#include "config/sections/load.hpp"
#include "connectors/crm/driver/error_text.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/schema/schema_version.hpp"
#include "connectors/service/client_certificate.hpp"
#include "daemon/commands/offline.hpp"
#include "daemon/job/log.hpp"
#include "daemon/job/log_events.hpp"
#include "daemon/runtime/control_socket.hpp"
#include "daemon/runtime/instance_name.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::daemon {

bool needs_approval(const config::Push& push) {
  return !push.batch.approve_automatically.value_or(false);
}

std::string approval_text(const config::Push& push) {
  return "push." + push.name +
         ".batch.ApproveAutomatically is not true: the service mails nobody"
         " until a person approves each batch there";
}

void report_problem(const std::string& text) {
  std::cerr << (error_is_journal() ? "<3>" : "") << one_line(text) << "\n";
}

void report_error(const std::string& text) {
  report_problem("surveybridge: " + text);
}

bool read_from_input(Invocation& invocation, const std::string& command) {
  constexpr std::size_t kMost = 1000;
  if (!invocation.from_input) return true;
  std::string text(kMost + 1, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  const std::string address(mapping::trimmed(text));
  const char* const wrong = text.size() > kMost ? "more than an address"
                            : address.empty()   ? "no address"
                            : address.find('\n') != std::string::npos
                                ? "several lines: one address at a time"
                                : nullptr;
  if (wrong != nullptr) {
    report_error(command + ": standard input has " + wrong);
    return false;
  }
  invocation.keys = {address};
  return true;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  return config::suggestion(word, candidates);
}

ExitCode exit_code_of(const crm::DatabaseError& error) {
  using Kind = crm::DatabaseError::Kind;
  if (dynamic_cast<const crm::RefusedTables*>(&error) != nullptr) return kConfiguration;
  if (crm::is_login_refused(error)) return kConfiguration;
  switch (error.kind) {
    case Kind::connection:
    case Kind::busy:
      return kUnreachable;
    case Kind::constraint:
    case Kind::too_large:
      return kNeedsPerson;
    case Kind::other:
      break;
  }
  return kConfiguration;
}

void report_lock() {
  report_error(
      "docs/RUNBOOK.md says under \"A statement waits for a lock\" how to find the session that"
      " holds it");
}

ExitCode report_error(const crm::DatabaseError& error) {
  report_error(std::string("database: ") + error.what());
  if (error.kind == crm::DatabaseError::Kind::busy) report_lock();
  return exit_code_of(error);
}

std::optional<std::string> refused_tables(const Environment& environment) {
  try {
    crm::refuse_tables(*environment.open_database());
  } catch (const crm::RefusedTables& refused) {
    return std::string("database: ") + refused.what();
  } catch (const crm::DatabaseError&) {
    return std::nullopt;
  }
  return std::nullopt;
}

namespace {

// After the problems of a wrong file: where a daemon runs here with this file, it goes on with the
// configuration that it has read before. A command that went on with what is right in the file
// would not know what the daemon knows.
void tell_of_older_configuration(const std::string& file) {
  if (!ask_daemon(file, "stuck")) return;
  report_error(
      "the file is wrong, so this command leaves the database alone. The daemon that runs here goes"
      " on"
      " with the configuration that it has read before. Mend the file, see `" +
      with_file("surveybridge check", file) +
      "`, reload the daemon (systemctl reload), and type this command again");
}

}  // namespace

std::variant<std::unique_ptr<CommandContext>, ContextProblems> make_command_context(
    const std::string& file, const std::atomic<bool>* stop, Uses uses) {
  ContextProblems problems;
  const auto add = [&](const std::vector<config::Problem>& found) {
    for (const auto& problem : found)
      problems.push_back(to_string(problem));
  };
  auto loaded = config::load(file);
  if (const auto* found = std::get_if<std::vector<config::Problem>>(&loaded)) {
    add(*found);
    return problems;
  }
  auto& settings = std::get<config::Settings>(loaded);
  std::variant<service::ClientCertificate, std::string> client;
  if (uses != Uses::databases) client = service::read_client_certificate(settings.service);
  if (const auto* why = std::get_if<std::string>(&client)) {
    problems.push_back("surveybridge: " + *why);
    client = {};
  }
  auto world = make_world(settings, stop, std::get<service::ClientCertificate>(client));
  if (const auto* why = std::get_if<std::string>(&world))
    problems.push_back("surveybridge: " + *why);
  using Secrets = std::unique_ptr<service::Credentials>;
  std::variant<Secrets, std::string> credentials = Secrets{};
  if (uses != Uses::databases) credentials = service::Credentials::make(settings.service.auth);
  if (const auto* why = std::get_if<std::string>(&credentials))
    problems.push_back("surveybridge: service.auth: " + *why);
  const bool everything = uses == Uses::everything;
  auto gate =
      Gate::make(everything ? settings.status.value_or(config::StatusPage{}) : config::StatusPage{},
                 host_name());
  if (const auto* why = std::get_if<std::string>(&gate))
    problems.push_back("surveybridge: status.token: " + *why);
  if (everything) add(offline_problems(settings));
  if (!problems.empty()) return problems;
  auto& [works, looks] = std::get<World>(world);
  return std::make_unique<CommandContext>(
      CommandContext{std::move(settings), std::move(works), std::move(looks),
                     std::get<Secrets>(std::move(credentials)), std::get<Gate>(std::move(gate))});
}

std::unique_ptr<CommandContext> open_command_context(const Invocation& invocation,
                                                     const std::atomic<bool>* stop, Uses uses,
                                                     Log* log) {
  auto made = make_command_context(invocation.config, stop, uses);
  const auto* problems = std::get_if<ContextProblems>(&made);
  if (problems == nullptr) return std::get<std::unique_ptr<CommandContext>>(std::move(made));
  for (const auto& problem : *problems) {
    if (log != nullptr) {
      log->error(problem, {.event = &kRefusedConfiguration});
    } else {
      report_problem(problem);
    }
  }
  if (log == nullptr) tell_of_older_configuration(invocation.config);
  return nullptr;
}

ExitCode with_context(const Invocation& invocation,
                      const std::function<ExitCode(const CommandContext&)>& command, Uses uses,
                      const std::atomic<bool>* stop) {
  const auto context = open_command_context(invocation, stop, uses);
  if (!context) return kConfiguration;
  try {
    return command(*context);
  } catch (const crm::DatabaseError& error) {
    return report_error(error);
  }
}

ExitCode report_unknown_name(const std::string& begin, const std::string& name,
                             const std::vector<std::string>& known) {
  report_error(begin + " \"" + name + "\" in the configuration" + did_you_mean(name, known));
  return kUsage;
}

std::optional<TimePoint> read_time(const std::string& text, const std::string& zone) {
  const auto read = mapping::read_date(text);
  if (!read) return std::nullopt;
  if (const auto* at = std::get_if<mapping::Instant>(&read->value)) return *at;
  const auto* local = std::get_if<mapping::LocalTime>(&read->value);
  return local == nullptr ? std::nullopt : std::optional(mapping::in_zone(*local, zone));
}

}  // namespace surveybridge::daemon
