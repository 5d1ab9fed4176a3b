#include "connectors/crm/report/history_store.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "connectors/crm/dialect/ddl.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/shape_change.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "connectors/crm/schema/schema.hpp"

namespace surveybridge::crm {
namespace {

// What a row holds besides the scores.
constexpr std::array kStatus = {"stage", "bounced", "opted_out"};

std::set<std::string> columns_there(Database& database) {
  std::set<std::string> names;
  for (const auto& row :
       database.query({std::string(traits(database.dialect()).objects), {}}).rows) {
    if (text_in(row.at(0)) == history_table().name) names.insert(text_in(row.at(1)));
  }
  return names;
}

// A parameter that stands in a SELECT: there the database does not know its type.
std::string instant_parameter(Dialect dialect, std::size_t number) {
  const std::string parameter = ":p" + std::to_string(number);
  const std::string type(traits(dialect).instant_type);
  return type.empty() ? parameter : "CAST(" + parameter + " AS " + type + ")";
}

}  // namespace

std::string history_statement(Dialect dialect, const std::vector<std::string>& scores,
                              const mapping::TableColumn& by, std::size_t count, bool of_push) {
  std::vector<std::string> columns(kStatus.begin(), kStatus.end());
  columns.insert(columns.end(), scores.begin(), scores.end());
  std::string names, values, differs;
  for (const auto& column : columns) {
    const std::string name = quoted(dialect, column);
    names += ", " + name;
    values += ", i." + name;
    differs += " OR " + traits(dialect).differs("h." + name, "i." + name);
  }
  std::size_t parameters = traits(dialect).takes_arrays ? 1 : count;
  std::string condition = one_of(dialect, by, count);
  if (of_push)
    condition += " AND " + quoted(dialect, "push") + " = :p" + std::to_string(++parameters);
  return in_dialect(dialect, R"(INSERT INTO "survey_customer_history")"
                             R"( ("customer_id", "version", "seen_at")") +
         names +
         in_dialect(dialect, R"() SELECT i."customer_id", COALESCE(h."version", 0) + 1, t."at")") +
         values + in_dialect(dialect, R"( FROM (SELECT * FROM "survey_invitation" WHERE )") +
         condition + ") i CROSS JOIN (SELECT " + instant_parameter(dialect, ++parameters) +
         in_dialect(dialect, R"( AS "at")") + std::string(traits(dialect).from_nothing) +
         in_dialect(dialect, R"() t LEFT JOIN "survey_customer_history" h)"
                             R"( ON h."customer_id" = i."customer_id" AND h."version" =)"
                             R"( (SELECT MAX(m."version") FROM "survey_customer_history" m)"
                             R"( WHERE m."customer_id" = i."customer_id"))"
                             R"( WHERE h."customer_id" IS NULL)") +
         differs;
}

bool HistoryStore::has(const ReportColumns& columns) const {
  const auto scores = std::ranges::count(columns, ReportColumn::Kind::score, &ReportColumn::kind);
  return scores_.size() == static_cast<std::size_t>(scores);
}

void HistoryStore::prepare(Database& database, const ReportColumns& columns) {
  std::vector<std::string> scores;
  for (const auto& column : columns) {
    if (column.kind == ReportColumn::Kind::score)
      scores.push_back(score_column(column.source, column.occurrence));
  }
  if (scores == scores_) return;
  auto there = columns_there(database);
  const auto is_there = [&](const std::string& name) { return there.contains(name); };
  if (!std::ranges::all_of(scores, is_there)) {
    ShapeChange change(database);
    there = columns_there(database);
    for (const auto& name : scores) {
      if (is_there(name)) continue;
      database.execute(
          {add_column(database.dialect(), history_table(), {name, ColumnType::integer}), {}});
    }
    change.commit();
  }
  scores_ = std::move(scores);
}

void HistoryStore::note_run(Database& database, const mapping::TableColumn& by,
                            std::vector<Value> run, const std::string* push) const {
  const std::string sql =
      history_statement(database.dialect(), scores_, by, run.size(), push != nullptr);
  if (push) run.emplace_back(*push);
  run.emplace_back(database.now());
  database.execute({sql, std::move(run)});
}

void HistoryStore::note_new(Database& database, const Table& invitation,
                            const std::vector<std::vector<Value>>& rows) const {
  if (!kept_ || rows.empty()) return;
  Table table = history_table();
  for (const auto& name : scores_)
    table.columns.push_back({name, ColumnType::integer});
  std::vector<std::size_t> from;  // of each column after seen_at
  for (auto column = table.columns.begin() + 3; column != table.columns.end(); ++column) {
    const auto at =
        std::ranges::find(invitation.columns, column->name, &mapping::TableColumn::name);
    from.push_back(static_cast<std::size_t>(at - invitation.columns.begin()));
  }
  const Value now = database.now();
  std::vector<std::vector<Value>> firsts;
  for (const auto& row : rows) {
    std::vector<Value> first = {row.front(), std::int64_t{1}, now};
    for (const auto at : from)
      first.push_back(row.at(at));
    firsts.push_back(std::move(first));
  }
  insert_rows(database, table, firsts);
}

void HistoryStore::note(Database& database, const std::vector<Value>& customers) const {
  if (!kept_) return;
  for (auto& run : key_chunks(database.dialect(), customers))
    note_run(database, {"customer_id", ColumnType::integer}, std::move(run), nullptr);
}

void HistoryStore::note(Database& database, const std::string& push,
                        const std::vector<Value>& keys) const {
  if (!kept_) return;
  for (auto& run : key_chunks(database.dialect(), keys))
    note_run(database, {"key", ColumnType::key_text}, std::move(run), &push);
}

}  // namespace surveybridge::crm
