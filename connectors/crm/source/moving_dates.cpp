#include "connectors/crm/source/moving_dates.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "config/text.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/source/query_words.hpp"

namespace surveybridge::crm {
namespace {

// Names without what only says that they are of a date.
constexpr std::string_view kMoving[] = {
    "updated",      "update",       "upd",     "lastupdated",   "lastupdate", "modified",
    "modification", "lastmodified", "changed", "lastchanged",   "lastchange", "lastactivity",
    "lastseen",     "write",        "tms",     "systemmodstamp"};
constexpr std::string_view kOfADate[] = {"at", "on", "date", "time", "gmt", "utc"};

}  // namespace

bool is_called_moving(const std::string& column) {
  std::string name = config::lower_case(column);
  std::erase_if(name, [](char c) { return c == '_' || c == ' ' || c == '-'; });
  if (name.starts_with("date")) name.erase(0, std::string_view("date").size());
  while (std::ranges::find(kMoving, name) == std::end(kMoving)) {
    const auto end =
        std::ranges::find_if(kOfADate, [&](std::string_view word) { return name.ends_with(word); });
    if (end == std::end(kOfADate)) return false;
    name.resize(name.size() - end->size());
  }
  return true;
}

std::vector<MovingDate> moving_dates(Database& database, const std::string& query) {
  const std::string_view select = traits(database.dialect()).moving_dates;
  if (select.empty()) return {};
  const auto words = words_of_query(query);
  std::vector<MovingDate> all;
  for (const auto& row : database.query({std::string(select), {}}).rows)
    if (words.contains(config::lower_case(text_in(row.at(0)))))
      all.push_back({text_in(row.at(0)), text_in(row.at(1))});
  return all;
}

}  // namespace surveybridge::crm
