// Which record has written each cell of the CRM by a write-back, and which rows were made (table
// survey_written). A row is known by the cells that it was to match, as a hash; one that was made
// also by its primary key: a row that the CRM has made anew in the place of one is another one.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/pulled/write_back.hpp"

namespace surveybridge::crm {

// The name of a list, and the keys of some of its records.
using RecordsOfLists = std::map<std::string, std::set<std::string>>;

class WrittenCells {
 public:
  explicit WrittenCells(Database& store) : store_(store) {}

  // Rows of records as one row for each match. Of two records of a match, in these rows or written
  // before, the value of the later one is written, by the date of the answer, else of the
  // invitation. A cell that a record has no value for is left alone, unless that record has written
  // it.
  std::vector<WriteRow> joined(const mapping::Resource& root, const CompiledWrite& write,
                               std::vector<WriteRow> rows);
  void note(const mapping::Resource& root, const CompiledWrite& write,
            const std::vector<WriteRow>& rows, const std::vector<MadeRow>& made);

  // What is erased of records: rows that were made and have no cell of another record, and of all
  // other rows the cells that these records have written.
  struct Theirs {
    std::vector<WriteRow> rows;
    std::vector<MadeRow> made;
  };
  // Of these rows, which the records match now.
  Theirs of(const RecordsOfLists& records, const CompiledWrite& write, std::vector<WriteRow> rows);
  void remove(const CompiledWrite& write, const std::vector<MadeRow>& made);

  // Matches of rows with cells of these records that `forget` is to empty, by table.
  std::map<std::string, std::set<std::string>> matches_of(const RecordsOfLists& records);
  // The match of a row; empty: one of its cells is no text.
  static std::string match_of(const CompiledWrite& write, const WriteRow& row);

 private:
  Database& store_;
};

}  // namespace surveybridge::crm
