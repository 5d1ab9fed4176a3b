#include "connectors/crm/blocklist.hpp"

#include "connectors/crm/arrays.hpp"
#include "connectors/crm/cells.hpp"
#include "connectors/crm/source_sql.hpp"
#include "connectors/crm/sql.hpp"

namespace surveybridge::crm {
namespace {

std::string lowered(Dialect dialect, const std::string& column) {
  const bool cast = dialect == Dialect::postgresql;  // citext and domains compare as they like
  return cast ? "LOWER(CAST(" + column + " AS text))" : "LOWER(" + column + ")";
}

std::string parameters(Dialect dialect, std::size_t count) {
  if (dialect == Dialect::postgresql) return " = ANY(CAST(:p1 AS text[]))";
  std::string list;
  for (std::size_t i = 1; i <= count; ++i)
    list += (i == 1 ? ":p" : ", :p") + std::to_string(i);
  return " IN (" + list + ")";
}

}  // namespace

std::string folded(std::string address) {
  for (auto& c : address) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return address;
}

std::set<std::string> listed(Database& database, const std::string& query,
                             const std::vector<std::string>& addresses) {
  const Dialect dialect = database.dialect();
  const auto columns = database.query(shape_of_query(dialect, query)).columns;
  if (columns.empty()) {
    throw DatabaseError(DatabaseError::Kind::other, "[suppress] query has no column");
  }
  const std::string column = lowered(dialect, "q." + quoted(dialect, columns.front().name));
  std::set<std::string> once;
  for (const auto& address : addresses)
    once.insert(folded(address));
  std::set<std::string> found;
  for (auto& run : runs_of(dialect, {once.begin(), once.end()})) {
    const std::string sql = "SELECT " + column + " FROM (" + without_end(query) + ") q WHERE " +
                            column + parameters(dialect, run.size());
    for (const auto& row : database.query({sql, std::move(run)}).rows)
      found.insert(folded(text_in(row.at(0))));
  }
  return found;
}

}  // namespace surveybridge::crm
