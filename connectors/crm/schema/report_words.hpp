// What the tables and views for reports hold, in words: the comments in the database and the tables
// of docs/REPORTS.md. Pure.
#pragma once

#include <string>
#include <vector>

namespace surveybridge::crm {

struct ColumnWords {
  std::vector<std::string> columns;  // that the same words are true of
  std::string words;
};

struct TableWords {
  std::string name;
  std::string words;  // "one row for each …"
  std::vector<ColumnWords> columns;
};

// Columns that are made of data columns and questions are not among them.
const std::vector<TableWords>& view_words();
const std::vector<TableWords>& table_words();

}  // namespace surveybridge::crm
