#include "connectors/crm/erasure/prune.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {
namespace {

constexpr int kAtOnce = 500;

}  // namespace

std::int64_t prune(Database& database, const mapping::Resource& root, const std::string& field,
                   Instant before, std::int64_t most) {
  const Dialect dialect = database.dialect();
  const std::string at = "COALESCE(" + quoted(dialect, mapping::snake_case(field)) + ", " +
                         quoted(dialect, "changed_at") + ")";
  const std::string select =
      limited(dialect,
              "SELECT " + quoted(dialect, "id") + " FROM " + quoted(dialect, root.table) +
                  " WHERE " + at + in_dialect(dialect, R"( < {instant} ORDER BY "id")"),
              kAtOnce);
  std::int64_t removed = 0;
  while (removed < most) {
    Transaction transaction(database);
    std::vector<Value> keys;
    for (const auto& row : database.query({select, {before}}).rows)
      keys.push_back(row.at(0));
    if (keys.empty()) break;
    removed += erase(database, root, keys, Stays::who_was_told);
    transaction.commit();
  }
  return removed;
}

}  // namespace surveybridge::crm
