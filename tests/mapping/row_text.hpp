// Rows and data columns as the mapping cases write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mapping/field_map/mapper.hpp"

namespace surveybridge::mapping {

struct RowText {
  std::vector<std::string> columns;
  Row row;  // its key is the text of the column "id"
};

// Lines "column: type: value", types null, boolean, integer, decimal, text, instant, local, bytes.
// Text knows \r \n \t \\ and \xNN; bytes are hexadecimal. std::invalid_argument for a bad line.
RowText read_row(std::string_view text);

// Lines "id: name: display name: flags"; the flags are required and archived.
std::vector<DataColumn> read_data_columns(std::string_view text);

}  // namespace surveybridge::mapping
