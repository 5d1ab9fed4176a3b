// What the tables and views for reports are made by: the configuration, and the columns of the
// views that the service's data columns and questions have become. These are found, named and kept
// in survey_report_column; scores have columns in survey_invitation, too.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/data_column.hpp"
#include "mapping/interface/record.hpp"
#include "mapping/tables/tables.hpp"

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
  // The name of a column that is wanted is the first of these that can be one.
  std::vector<std::string> names = {};
};
using ReportColumns = std::vector<ReportColumn>;  // in the order of positions

// The column of survey_invitation that holds a question's score: "score_1200", "score_1200_2".
std::string score_column(std::int64_t question, std::int64_t occurrence);
std::vector<std::string> score_columns(const ReportColumns& columns);
// Those that a table of scores lacks; and adds them, within a ShapeChange.
std::vector<std::string> lacking_scores(Database& database, const mapping::Table& table,
                                        const ReportColumns& columns);
void add_scores(Database& database, const mapping::Table& table, const ReportColumns& columns);

ReportColumns stored_report_columns(Database& database);

// What these customers need and `known` lacks: data columns of the service, and questions that
// somebody has answered. A question's label is its first name.
ReportColumns columns_needed(const ReportShape& shape, const ReportColumns& known,
                             const std::vector<mapping::DataColumn>& data_columns,
                             std::span<const mapping::Record> customers);

// Those that the views show: without hidden data columns.
ReportColumns shown_columns(const ReportShape& shape, ReportColumns columns,
                            const std::vector<mapping::DataColumn>& data_columns);

// Adds columns in a transaction of its own, at most kReportColumns in all. Another instance may
// have added them: the stored ones are returned. DatabaseError where the tables may not be changed.
ReportColumns add_report_columns(Database& database, const ReportColumns& wanted);
constexpr std::size_t kReportColumns = 600;

}  // namespace surveybridge::crm
