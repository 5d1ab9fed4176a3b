// Which rows of the CRM a write-back with `insert = true` has made (table survey_made_row): by the
// cells that they were to match, as a hash, and by their primary key. A row that the CRM has made
// anew in the place of one is another one.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/pulled/write_back.hpp"

namespace surveybridge::crm {

class MadeRows {
 public:
  explicit MadeRows(Database& store) : store_(store) {}

  void note(const std::string& list, const CompiledWrite& write, const std::vector<MadeRow>& made,
            Instant now);
  // Those that the write has made for these rows.
  std::vector<MadeRow> of(const CompiledWrite& write, const std::vector<WriteRow>& rows);
  void remove(const CompiledWrite& write, const std::vector<MadeRow>& made);

 private:
  Database& store_;
};

}  // namespace surveybridge::crm
