// A survey report as a shop's quarter gives it, made by arithmetic: the same at each call.
#pragma once

#include "daemon/report/report.hpp"

namespace sample {

// Twelve weeks, five branches, four questions, each kind once; texts, bounces, reasons and links.
surveybridge::daemon::SurveyReport quarter();
// The same with hostile and long names, 300 segments, and addresses where there should be none.
surveybridge::daemon::SurveyReport hostile_quarter();
// A report of nothing.
surveybridge::daemon::SurveyReport nothing();
// One customer, who answered each question.
surveybridge::daemon::SurveyReport one_customer();

}  // namespace sample
