// The bridge's own tables for reports, as data, and what they and the views hold, in words: the
// comments in the database and the lists of docs/REPORTS.md. Pure.
#pragma once

#include <string>
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
const Table& question_text_table();

std::vector<const Table*> report_tables();

// The same words are true of all these columns. Their type, and whether each is NOT NULL, count in
// tables only.
struct ColumnWords {
  std::vector<std::string> columns;
  std::string words;
  ColumnType type = ColumnType::text;
  bool required = false;
};

struct TableWords {
  std::string name;
  std::string words;                 // "one row for each …"
  std::vector<ColumnWords> columns;  // in the order of the table
  std::size_t key_size = 1;          // of a table
};

// Columns that are made of data columns and questions are not among them.
const std::vector<TableWords>& view_words();
const std::vector<TableWords>& table_words();

}  // namespace surveybridge::crm
