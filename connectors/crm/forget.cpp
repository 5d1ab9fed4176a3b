#include "connectors/crm/forget.hpp"

#include <set>

#include "connectors/crm/arrays.hpp"
#include "connectors/crm/blocklist.hpp"
#include "connectors/crm/cells.hpp"
#include "connectors/crm/page_store.hpp"
#include "connectors/crm/people.hpp"
#include "connectors/crm/sql.hpp"

namespace surveybridge::crm {
namespace {

std::vector<Value> first_cells(const Result& result) {
  std::vector<Value> cells;
  for (const auto& row : result.rows)
    cells.push_back(row.at(0));
  return cells;
}

std::int64_t erase_by_address(Database& database, const mapping::Resource& root,
                              const std::string& address) {
  const Dialect dialect = database.dialect();
  const auto found =
      database.query({"SELECT " + quoted(dialect, "id") + " FROM " + quoted(dialect, root.table) +
                          in_dialect(dialect, R"( WHERE LOWER("email") = {text})"),
                      {folded(address)}});
  return erase(database, root, first_cells(found));
}

// Keys of the person's transactions.
std::vector<Value> keys_of(Database& database, const std::string& person) {
  return first_cells(database.query(
      {in_dialect(database.dialect(), R"(SELECT "key" FROM "survey_push" WHERE "person" = {key})"),
       {person}}));
}

// A rating has no address; our key in its data says whose it is.
std::int64_t erase_ratings(Database& database, const std::vector<Value>& keys,
                           const std::vector<std::string>& correlates) {
  const Dialect dialect = database.dialect();
  std::set<std::string> labels;
  for (const auto& correlate : correlates)
    labels.merge(labels_of(database, correlate));
  const mapping::TableColumn value{"value", ColumnType::text};
  std::set<std::int64_t> ratings;
  for (auto& run : runs_of(dialect, keys)) {
    const std::string sql =
        in_dialect(dialect, R"(SELECT "rating_id", "display_name" FROM "survey_rating_data")") +
        " WHERE " + one_of(dialect, value, run.size());
    for (const auto& row : database.query({sql, std::move(run)}).rows) {
      if (labels.contains(folded(text_in(row.at(1))))) ratings.insert(integer_in(row.at(0)));
    }
  }
  return erase(database, mapping::rating(), {ratings.begin(), ratings.end()});
}

// A service's words may repeat what it was sent.
void erase_words(Database& database, const std::string& address) {
  const Dialect dialect = database.dialect();
  const std::string like = "%" + folded(address) + "%";
  for (const auto& [table, column] :
       {std::pair{"survey_push", "reason"}, std::pair{"survey_push_event", "detail"},
        std::pair{"survey_batch", "detail"}}) {
    const std::string name = quoted(dialect, column);
    database.execute({"UPDATE " + quoted(dialect, table) + " SET " + name + " = '(erased)'" +
                          " WHERE LOWER(" + name + ") LIKE " + in_dialect(dialect, "{text}"),
                      {like}});
  }
}

}  // namespace

std::set<std::string> labels_of(Database& database, const std::string& data_column) {
  if (data_column.empty()) return {};
  const Dialect dialect = database.dialect();
  std::set<std::string> labels = {folded(data_column)};
  const std::string sql =
      in_dialect(dialect, R"(SELECT "name", "display_name" FROM "survey_data_column")");
  for (const auto& row : database.query({sql, {}}).rows) {
    if (folded(text_in(row.at(0))) == folded(data_column))
      labels.insert(folded(text_in(row.at(1))));
  }
  return labels;
}

Erased forget(Database& database, const std::string& person, const std::string& address,
              const std::vector<std::string>& correlates) {
  Transaction transaction(database);
  const auto keys = keys_of(database, person);
  Erased erased;
  erased.customers = erase_by_address(database, mapping::customer(), address);
  erased.bouncers = erase_by_address(database, mapping::bouncer(), address);
  erased.ratings = erase_ratings(database, keys, correlates);
  erased.transactions = static_cast<std::int64_t>(keys.size());
  database.execute({in_dialect(database.dialect(),
                               R"(UPDATE "survey_push" SET "email" = NULL WHERE "person" = {key})"
                               R"( OR LOWER("email") = {text})"),
                    {person, folded(address)}});
  erase_words(database, address);
  People(database).note({{person, FactKind::forgotten, "forget", database.now()}});
  transaction.commit();
  return erased;
}

}  // namespace surveybridge::crm
