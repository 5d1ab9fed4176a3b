// The columns of the views that are made of data columns and questions: found, named and kept in
// survey_report_column, and the columns of survey_invitation that hold scores.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/report_shape.hpp"
#include "mapping/interface/data_column.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::crm {

ReportColumns stored_report_columns(Database& database);

// A column that is wanted: the first of the names that can be one is taken.
struct WantedColumn {
  ReportColumn::Kind kind;
  std::int64_t source = 0, occurrence = 1;
  std::vector<std::string> names;
};

// What these customers need and `known` lacks: data columns of the service, and questions that
// somebody has answered. A question's label is its first name.
std::vector<WantedColumn> columns_needed(const ReportShape& shape, const ReportColumns& known,
                                         const std::vector<mapping::DataColumn>& data_columns,
                                         std::span<const mapping::Record> customers);

// Those that the views show: without hidden data columns.
ReportColumns shown_columns(const ReportShape& shape, const ReportColumns& columns,
                            const std::vector<mapping::DataColumn>& data_columns);

// Adds columns in a transaction of its own, at most kReportColumns in all. Another instance may
// have added them: the stored ones are returned. DatabaseError where the tables may not be changed.
ReportColumns add_report_columns(Database& database, const std::vector<WantedColumn>& wanted);
constexpr std::size_t kReportColumns = 600;

}  // namespace surveybridge::crm
