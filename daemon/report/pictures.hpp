// The pictures of a survey report, each the figures of one table. Pure. Each also reads in black
// and white: meanings have a pattern, a dash or a word. Empty: there is nothing to draw.
#pragma once

#include <string>

#include "daemon/report/tables.hpp"

namespace surveybridge::daemon {

inline constexpr std::size_t kPictureSegments = 30;

// Bars from the transactions to the finished surveys.
std::string funnel_picture(const ReportTable& steps);
// A measure over the periods: a line with the band of its intervals; a gap where it is not shown.
std::string time_picture(const ReportTable& periods);
// Dots with whiskers, one for each of the largest segments.
std::string segment_picture(const ReportTable& segments);
// Bars of the answers to a question.
std::string spread_picture(const ReportTable& spread);

// "2026-09-07" as the label of an axis: "7 Sep", or with its year. Another text: cut.
std::string day_label(const std::string& day, bool year);

}  // namespace surveybridge::daemon
