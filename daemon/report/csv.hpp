// A survey report as CSV (RFC 4180, UTF-8) for spreadsheets and programs. Pure.
#pragma once

#include <map>
#include <string>

#include "daemon/report/report.hpp"

namespace surveybridge::daemon {

// File name -> its text. An apostrophe stands before what a spreadsheet could take for the
// beginning of a formula, whatever separator it takes; numbers have none.
std::map<std::string, std::string> report_csv(const SurveyReport& report);

}  // namespace surveybridge::daemon
