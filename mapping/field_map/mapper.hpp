// Rows of a CRM query become customers to import, or a reason each (docs/SERVICE.md 2.2). Pure.
// Made once from the field map, the query's columns and the service's data columns; everything
// that can be wrong with the map itself is found then.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "config/problem.hpp"
#include "config/settings.hpp"
#include "mapping/field_map/batch.hpp"
#include "mapping/field_map/data_columns.hpp"
#include "mapping/field_map/file_reader.hpp"
#include "mapping/field_map/row.hpp"
#include "mapping/field_map/rule.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

using Mapped = std::variant<Record, Unmappable>;  // Record of import_customer()

class Mapper {
 public:
  // `columns` are the query's column names; `data_columns` empty means: not known (offline), then
  // Data names are not resolved and go out as Name. Zones are IANA names: where local times of the
  // CRM live. `read_file` is for columns that name files; without it their rows cannot be mapped.
  // On problems nothing is made; each names its line in the configuration.
  static std::variant<Mapper, std::vector<config::Problem>> make(
      const config::Push& push, const std::vector<std::string>& columns,
      const std::vector<DataColumn>& data_columns, const std::string& crm_zone,
      FileReader read_file = {});

  // One row. Never throws for what is in the row, only what `read_file` does. Empty text counts as
  // null. An object whose columns are all null is left out of its list: an answer that was not
  // given is no answer.
  Mapped map(const Row& row) const;

 private:
  std::vector<Rule> rules_;
  std::vector<DataRule> data_;
  FileReader read_file_;
  std::size_t columns_ = 0;
};

}  // namespace surveybridge::mapping
