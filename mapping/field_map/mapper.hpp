// Rows of a CRM query become customers to import, or a reason each (docs/SERVICE.md 2.2). Pure.
// Made once from the field map, the query's columns and the service's data columns; every error of
// the map is found then.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/problem.hpp"
#include "config/settings.hpp"
#include "mapping/field_map/batch.hpp"
#include "mapping/field_map/rule.hpp"
#include "mapping/interface/data_column.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

using Mapped = std::variant<Record, Unmappable>;  // Record of import_customer()

class Mapper {
 public:
  // `columns` are the query's columns. Empty `data_columns`: not known (offline); then the names in
  // Data are sent as Name. Zones are IANA names, for local times of the CRM. `read_file` is for
  // columns that name files; without it such rows cannot be mapped. With problems no mapper is
  // made; each problem has its line in the configuration.
  static std::variant<Mapper, std::vector<config::Problem>> make(
      const config::Push& push, const std::vector<std::string>& columns,
      const std::vector<DataColumn>& data_columns, const std::string& crm_zone,
      FileReader read_file = {});

  // Maps one row. The content of a row never makes it throw; `read_file` may. Empty
  // text counts as null. An object whose columns are all null is left out of its
  // list.
  Mapped map(const Row& row) const;

  // The cells of a row that map() reads, in the order of the map: while they stay the same, so does
  // what map() says, but for files that they name.
  std::vector<Value> read_cells(const Row& row) const;
  // The name of the column by which the push's quota counts, and its cell; empty: it has none.
  std::optional<std::array<Value, 2>> quota_cell(const Row& row) const;

 private:
  std::vector<Rule> rules_;
  std::vector<DataRule> data_;
  FileReader read_file_;
  std::size_t columns_ = 0;
  std::vector<std::size_t> read_;     // columns of read_cells()
  std::optional<std::size_t> quota_;  // the column of quota_cell()
  std::string quota_column_;
};

}  // namespace surveybridge::mapping
