// The bridge's own tables for reports, as data (docs/REPORTS.md). Pure.
#pragma once

#include <vector>

#include "connectors/crm/dialect/ddl.hpp"

namespace surveybridge::crm {

// What reports show of each customer. It gets more columns: one for each question with a score.
const Table& invitation_table();
const Table& history_table();  // the same columns more
const Table& bounce_table();
const Table& rating_match_table();
const Table& question_table();
const Table& report_column_table();
const Table& report_state_table();

std::vector<const Table*> report_tables();

}  // namespace surveybridge::crm
