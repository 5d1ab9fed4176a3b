// The parameters of the list operations as data (docs/SERVICE.md 4.2 to 4.4). The check of a
// filter, the reference page and the coverage test use them. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"

namespace surveybridge::config {

enum class ParameterType {
  date_filter,
  data_filters,
  answer_filters,
  boolean,
  integers,
  texts,
  review_status,
  paging,  // Cursor and Limit: set by the code that reads the pages
};

struct Parameter {
  std::string_view name;
  ParameterType type;
};
// In the order of docs/SERVICE.md.
std::span<const Parameter> parameters_of(Pull::List list);

// The dates by which a list can be walked: its date filters without "Filter". The first is the
// default.
const std::vector<std::string>& dates_of(Pull::List list);

// Does the parameter change the content of a row, instead of selecting rows?
bool shapes_rows(std::string_view parameter);

}  // namespace surveybridge::config
