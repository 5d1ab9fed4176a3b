// What most commands begin with: the configuration loaded, its secrets read, the outside at hand.
// Every problem is told to standard error before this gives up.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/service/credentials.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/status/gate.hpp"

namespace surveybridge::daemon {

struct CommandContext {
  config::Settings settings;
  Environment environment;
  // The same for whoever looks, or changes a little by hand: they wait 2 s for a lock.
  Environment looking;
  std::unique_ptr<service::Credentials> credentials;  // null: Uses::databases
  Gate gate;                                          // of the status page; Uses::everything
};

// What a command needs besides the file. Whoever only reads tables may lack the service's secret,
// and that of the status page; the field maps must be right for `everything`.
enum class Uses { databases, service, everything };

// Every problem of a configuration, as one sentence each: of the file, or of what is used.
using ContextProblems = std::vector<std::string>;
std::variant<std::unique_ptr<CommandContext>, ContextProblems> make_command_context(
    const std::string& file, const std::atomic<bool>* stop, Uses uses);

// Empty: the configuration is wrong, and people have been told every problem (exit 78): by the log
// of a command that has one.
std::unique_ptr<CommandContext> open_command_context(const Invocation& invocation,
                                                     const std::atomic<bool>* stop,
                                                     Uses uses = Uses::databases,
                                                     Log* log = nullptr);

// Opens the context of a command, and runs it. An error of the database that it throws is reported.
ExitCode with_context(const Invocation& invocation,
                      const std::function<ExitCode(const CommandContext&)>& command,
                      Uses uses = Uses::databases, const std::atomic<bool>* stop = nullptr);

// Where the address of a person, or what else is asked about, is to be read from standard input:
// one line of it becomes the only key. False: it is told why not.
bool read_from_input(Invocation& invocation, const std::string& command);

// Tells that the configuration does not have this name, and which one may be meant. `begin`: "there
// is no push".
ExitCode report_unknown_name(const std::string& begin, const std::string& name,
                             const std::vector<std::string>& known);

// A date or time as an operator writes it; without an offset by the wall clock of `zone`. Empty: it
// is neither.
std::optional<TimePoint> read_time(const std::string& text, const std::string& zone);

// Does this push leave its batches unsent until a person approves them at the service?
bool needs_approval(const config::Push& push);
// The sentence for those who wait for mails.
std::string approval_text(const config::Push& push);

// One line on standard error; an error for the journal, if it reads it.
void report_problem(const std::string& text);
// "surveybridge: text", the same way.
void report_error(const std::string& text);
// Of the database. Unreachable: trying later helps; configuration: the tables are not those of this
// program, or were moved to another place; anything else a person must mend.
ExitCode exit_code_of(const crm::DatabaseError& error);
ExitCode report_error(const crm::DatabaseError& error);
// After a statement that waited for a lock, or may have: how to find who holds it.
void report_lock();
// Why nothing can be done with the tables of this configuration; empty: they may be used, or that
// cannot be asked at the moment.
std::optional<std::string> refused_tables(const Environment& environment);

}  // namespace surveybridge::daemon
