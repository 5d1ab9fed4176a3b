#include "daemon/commands/command_context.hpp"

#include <iostream>

#include "config/sections/load.hpp"
#include "daemon/commands/offline.hpp"
#include "daemon/job/log.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

void report_error(const std::string& text) {
  std::cerr << "surveybridge: " << one_line(text) << "\n";
}

ExitCode report_error(const crm::DatabaseError& error) {
  using Kind = crm::DatabaseError::Kind;
  report_error(std::string("database: ") + error.what());
  const bool later = error.kind == Kind::connection || error.kind == Kind::busy;
  return later ? kUnreachable : kNeedsPerson;
}

std::optional<config::Settings> load_settings(const std::string& file) {
  auto loaded = config::load(file);
  if (const auto* problems = std::get_if<std::vector<config::Problem>>(&loaded)) {
    for (const auto& problem : *problems)
      std::cerr << one_line(to_string(problem)) << "\n";
    return std::nullopt;
  }
  return std::get<config::Settings>(std::move(loaded));
}

bool maps_are_right(const config::Settings& settings) {
  const auto problems = offline_problems(settings);
  for (const auto& problem : problems)
    std::cerr << one_line(to_string(problem)) << "\n";
  return problems.empty();
}

std::unique_ptr<CommandContext> open_command_context(const Invocation& invocation,
                                                     const std::atomic<bool>* stop) {
  auto settings = load_settings(invocation.config);
  if (!settings) return nullptr;
  auto environment = make_world(*settings, stop);
  auto credentials = service::Credentials::make(settings->service.auth);
  const auto* no_world = std::get_if<std::string>(&environment);
  const auto* no_credentials = std::get_if<std::string>(&credentials);
  if (no_world != nullptr) report_error(*no_world);
  if (no_credentials != nullptr) report_error("service.auth: " + *no_credentials);
  if (no_world != nullptr || no_credentials != nullptr) return nullptr;
  return std::make_unique<CommandContext>(
      CommandContext{std::move(*settings), std::get<Environment>(std::move(environment)),
                     std::get<std::unique_ptr<service::Credentials>>(std::move(credentials))});
}

std::optional<TimePoint> read_time(const std::string& text, const std::string& zone) {
  const auto read = mapping::read_date(text);
  if (!read) return std::nullopt;
  if (const auto* at = std::get_if<mapping::Instant>(&read->value)) return *at;
  const auto* local = std::get_if<mapping::LocalTime>(&read->value);
  return local == nullptr ? std::nullopt : std::optional(mapping::in_zone(*local, zone));
}

}  // namespace surveybridge::daemon
