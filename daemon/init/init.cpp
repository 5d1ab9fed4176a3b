#include "daemon/init/init.hpp"

#include <fstream>
#include <iostream>
#include <string_view>

#include <unistd.h>

#include "config/sections/load.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/embedded_files.hpp"
#include "daemon/commands/new_file.hpp"
#include "daemon/commands/service_account.hpp"
#include "daemon/init/dialogue.hpp"
#include "daemon/init/new_configuration.hpp"

namespace surveybridge::daemon {

namespace {

void report(const std::string& text) {
  report_error("init: " + text);
}

bool asks(const InitOptions& options) {
  return !options.yes && ::isatty(STDIN_FILENO) != 0;
}

// With the rights of the daemon where it is installed: what works here works there.
std::optional<NewSettings> ask_and_try(const InitOptions& options, ExitCode& code) {
  const ActingAsService service(options.file);
  if (!asks(options)) return ask_settings(options, nullptr, code);
  Dialogue dialogue(std::cin, std::cerr, set_terminal_echo);
  dialogue.say("A new configuration: " + options.file +
               ". Each answer is tried at once; nothing is sent to anybody.");
  return ask_settings(options, &dialogue, code);
}

// The secrets first: a configuration that is there refers to secrets that are there. The last file
// is the configuration.
std::optional<std::string> write_files(const std::vector<NewFile>& files, bool force,
                                       bool replaces_last) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool last = i + 1 == files.size();
    const auto fault = write_new_file(files[i], force || (last && replaces_last));
    if (!fault) continue;
    for (std::size_t j = 0; j < i && !force; ++j)
      ::unlink(files[j].path.c_str());
    return fault;
  }
  return std::nullopt;
}

// Who is mailed all the same.
std::string not_suppressed(const NewSettings& settings) {
  if (settings.knows_opt_outs)
    return "[suppress] has the opt-outs of " + settings.system.title +
           " alone: until you have made opted_out and bounced settings, too, people who have opted"
           " out at the service, and addresses that bounce, are mailed like all others.\n";
  return "[suppress] is still a comment in the file: until you have made it a setting, people who"
         " have opted out, and addresses that bounce, are mailed like all others.\n";
}

void say_what_follows(const InitOptions& options, const NewSettings& settings) {
  const std::string file = " -c " + options.file;
  std::cout
      << "\nNobody has been mailed, and no table was made. The bridge's own, survey_…, will be "
      << (settings.store ? "where [store] says"
                         : "in the CRM's database; a [store] puts them elsewhere")
      << ". What follows:\n"
      << "  surveybridge run" << file
      << "\n      the daemon; its first run sends nothing before you confirm the number\n"
      << "  surveybridge release " << settings.push << file
      << "\n      how many would be mailed; --confirm COUNT lets them go\n"
      << not_suppressed(settings);
}

// The last lines are those that are read.
void say_what_is_wrong(const InitOptions& options, const std::vector<std::string>& wrong) {
  std::cout << "\nNot ready: the file is written, and the daemon could not work with it yet.\n";
  for (const auto& problem : wrong)
    std::cout << "  " << problem << "\n";
  std::cout << "Nobody has been mailed, and no table was made. When this is mended:\n"
            << "  surveybridge check -c " << options.file
            << "\n      must end with \"ok\"; docs/GUIDE.md 3 says what follows\n";
}

// Every problem is told.
bool is_right(const std::string& configuration) {
  const auto problems = config::parse_in_parts(configuration, "new").problems;
  for (const config::Problem& problem : problems)
    report(problem.key + ": " + problem.rule);
  return problems.empty();
}

// By the commands themselves, as a person would call them. `wrong`: what `check` says.
ExitCode check_and_preview(const InitOptions& options, const std::string& push,
                           std::vector<std::string>& wrong) {
  Invocation invocation;
  invocation.config = options.file;
  if (::geteuid() == 0) {
    char* nothing[] = {nullptr};
    if (const auto problem = enter_service_account(options.file, nothing)) {
      report(*problem);
      wrong.push_back(*problem);
      return kConfiguration;
    }
  }
  const ExitCode checked = check_configuration(invocation, wrong);
  if (checked != kDone) return checked;
  invocation.names = {push};
  return command_preview(invocation);
}

// Is this file the package's, byte by byte? False if it cannot be read.
bool is_shipped_file(const std::string& path) {
  const std::string_view shipped = shipped_configuration().front().text;
  std::ifstream file(path, std::ios::binary);
  std::string text(shipped.size() + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  return std::string_view(text).substr(0, static_cast<std::size_t>(file.gcount())) == shipped;
}

}  // namespace

ExitCode command_init(const InitOptions& options) {
  const bool replaces = options.force || is_shipped_file(options.file);
  if (const auto fault = fault_of_new_file(options.file, replaces)) {
    report(*fault);
    return kUsage;
  }
  if (const auto problem = use_credentials_beside(options.file)) {
    report(*problem);
    return kConfiguration;
  }
  ExitCode code = kDone;
  std::optional<NewSettings> settings;
  try {
    settings = ask_and_try(options, code);
  } catch (const InputEnded& ended) {
    report_error(ended.what());
    return kUsage;
  }
  std::vector<NewFile> files;
  if (settings) {
    files = move_secrets_out(*settings, options.file);
    files.push_back({options.file, configuration_text(*settings), 0640});
    if (!is_right(files.back().text)) {
      settings.reset();
      code = kConfiguration;
    }
  }
  if (!settings) {
    report("no file was written");
    return code;
  }
  if (const auto fault = write_files(files, options.force, replaces)) {
    report(*fault);
    return kConfiguration;
  }
  for (const NewFile& file : files)
    std::cout << "written: " << file.path << "\n";
  if (!options.time_zone && !asks(options))
    std::cout << "the CRM's clock is taken to be in " << settings->time_zone << ", "
              << (settings->system.time_zone.empty() ? "the time zone of this machine"
                                                     : "as " + settings->system.title + " has it")
              << " (--time-zone sets another)\n";
  for (const std::string& note : settings->notes)
    std::cout << note << "\n";
  std::vector<std::string> wrong;
  const ExitCode done = check_and_preview(options, settings->push, wrong);
  if (wrong.empty() && (done == kDone || done == kNeedsPerson)) {
    say_what_follows(options, *settings);
  } else {
    say_what_is_wrong(options, wrong);
  }
  return done;
}

}  // namespace surveybridge::daemon
