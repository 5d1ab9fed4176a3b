// What a survey report is made of: counts and texts as the database has them, without any figure
// worked out. Texts may be anything that a database can hold. And the report in its forms, which
// show the same tables. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/report/report_reading.hpp"

namespace surveybridge::daemon {

using ReportQuestion = crm::ScoredQuestion;
using QuestionKind = ReportQuestion::Kind;
using crm::Funnel;
// Of a period, named by its first day, or of a segment, named by its value. The scores are in the
// order of the questions.
using ReportLine = crm::CountedLine;
using ReasonCount = crm::ReportReading::Reason;
using BounceCount = crm::ReportReading::Bounces;  // the domain of the address, never the address
using Contact = crm::ReportReading::Contacts;     // customers who asked to be contacted
using AnswerTime = crm::ReportReading::AnswerTime;
using ReportText = crm::ReportReading::Text;

// A push whose brake holds.
struct HeldPush {
  std::string push, reason;
  std::optional<std::int64_t> rows = {};  // that wait and the ledger does not know; empty: unknown
};

struct ReportLink {
  std::string text, href;
  bool current = false;  // it leads to this report
};

struct LinkGroup {
  std::string title;
  std::vector<ReportLink> links;
};

struct SurveyReport {
  std::string push;                        // empty: all
  std::vector<std::string> together = {};  // pushes that no line tells apart, where several are
  std::string from, to;                    // days, YYYY-MM-DD; `to` is included
  std::string made_at, time_zone;
  std::string period = "week";   // or "month"
  std::int64_t least = 10;       // a score from fewer answers is not shown
  std::int64_t answer_days = 0;  // an invitation is due when it is this many days old
  std::vector<ReportQuestion> questions;
  ReportLine total;
  ReportLine before;                // the time of equal length just before; name: "DAY to DAY"
  std::vector<ReportLine> periods;  // in the order of time
  std::string segment;              // what the segments are by; empty: there are none
  std::vector<ReportLine> segments;
  // Asked for as `segment`, and left out: the tables still have the segments of another
  // configuration. Empty: nothing was.
  std::string stale_segment = {};
  std::vector<ReasonCount> suppressed, quarantined;
  std::vector<ReasonCount> not_invited;  // by the service's status
  std::vector<BounceCount> bounces;
  std::vector<HeldPush> held;  // now, whatever time the report is of
  Contact contact;
  AnswerTime answer_time;
  bool with_texts = false;        // without it `texts` are not shown
  std::vector<ReportText> texts;  // of detractors first, then the latest
  std::int64_t encrypted = 0;     // answers whose text is not among them, because it is encrypted
  std::vector<LinkGroup> links;   // empty: the page has no navigation
};

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
