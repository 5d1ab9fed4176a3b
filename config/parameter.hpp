// The parameters of the list operations as data (docs/SERVICE.md 4.2 to 4.4): what a
// pull may ask for. The check of a filter, the reference page and the coverage test walk it. Pure.
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
  paging,  // Cursor and Limit: whoever turns the pages sets them
};

struct Parameter {
  std::string_view name;
  ParameterType type;
};
// In the order of docs/SERVICE.md.
std::span<const Parameter> parameters_of(Pull::List list);

// The dates that a list can be walked by: its date filters without "Filter". The first is the one
// that a pull takes unless it says otherwise.
const std::vector<std::string>& dates_of(Pull::List list);

// Says the parameter what a row holds, not which rows are listed?
bool shapes_rows(std::string_view parameter);

}  // namespace surveybridge::config
