#include "connectors/crm/source/blocklist.hpp"

#include <algorithm>

#include "config/text.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/source/source_sql.hpp"

namespace surveybridge::crm {
namespace {

// Each stands in the statement twice, and old SQLite takes 999 parameters.
constexpr std::size_t kAddressesAtOnce = 200;

// Compared by the database's own letters, whatever it calls small ones.
std::string compared(Dialect dialect, const std::string& text) {
  return "LOWER(LTRIM(RTRIM(" + traits(dialect).comparable(text) + ")))";
}

std::string parameter(Dialect dialect, std::size_t number) {
  return compared(dialect, ":p" + std::to_string(number));
}

// One row with a cell for each of `count` addresses: 1 where the query names it. Parameters: the
// addresses, twice. The list is read once, and each of its addresses is looked for among the few
// of ours; only those found are compared one by one.
std::string named_by(Dialect dialect, const std::string& query, const std::string& column,
                     std::size_t count) {
  std::string cells, asked;
  for (std::size_t i = 1; i <= count; ++i) {
    const std::string comma = i == 1 ? "" : ", ";
    cells += comma + "MAX(CASE WHEN a.address = " + parameter(dialect, i) + " THEN 1 ELSE 0 END)";
    asked += comma + parameter(dialect, count + i);
  }
  return "SELECT " + cells + " FROM (SELECT " + compared(dialect, "q." + quoted(dialect, column)) +
         " AS address FROM (\n" + without_end(query) + "\n) AS q) AS a WHERE a.address IN (" +
         asked + ")";
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
    run.insert(run.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    const std::string sql = named_by(dialect, query, columns.front().name, count);
    const auto cells = database.query({sql, std::move(run)}).rows.at(0);
    for (std::size_t i = 0; i < count; ++i)
      if (!mapping::is_null(cells.at(i)) && integer_in(cells.at(i)) != 0)
        found.insert(config::lower_case(addresses.at(first + i)));
  }
  return found;
}

}  // namespace surveybridge::crm
