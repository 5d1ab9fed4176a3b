#include "connectors/crm/pulled/write_mark.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::crm {
namespace {

struct Written {
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return fmt::format("{}", number); }
  std::string operator()(const std::string& text) const { return "\"" + text + "\""; }
  std::string operator()(const config::Date& date) const {
    return std::to_string(date.local.time_since_epoch().count()) + "@" +
           (date.offset ? std::to_string(date.offset->count()) : "");
  }
};

std::string constant_text(const config::Constant& constant) {
  return std::visit(Written{}, constant);
}

std::string cell_mark(const config::Write::Cell& cell) {
  std::string text = fmt::format("{}={}", cell.shown(), cell.path);
  if (cell.value) text += " value " + constant_text(*cell.value);
  for (const auto& meaning : cell.meanings)
    text += fmt::format(" \"{}\":{}", meaning.from, constant_text(meaning.to));
  if (cell.otherwise) text += " otherwise " + constant_text(*cell.otherwise);
  if (cell.max_length) text += fmt::format(" at most {}", *cell.max_length);
  return text + " " + cell.date + (cell.one_way ? " one way" : "");
}

// Without `since`, which a further try leaves as it is.
const Table& tried_columns() {
  static const Table table = [] {
    Table without = unmatched_table();
    std::erase_if(without.columns, [](const auto& column) { return column.name == "since"; });
    return without;
  }();
  return table;
}

// By list and mark.
constexpr const char* kTables[] = {"survey_write_mark", "survey_unmatched", "survey_unwritten"};

}  // namespace

std::string mark_of(const config::Write& write) {
  // "noted": an earlier version did not note what it wrote (written_cells.hpp).
  std::string text = write.table + ";noted;";
  for (const auto& cell : write.match)
    text += "match " + cell_mark(cell) + ";";
  for (const auto& cell : write.set)
    text += "set " + cell_mark(cell) + ";";
  for (const auto& condition : write.when) {
    text += "when " + condition.path;
    for (const auto& constant : condition.any_of)
      text += "=" + constant_text(constant);
    for (const auto& [is, number] : condition.bounds)
      text += fmt::format(" {}:{}", static_cast<int>(is), number);
    text += ";";
  }
  text += fmt::format("{} {} {} {}", write.insert, write.push, write.correlate,
                      static_cast<int>(write.feedback));
  return mapping::name_uuid(text);
}

std::vector<Value> WriteMarks::next(const std::string& mark, const mapping::Resource& root,
                                    int limit) {
  const auto marks = query_rows(database_,
                                R"(SELECT "reached", "through" FROM "survey_write_mark" WHERE)"
                                R"( "list" = {key} AND "mark" = {key})",
                                {list_, mark});
  const bool begun = !marks.empty();
  if (begun && integer_in(marks.front().at(1)) != 0) return {};
  return stored_keys(database_, root, begun ? text_in(marks.front().at(0)) : "", limit);
}

void WriteMarks::reached(const std::string& mark, const std::optional<Value>& key) {
  put(database_, upsert(database_.dialect(), write_mark_table()),
      {{list_, mark, key ? text_in(*key) : "", std::int64_t{key ? 0 : 1}}});
}

bool WriteMarks::has_unmatched(const std::string& mark) {
  return !query_rows(
              database_,
              R"(SELECT "record" FROM "survey_unmatched" WHERE "list" = {key} AND "mark" = {key})"
              R"( ORDER BY "record")",
              {list_, mark}, 1)
              .empty();
}

// A row without `since` has been tried once.
void WriteMarks::keep_since(const std::string& mark, const std::set<std::string>& records) {
  std::vector<std::vector<Value>> keys;
  for (const auto& record : records)
    keys.push_back({list_, mark, record});
  if (keys.empty()) return;
  database_.execute_each(
      in_dialect(database_.dialect(), R"(UPDATE "survey_unmatched" SET "since" = "tried_at")"
                                      R"( WHERE "list" = {key} AND "mark" = {key})"
                                      R"( AND "record" = {key} AND "since" IS NULL)"),
      keys);
}

void WriteMarks::note(const std::string& mark, const std::vector<WriteRow>& tried,
                      const std::vector<WriteRow>& unmatched, Instant now) {
  std::set<std::string> missing;
  for (const auto& row : unmatched)
    missing.insert(row.record);
  std::vector<std::vector<Value>> rows;
  for (const auto& record : missing)
    rows.push_back({list_, mark, record, now});
  const bool others = has_unmatched(mark);
  if (others) keep_since(mark, missing);
  if (!rows.empty()) put(database_, upsert(database_.dialect(), tried_columns()), rows);
  if (!others) return;
  std::vector<std::string> met;
  for (const auto& row : tried)
    if (!missing.contains(row.record)) met.push_back(row.record);
  remove(mark, met);
}

std::vector<std::string> WriteMarks::unmatched(const std::string& mark, Instant before, int limit) {
  std::vector<std::string> records;
  for (const auto& row : query_rows(
           database_,
           R"(SELECT "record" FROM "survey_unmatched" WHERE "list" = {key} AND "mark" = {key})"
           R"( AND "tried_at" < {instant} ORDER BY "tried_at", "record")",
           {list_, mark, before}, limit))
    records.push_back(text_in(row.at(0)));
  return records;
}

void WriteMarks::remove(const std::string& mark, const std::vector<std::string>& records) {
  if (records.empty()) return;
  std::vector<std::vector<Value>> keys;
  for (const auto& record : records)
    keys.push_back({list_, mark, record});
  database_.execute_each(
      in_dialect(database_.dialect(), R"(DELETE FROM "survey_unmatched" WHERE "list" = {key})"
                                      R"( AND "mark" = {key} AND "record" = {key})"),
      keys);
}

void WriteMarks::keep_only(const std::vector<std::string>& marks) {
  const auto found = query_rows(database_,
                                R"(SELECT "mark" FROM "survey_write_mark" WHERE "list" = {key})"
                                R"( UNION SELECT "mark" FROM "survey_unwritten")"
                                R"( WHERE "list" = {key})",
                                {list_, list_});
  for (const auto& row : found) {
    const std::string mark = text_in(row.at(0));
    if (std::ranges::find(marks, mark) != marks.end()) continue;
    for (const char* table : kTables) {
      database_.execute(
          {"DELETE FROM " + quoted(database_.dialect(), table) +
               in_dialect(database_.dialect(), R"( WHERE "list" = {key} AND "mark" = {key})"),
           {list_, mark}});
    }
  }
}

void WriteMarks::begin_anew() {
  for (const char* table : kTables) {
    database_.execute({"DELETE FROM " + quoted(database_.dialect(), table) +
                           in_dialect(database_.dialect(), R"( WHERE "list" = {key})"),
                       {list_}});
  }
}

}  // namespace surveybridge::crm
