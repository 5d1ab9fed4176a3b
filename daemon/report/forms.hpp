// A survey report in its forms, which show the same tables. Pure.
#pragma once

#include <map>
#include <string>

#include "daemon/report/report.hpp"

namespace surveybridge::daemon {

// For a terminal: plain characters without colour, columns aligned by the cells that their text
// takes. `width`: of the terminal; less than 72 counts as 72. Names are wrapped, never cut.
std::string report_text(const SurveyReport& report, int width);

// CSV (RFC 4180, UTF-8) for spreadsheets and programs: file name -> its text. An apostrophe stands
// before what a spreadsheet could take for the beginning of a formula, whatever separator it takes;
// numbers have none.
std::map<std::string, std::string> report_csv(const SurveyReport& report);

// One object: "scope", "verdict", "measures", "tables", "contact", "answer_time", "notes". Each row
// of a table has its fields as numbers (null: not shown) and texts, and under "shown" what people
// read.
std::string report_json(const SurveyReport& report);

// One HTML page that can be mailed, printed and served: without a script, and without a request to
// anywhere.
std::string report_html(const SurveyReport& report);

}  // namespace surveybridge::daemon
