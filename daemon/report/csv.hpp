// A survey report as CSV (RFC 4180, UTF-8) for spreadsheets and programs. Pure.
#pragma once

#include <map>
#include <string>

#include "daemon/report/report.hpp"

namespace surveybridge::daemon {

// File name -> its text. A text from the database that a spreadsheet could take for a formula
// begins with an apostrophe; numbers do not.
std::map<std::string, std::string> report_csv(const SurveyReport& report);

}  // namespace surveybridge::daemon
