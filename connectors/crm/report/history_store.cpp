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

// A parameter that stands in a SELECT: there the database does not know its type.
std::string instant_parameter(Dialect dialect, std::size_t number) {
  const std::string parameter = ":p" + std::to_string(number);
  const std::string type(traits(dialect).instant_type);
  return type.empty() ? parameter : "CAST(" + parameter + " AS " + type + ")";
}

// Of a row, besides its number and time.
std::vector<std::string> columns_with(const std::vector<std::string>& scores) {
  std::vector<std::string> columns(kStatus.begin(), kStatus.end());
  columns.insert(columns.end(), scores.begin(), scores.end());
  return columns;
}

// A condition on survey_invitation, with so many `parameters`.
std::string customers_are(Dialect dialect, const mapping::TableColumn& by, std::size_t count,
                          bool of_push, std::size_t& parameters) {
  parameters = traits(dialect).takes_arrays ? 1 : count;
  std::string condition = one_of(dialect, by, count);
  if (of_push)
    condition += " AND " + quoted(dialect, "push") + " = :p" + std::to_string(++parameters);
  return condition;
}

const mapping::TableColumn kCustomer{"customer_id", ColumnType::integer};
const mapping::TableColumn kKey{"key", ColumnType::key_text};

// The statement of note(), for customers or keys of a push.
std::string history_statement(Dialect dialect, const std::vector<std::string>& scores,
                              const mapping::TableColumn& by, std::size_t count, bool of_push) {
  std::string names, values, differs;
  for (const auto& column : columns_with(scores)) {
    const std::string name = quoted(dialect, column);
    names += ", " + name;
    values += ", i." + name;
    differs += " OR " + traits(dialect).differs("h." + name, "i." + name);
  }
  std::size_t parameters = 0;
  const std::string condition = customers_are(dialect, by, count, of_push, parameters);
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

// The same of write_first().
std::string first_history_statement(Dialect dialect, const std::vector<std::string>& scores,
                                    const mapping::TableColumn& by, std::size_t count,
                                    bool of_push) {
  std::string names, values;
  for (const auto& column : columns_with(scores)) {
    const std::string name = quoted(dialect, column);
    names += ", " + name;
    values += ", i." + name;
  }
  std::size_t parameters = 0;
  return in_dialect(dialect, R"(INSERT INTO "survey_customer_history")"
                             R"( ("customer_id", "version", "seen_at")") +
         names + in_dialect(dialect, R"() SELECT i."customer_id", 1, i."seen_at")") + values +
         in_dialect(dialect, R"( FROM (SELECT * FROM "survey_invitation" WHERE )") +
         customers_are(dialect, by, count, of_push, parameters) +
         in_dialect(dialect, R"() i WHERE i."seen_at" IS NOT NULL AND NOT EXISTS (SELECT 1)"
                             R"( FROM "survey_customer_history" h)"
                             R"( WHERE h."customer_id" = i."customer_id"))");
}

}  // namespace

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
  auto there = catalogue(database)[history_table().name];
  const auto is_there = [&](const std::string& name) { return there.contains(name); };
  if (!std::ranges::all_of(scores, is_there)) {
    ShapeChange change(database);
    there = catalogue(database)[history_table().name];
    for (const auto& name : scores) {
      if (is_there(name)) continue;
      database.execute(
          {add_column(database.dialect(), history_table(), {name, ColumnType::integer}), {}});
    }
    change.commit();
  }
  scores_ = std::move(scores);
}

void HistoryStore::run(Database& database, const mapping::TableColumn& by,
                       const std::vector<Value>& keys, const std::string* push,
                       const std::optional<Instant>& now) const {
  if (!kept_) return;
  const Dialect dialect = database.dialect();
  for (auto& some : key_chunks(dialect, keys)) {
    const auto statement = now ? history_statement : first_history_statement;
    const std::string sql = statement(dialect, scores_, by, some.size(), push != nullptr);
    if (push) some.emplace_back(*push);
    if (now) some.emplace_back(*now);
    database.execute({sql, std::move(some)});
  }
}

void HistoryStore::write_first(Database& database, const std::vector<Value>& customers) const {
  run(database, kCustomer, customers, nullptr, std::nullopt);
}

void HistoryStore::write_first(Database& database, const std::string& push,
                               const std::vector<Value>& keys) const {
  run(database, kKey, keys, &push, std::nullopt);
}

void HistoryStore::note(Database& database, const std::vector<Value>& customers,
                        Instant now) const {
  run(database, kCustomer, customers, nullptr, now);
}

void HistoryStore::note(Database& database, const std::string& push, const std::vector<Value>& keys,
                        Instant now) const {
  run(database, kKey, keys, &push, now);
}

}  // namespace surveybridge::crm
