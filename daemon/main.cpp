// Reads the command line and calls the command. Everything else is behind commands/.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include "daemon/command_line.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/help.hpp"
#include "daemon/commands/manual.hpp"
#include "daemon/commands/service_account.hpp"
#include "daemon/init/init.hpp"
#include "daemon/runtime/exit_code.hpp"
#include "daemon/runtime/version.hpp"

namespace {

using surveybridge::daemon::CommandEntry;
using surveybridge::daemon::CommandText;
using surveybridge::daemon::ExitCode;
using surveybridge::daemon::InitOptions;
using surveybridge::daemon::Invocation;
using surveybridge::daemon::kVersion;
using surveybridge::daemon::OptionText;
using surveybridge::daemon::ProgramText;

// "TEXT:{list,retry,drop}" → list, retry, drop.
std::vector<std::string> values_in(const std::string& type) {
  std::vector<std::string> values;
  const auto open = type.find('{'), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos) return values;
  std::istringstream list(type.substr(open + 1, close - open - 1));
  for (std::string value; std::getline(list, value, ',');)
    values.push_back(value);
  return values;
}

OptionText option_text(const CLI::Option& option) {
  OptionText text;
  text.positional = option.get_positional();
  for (const auto& name : option.get_snames())
    text.names.push_back("-" + name);
  for (const auto& name : option.get_lnames())
    text.names.push_back("--" + name);
  if (text.positional) text.names = {option.get_name()};
  text.meaning = option.get_description();
  text.values = values_in(option.get_type_name());
  text.takes_value = !option.get_type_name().empty();  // a flag has none
  text.required = option.get_required();
  text.repeated = option.get_expected_max() > 1;
  return text;
}

ProgramText program_text(const CLI::App& app, const std::vector<CommandEntry>& entries) {
  ProgramText program{"surveybridge", kVersion, app.get_description(), {}};
  for (const auto& [sub, run, examples] : entries) {
    CommandText command{sub->get_name(), sub->get_description(), {}, examples};
    for (const CLI::Option* option : sub->get_options())
      command.options.push_back(option_text(*option));
    program.commands.push_back(std::move(command));
  }
  return program;
}

// All of --help, or of a command, and whatever else is about these words.
ExitCode print_help(const CLI::App& app, const std::vector<CommandEntry>& entries,
                    const std::vector<std::string>& words) {
  using namespace surveybridge::daemon;
  if (words.empty()) {  // app.help() would be that of `help`
    std::cout << app.get_formatter()->make_help(&app, "surveybridge", CLI::AppFormatMode::Normal);
    return kDone;
  }
  const auto about = help_about(words, program_text(app, entries));
  if (about.empty()) {
    report_error(fmt::format("help: nothing is about \"{}\". See surveybridge --help",
                             fmt::join(words, " ")));
    return kUsage;
  }
  for (const auto& entry : entries)
    if (words == std::vector{entry.app->get_name()})
      std::cout << entry.app->help("surveybridge") << "\n";
  std::cout << about;
  return kDone;
}

int dispatch(const CLI::App& app, const std::vector<CommandEntry>& entries, Invocation& invocation,
             char** argv) {
  for (const auto& entry : entries) {
    if (!entry.app->parsed()) continue;
    if (!entry.command) return print_help(app, entries, invocation.names);
    if (entry.app->get_name() == "init" && surveybridge::daemon::is_begun_by_sudo()) {
      surveybridge::daemon::report_error("init: only root makes a configuration of the service");
      return surveybridge::daemon::kUsage;
    }
    // It may write a file that the service account only reads, and takes its rights for the trials.
    if (entry.app->get_name() == "init") return entry.command(invocation);
    // Before the change of user, which hides the person.
    invocation.decided_by =
        surveybridge::daemon::operator_name(surveybridge::daemon::operator_facts());
    if (const auto problem = surveybridge::daemon::enter_service_account(invocation.config, argv)) {
      surveybridge::daemon::report_error(*problem);
      return surveybridge::daemon::kConfiguration;
    }
    return entry.command(invocation);
  }
  surveybridge::daemon::report_error("which command? See surveybridge --help");
  return surveybridge::daemon::kUsage;
}

// What may stand where the command line has a word that nobody knows.
std::vector<std::string> known_words(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const CLI::App& here = chosen.empty() ? app : *chosen.front();
  std::vector<std::string> words;
  for (const CLI::App* sub : here.get_subcommands({}))
    words.push_back(sub->get_name());
  for (const CLI::Option* option : here.get_options())
    words.push_back(option->get_name());
  return words;
}

// A sentence, and where the right form is described.
void report_usage(const CLI::App& app, const std::string& what) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
  surveybridge::daemon::report_error(what + ". See surveybridge " + command + "--help");
}

ExitCode report_unknown(const CLI::App& app) {
  using namespace surveybridge::daemon;
  const bool no_command = app.get_subcommands().empty();
  for (const std::string& word : app.remaining(true)) {
    report_usage(app, "there is no \"" + word + "\"" + did_you_mean(word, known_words(app)));
    if (no_command) break;  // the others belong to it
  }
  return kUsage;
}

// Is standard output a pipe that nobody reads any more, as in `surveybridge verify | head`?
bool reader_has_gone() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

// Writes what is still to be written. The exit code: this one, or that a person is needed where
// not all could be written, which is reported unless the reader has gone.
int handed_over(int code) {
  const bool whole = std::cout.flush().good() && std::fflush(stdout) == 0;
  if (whole && std::ferror(stdout) == 0) return code;
  if (!reader_has_gone())
    surveybridge::daemon::report_error("the result could not be written to standard output");
  return code == surveybridge::daemon::kDone ? surveybridge::daemon::kNeedsPerson : code;
}

int run(int argc, char** argv) {
  CLI::App app{
      "Between a company's CRM database and its survey service: transactions go out as "
      "invitations, each exactly once; answers come back."};
  Invocation invocation;
  InitOptions init;
  const auto entries = surveybridge::daemon::describe(app, invocation, init);
  std::string folder;
  const CLI::App* manual =
      app.add_subcommand("manual", "Writes manual pages and completions")->group("");
  app.get_subcommand("manual")->add_option("folder", folder)->required();
  try {
    app.parse(argc, argv);
    if (manual->parsed() && !surveybridge::daemon::is_begun_by_sudo())
      return surveybridge::daemon::write_manual(program_text(app, entries), folder);
    return dispatch(app, entries, invocation, argv);
  } catch (const CLI::ExtrasError&) {
    return report_unknown(app);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      app.exit(error);
      return surveybridge::daemon::kDone;
    }
    report_usage(app, error.what());
    return surveybridge::daemon::kUsage;
  } catch (const std::exception& error) {
    if (!reader_has_gone()) surveybridge::daemon::report_error(error.what());
    return surveybridge::daemon::kNeedsPerson;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return handed_over(run(argc, argv));
  } catch (...) {
    std::fputs("surveybridge: could not even say what is wrong\n", stderr);
    return surveybridge::daemon::kNeedsPerson;
  }
}
