// `report`: what the answers say, as a table in the terminal, CSV files, JSON or a page.
#include <filesystem>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "connectors/crm/report/report_reading.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/new_file.hpp"
#include "daemon/report/gather.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kUsualWidth = 100, kLeastWidth = 40;

// Columns of the terminal; where there is none, the usual number.
int terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
    return kUsualWidth;
  return size.ws_col < kLeastWidth ? kUsualWidth : size.ws_col;
}

// Answers are people's: nobody else reads the file. "-": standard output.
bool write_file(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text;
    return true;
  }
  if (!write_new_file({path, text, 0600}, true)) return true;
  report_error("\"" + path + "\" cannot be written; the program runs with the rights of the " +
               "service's account: write to standard output with \"-\", and redirect it");
  return false;
}

// A folder that is not there is made, but not those above it: there a typing error is more likely.
bool make_folder(const std::string& folder) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return true;
  if (std::filesystem::create_directory(folder, error)) {
    std::cerr << "made the folder \"" << one_line(folder) << "\"\n";
    return true;
  }
  report_error("the folder \"" + folder + "\" cannot be made: " + error.message());
  return false;
}

bool write_csv(const std::string& folder, const SurveyReport& report) {
  if (!make_folder(folder)) return false;
  for (const auto& [name, text] : report_csv(report)) {
    if (!write_file(folder + "/" + name, text)) return false;
  }
  return true;
}

bool write_report(const Invocation& invocation, const SurveyReport& report) {
  bool written = false, well = true;
  if (!invocation.html.empty()) {
    well = write_file(invocation.html, report_html(report)) && well;
    written = true;
  }
  if (!invocation.csv.empty()) {
    well = write_csv(invocation.csv, report) && well;
    written = true;
  }
  if (invocation.json) std::cout << report_json(report) << '\n';
  if (!written && !invocation.json) std::cout << report_text(report, terminal_width());
  return well;
}

}  // namespace

ExitCode command_report(const Invocation& invocation) {
  return with_context(invocation, [&](const CommandContext& command) {
    const auto database = command.looking.open_database();
    crm::refuse_tables(*database);
    if (!crm::has_report_tables(*database)) {
      report_error(
          "the database has no tables or views for reports yet: a running daemon with "
          "[pull.customers] makes them, or `surveybridge sync pull`, also after a move");
      return kNeedsPerson;
    }
    auto gathered =
        gather_report(*database, command.settings, invocation.report, crm_to_read(command.looking));
    if (const auto* refused = std::get_if<ReportRefused>(&gathered)) {
      for (const auto& problem : *refused)
        report_error(problem);
      return kUsage;
    }
    return write_report(invocation, std::get<SurveyReport>(gathered)) ? kDone : kNeedsPerson;
  });
}

}  // namespace surveybridge::daemon
