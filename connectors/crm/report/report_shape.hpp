// What the tables and views for reports are made by: the configuration, and the columns that the
// service's data columns and questions have become. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/settings.hpp"

namespace surveybridge::crm {

struct ReportShape {
  struct Correlate {
    std::string push, column;  // the data column that carries the push's keys
  };
  std::vector<Correlate> correlates;
  config::Report report;
  std::string time_zone = "UTC";  // days are those of this zone
};

ReportShape report_shape(const config::Settings& settings);

// A column of survey_report_customer that is made of a data column or of a question. Its name
// stays, whatever becomes of the service's names.
struct ReportColumn {
  std::int64_t position = 0;  // order of appearance, from 1
  std::string name;
  enum class Kind { data, score, text } kind = Kind::data;
  std::int64_t source = 0;      // id of the data column or question
  std::int64_t occurrence = 1;  // of a repeated question
  bool operator==(const ReportColumn&) const = default;
};
using ReportColumns = std::vector<ReportColumn>;  // in the order of positions

// The column of survey_invitation that holds a question's score: "score_1200", "score_1200_2".
std::string score_column(std::int64_t question, std::int64_t occurrence);

}  // namespace surveybridge::crm
