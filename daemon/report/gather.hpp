// Fills a survey report from the database.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/report/report.hpp"

namespace surveybridge::daemon {

// Opens the CRM's database, where it is another one than the store. Empty: it is the store.
using OpenCrm = std::function<std::unique_ptr<crm::Database>()>;
// To read it. It owns what it uses.
OpenCrm crm_to_read(const Environment& environment);

// What somebody asks for; a text that is empty was not said.
struct ReportAsked {
  std::string from = {}, to = {};  // days, YYYY-MM-DD; without them twelve weeks up to today
  std::string push = {};           // all pushes
  // A segment, "push" or "language", or two of them with a comma; without it the first segment.
  std::string by = {};
  std::string period = {};  // "week", "month"; without it months from 26 weeks on
  bool texts = false;
  std::string word = {};  // only texts with it
};

// Every problem of what was asked, as one sentence.
using ReportRefused = std::vector<std::string>;

// The days that were asked for.
struct ReportDays {
  std::string from, to;
  std::string before_from, before_to;  // as many days just before
  bool months = false;
};
// `week_starts`: without a first day the report begins with a whole week.
std::variant<ReportDays, ReportRefused> days_of(
    const ReportAsked& asked, const std::string& today,
    config::Report::Day week_starts = config::Report::Day::monday);

// DatabaseError where the database does not answer, or was never used by the bridge. The CRM's
// database is opened only where the brake holds rows there.
std::variant<SurveyReport, ReportRefused> gather_report(crm::Database& database,
                                                        const config::Settings& settings,
                                                        const ReportAsked& asked,
                                                        const OpenCrm& open_crm);

}  // namespace surveybridge::daemon
