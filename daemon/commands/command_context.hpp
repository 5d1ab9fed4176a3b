// What most commands begin with: the configuration loaded, its secrets read, the outside at hand.
// Every problem is told to standard error before this gives up.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/service/credentials.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/context/job_context.hpp"

namespace surveybridge::daemon {

struct CommandContext {
  config::Settings settings;
  Environment environment;
  std::unique_ptr<service::Credentials> credentials;
};

// Empty: the configuration is wrong, and people have been told why (exit 78).
std::unique_ptr<CommandContext> open_command_context(const Invocation& invocation,
                                                     const std::atomic<bool>* stop);

std::optional<config::Settings> load_settings(const std::string& file);

// What would never work is not begun: people are told what is wrong with the field maps.
bool maps_are_right(const config::Settings& settings);

// A date or time as an operator writes it; without an offset by the wall clock of `zone`. Empty: it
// is neither.
std::optional<TimePoint> read_time(const std::string& text, const std::string& zone);

// "surveybridge: text" on standard error.
void report_error(const std::string& text);
// Of the database. Unreachable: trying later helps; anything else a person must mend.
ExitCode report_error(const crm::DatabaseError& error);

}  // namespace surveybridge::daemon
