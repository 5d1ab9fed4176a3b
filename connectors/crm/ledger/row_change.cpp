#include "connectors/crm/ledger/row_change.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/ledger_words.hpp"

namespace surveybridge::crm {
namespace {

std::string_view states(From from) {
  switch (from) {
    case From::claimed_or_doubt:
      return "('claimed', 'in_doubt')";
    case From::doubt:
      return "('in_doubt')";
    case From::claimed:
      return "('claimed')";
    case From::quarantine:
      return "('quarantined')";
    case From::quarantine_or_suppression:
      return "('quarantined', 'suppressed')";
    case From::suppression:
      return "('suppressed')";
    case From::held:
      return "('held')";
    case From::held_or_doubt:
      return "('held', 'in_doubt')";
    case From::unsent:
      return "('pending', 'quarantined', 'held')";
    case From::sent:
    case From::marked_sent:
      return "('sent')";
  }
  throw std::logic_error("a row can move from nowhere");
}

// The statement of one row, or of all rows at once. A value stands in it as often as its name.
class Composed {
 public:
  Composed(const RowChange& change, std::optional<std::size_t> row) : change_(change), row_(row) {
    const std::string_view sql = change.sql;
    std::size_t at = 0;
    while (true) {
      const auto dollar = std::min(sql.find('$', at), sql.size());
      pattern_ += sql.substr(at, dollar - at);
      if (dollar == sql.size()) return;
      at = std::min(sql.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", dollar + 1), sql.size());
      add_named(std::string(sql.substr(dollar + 1, at - dollar - 1)));
    }
  }

  // `before` and `behind` enclose it.
  Statement statement(Dialect dialect, const std::string& before = "",
                      const std::string& behind = "") && {
    return {in_dialect(dialect, before + pattern_ + behind), std::move(parameters_)};
  }

 private:
  void add_named(const std::string& name) {
    if (name == "rows") return add_rows();
    if (const auto same = change_.same.find(name); same != change_.same.end())
      return add_value(same->second.type, same->second.value);
    const auto each = std::ranges::find(change_.each, name, &RowChange::Each::name);
    if (each == change_.each.end()) throw std::logic_error("a change has no value " + name);
    if (row_)
      add_value(each->type, each->values.at(*row_));
    else
      pattern_ += "r.\"" + name + "\"";
  }

  void add_value(const std::string& type, Value value) {
    pattern_ += "{" + type + "}";
    parameters_.push_back(std::move(value));
  }

  void add_rows() {
    if (row_) return;
    std::string names;
    for (const auto& each : change_.each) {
      pattern_ += names.empty() ? " FROM unnest(" : ", ";
      names += (names.empty() ? "\"" : ", \"") + each.name + "\"";
      add_value(each.type + "[]", array_literal(each.values));
    }
    pattern_ += ") AS r(" + names + ")";
  }

  const RowChange& change_;
  std::optional<std::size_t> row_;
  std::string pattern_;
  std::vector<Value> parameters_;
};

}  // namespace

std::string is_from(From from, std::string_view table) {
  const std::string of(table);
  std::string condition = of + R"("state" IN )" + std::string(states(from));
  if (from == From::marked_sent)
    condition += " AND " + of + R"("customer_id" IS NULL AND )" + of + R"("reason" LIKE ')" +
                 std::string(kMarkedSent) +
                 R"(%' AND NOT EXISTS (SELECT 1 FROM "survey_batch" b WHERE b."id" = )" + of +
                 R"("batch" AND b."outcome" = 'accepted'))";
  return condition;
}

void RowChange::add(std::vector<Value> row) {
  for (std::size_t i = 0; i < each.size(); ++i)
    each[i].values.push_back(std::move(row.at(i)));
}

std::set<std::string> change_rows(Database& database, const RowChange& change) {
  const auto& keys = change.each.front().values;
  std::set<std::string> changed;
  if (keys.empty()) return changed;
  const Dialect dialect = database.dialect();
  if (!traits(dialect).takes_arrays) {
    for (std::size_t row = 0; row < keys.size(); ++row) {
      if (database.execute(Composed(change, row).statement(dialect)) > 0)
        changed.insert(text_in(keys[row]));
    }
    return changed;
  }
  // As a query: a data-changing statement that returns no row is an error to some ODBC managers.
  const Statement all =
      Composed(change, std::nullopt)
          .statement(dialect, "WITH moved AS (", R"( RETURNING t."key") SELECT "key" FROM moved)");
  return text_set_in(database.query(all).rows);
}

}  // namespace surveybridge::crm
