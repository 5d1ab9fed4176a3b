#include "connectors/crm/source/blocklist.hpp"

#include <algorithm>

#include "config/text.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/source/source_sql.hpp"

namespace surveybridge::crm {
namespace {

// Few enough for what a database takes in one UNION.
constexpr std::size_t kAddressesAtOnce = 100;

// Both sides by the database's own letters, whatever it calls small ones.
std::string compared(Dialect dialect, const std::string& text) {
  return "LOWER(LTRIM(RTRIM(" + traits(dialect).comparable(text) + ")))";
}

// Numbers of those of `count` addresses, the statement's parameters, that the query names.
std::string named_by(Dialect dialect, const std::string& query, const std::string& column,
                     std::size_t count) {
  std::string asked;
  for (std::size_t i = 0; i < count; ++i) {
    asked += (i == 0 ? "SELECT " : " UNION ALL SELECT ") + std::to_string(i) +
             (i == 0 ? " AS i, {text} AS address" : ", {text}");
  }
  return in_dialect(dialect, "SELECT DISTINCT a.i FROM (" + asked + ") AS a JOIN (\n") +
         without_end(query) + "\n) AS q ON " + compared(dialect, "q." + quoted(dialect, column)) +
         " = " + compared(dialect, "a.address");
}

}  // namespace

std::set<std::string> listed(Database& database, const std::string& query,
                             const std::vector<std::string>& addresses) {
  const Dialect dialect = database.dialect();
  const auto columns = database.query(shape_of_query(dialect, query)).columns;
  if (columns.empty()) {
    throw DatabaseError(DatabaseError::Kind::other, "[suppress] query has no column");
  }
  std::set<std::string> found;
  for (std::size_t first = 0; first < addresses.size(); first += kAddressesAtOnce) {
    const std::size_t count = std::min(kAddressesAtOnce, addresses.size() - first);
    const auto begin = addresses.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<Value> run(begin, begin + static_cast<std::ptrdiff_t>(count));
    const std::string sql = named_by(dialect, query, columns.front().name, count);
    for (const auto& row : database.query({sql, std::move(run)}).rows)
      found.insert(config::lower_case(
          addresses.at(first + static_cast<std::size_t>(integer_in(row.at(0))))));
  }
  return found;
}

}  // namespace surveybridge::crm
