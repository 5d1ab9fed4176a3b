#include "connectors/crm/pulled/enumeration_store.hpp"

#include <algorithm>
#include <charconv>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

using mapping::EnumerationColumns;
using mapping::EnumerationPair;
using mapping::Null;
using mapping::PartialEnum;

constexpr std::int64_t kTriesMax = 10;
constexpr std::ptrdiff_t kValuesMax = 200;  // of one enumeration
constexpr std::size_t kSomeMax = 20;

const std::vector<EnumerationColumns>& columns() {
  static const auto all = mapping::enumeration_columns(mapping::customer());
  return all;
}

std::optional<std::int64_t> number_in(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

// The newest customer that has only this half.
std::optional<std::int64_t> customer_showing(Database& database, const PartialEnum& half) {
  const auto at = std::ranges::find(columns(), half.first, &EnumerationColumns::of);
  if (at == columns().end()) return {};
  const auto number = number_in(half.second);
  const std::string here = number ? at->number : at->name, missing = number ? at->name : at->number;
  const std::string sql = "SELECT MAX(\"" + at->key + "\") FROM \"" + at->table + "\" WHERE \"" +
                          here + "\" = " + (number ? "{integer}" : "{text}") + " AND \"" + missing +
                          "\" IS NULL";
  const auto found = database.query(
      {in_dialect(database.dialect(), sql), {number ? Value{*number} : Value{half.second}}});
  const Value& customer = found.rows.front().front();
  if (mapping::is_null(customer)) return {};
  return integer_in(customer);
}

// Rows that were stored before. Their digest does not change.
void complete_rows(Database& database, const EnumerationPair& pair) {
  for (const auto& at : columns()) {
    if (at.of != pair.of) continue;
    const std::string update = "UPDATE \"" + at.table + "\" SET \"";
    database.execute(
        {in_dialect(database.dialect(), update + at.name + "\" = {text} WHERE \"" + at.number +
                                            "\" = {integer} AND \"" + at.name + "\" IS NULL"),
         {pair.name, pair.number}});
    database.execute(
        {in_dialect(database.dialect(), update + at.number + "\" = {integer} WHERE \"" + at.name +
                                            "\" = {text} AND \"" + at.number + "\" IS NULL"),
         {pair.number, pair.name}});
  }
}

}  // namespace

EnumerationStore::EnumerationStore(Database& database) : database_(database) {
  const auto found = database.query(
      {in_dialect(database.dialect(), R"(SELECT "enumeration", "value", "number", "name", "tries")"
                                      R"( FROM "survey_enumeration")"),
       {}});
  for (const auto& row : found.rows) {
    const PartialEnum half{text_in(row.at(0)), text_in(row.at(1))};
    seen_.insert(half);
    if (mapping::is_null(row.at(2)) || mapping::is_null(row.at(3))) {
      unknown_.push_back({half, integer_in(row.at(4))});
    } else {
      choices_.learn({half.first, integer_in(row.at(2)), text_in(row.at(3))});
    }
  }
}

void EnumerationStore::note(const std::set<PartialEnum>& halves) {
  std::vector<std::vector<Value>> rows;
  for (const PartialEnum& half : halves) {
    if (seen_.contains(half)) continue;
    const auto same = std::ranges::count(seen_, half.first, &PartialEnum::first);
    if (same >= kValuesMax) continue;
    seen_.insert(half);
    const auto number = number_in(half.second);
    rows.push_back({half.first, half.second, number ? Value{*number} : Value{Null{}},
                    number ? Value{Null{}} : Value{half.second}, std::int64_t{0}});
  }
  put(database_, upsert(database_.dialect(), enumeration_table()), rows);
}

EnumerationStore::Question EnumerationStore::to_ask(bool new_only) {
  std::set<std::int64_t> customers;
  Question question;
  for (const Unknown& unknown : unknown_) {
    if (unknown.tries >= (new_only ? 1 : kTriesMax) || customers.size() >= kSomeMax) continue;
    const auto customer = customer_showing(database_, unknown.half);
    if (!customer) continue;
    customers.insert(*customer);
    question.values.insert(unknown.half);
  }
  question.customers.assign(customers.begin(), customers.end());
  return question;
}

std::int64_t EnumerationStore::never_asked() const {
  return std::ranges::count(unknown_, 0, &Unknown::tries);
}

void EnumerationStore::learn(const std::set<EnumerationPair>& pairs,
                             const std::set<PartialEnum>& asked) {
  Transaction transaction(database_);
  for (const EnumerationPair& pair : pairs)
    keep(pair);
  for (const Unknown& unknown : unknown_) {
    const bool learned = std::ranges::any_of(pairs, [&](const EnumerationPair& pair) {
      const auto& [of, value] = unknown.half;
      return of == pair.of && (value == pair.name || value == std::to_string(pair.number));
    });
    if (!learned && asked.contains(unknown.half) && unknown.tries < kTriesMax) count_try(unknown);
  }
  transaction.commit();
}

void EnumerationStore::keep(const EnumerationPair& pair) {
  database_.execute(
      {in_dialect(database_.dialect(), R"(DELETE FROM "survey_enumeration" WHERE "enumeration" =)"
                                       R"( {key} AND "number" = {integer} AND "name" <> {text})"),
       {pair.of, pair.number, pair.name}});
  std::vector<std::vector<Value>> rows;
  for (const std::string& value : {std::to_string(pair.number), pair.name})
    rows.push_back({pair.of, value, pair.number, pair.name, std::int64_t{0}});
  put(database_, upsert(database_.dialect(), enumeration_table()), rows);
  complete_rows(database_, pair);
}

void EnumerationStore::count_try(const Unknown& unknown) {
  database_.execute(
      {in_dialect(database_.dialect(), R"(UPDATE "survey_enumeration" SET "tries" = {integer})"
                                       R"( WHERE "enumeration" = {key} AND "value" = {key})"),
       {unknown.tries + 1, unknown.half.first, unknown.half.second}});
}

}  // namespace surveybridge::crm
