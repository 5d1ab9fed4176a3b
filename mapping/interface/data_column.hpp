// Finds the data column of the service for a name (docs/SERVICE.md 2.3). The field map, the
// read-back, the filters and the ledger all use it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

// A data column as the service lists it.
struct DataColumn {
  std::int64_t id = 0;  // 0: not known
  std::string name;
  std::string display_name;
  bool required = false;
  bool archived = false;
  bool operator==(const DataColumn&) const = default;
};

// Records of data_column(). One without an id is left out.
std::vector<DataColumn> to_data_columns(const std::vector<Record>& records);

// Is `name` the column's name, display name or number? ASCII case does not count.
bool is_called(const DataColumn& column, std::string_view name);

// The column for `name`, or one sentence that says why there is none. An archived column often
// leaves its name to a new one: archived columns count only if no other fits. Several that fit are
// an error; their numbers distinguish them.
std::variant<DataColumn, std::string> find_column(std::string_view name,
                                                  const std::vector<DataColumn>& known);

// The column from its name alone, while the service's columns are not known.
DataColumn column_as_written(const std::string& name);

// The text that a record's Data holds in this column; empty: none. A rating's Data shows display
// names alone. An item that shows a number is
// recognised by it alone, because an archived column may have the same name.
std::string data_value(const Record& record, const DataColumn& column);

}  // namespace surveybridge::mapping
