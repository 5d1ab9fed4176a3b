#include "connectors/crm/pulled/unwritten.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "config/text.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::string_view kTooLong = "the value is too long for the column";
constexpr std::string_view kOutOfRange = "the number is too large for the column";
constexpr std::string_view kNotTaken = "the value is none that the column takes";
constexpr std::string_view kNoLetter = "the column's character set lacks a letter of the value";
constexpr std::string_view kCheck = "a CHECK of the table refuses the value";
constexpr std::string_view kNotUnique = "another row has the value, which must be unique";
constexpr std::string_view kNoReference = "a FOREIGN KEY refuses the value: it names no row";
constexpr std::string_view kGenerated = "the database makes the column's value itself";
constexpr std::string_view kRight = "a right that is missing, or a policy, refuses the row";
constexpr std::string_view kRaised = "a trigger of the table refuses the row";

// Of PostgreSQL and what follows the standard.
struct State {
  std::string_view sqlstate, reason;
};
constexpr State kStates[] = {
    {"22001", kTooLong},     {"22003", kOutOfRange},  {"22008", kOutOfRange},
    {"22P02", kNotTaken},    {"22007", kNotTaken},    {"22032", kNotTaken},
    {"23502", kTakesNoNull}, {"23503", kNoReference}, {"23505", kNotUnique},
    {"23514", kCheck},       {"428C9", kGenerated},   {"P0001", kRaised},
    {"45000", kRaised},      {"42501", kRight},       {kNoData, kMadeOtherwise},
};
struct Number {
  int number;
  std::string_view reason;
};
// Of MariaDB and MySQL, and of SQL Server.
constexpr Number kNumbers[] = {
    {1406, kTooLong},     {1264, kOutOfRange},  {1265, kNotTaken},    {1292, kNotTaken},
    {1048, kTakesNoNull}, {1364, kTakesNoNull}, {1452, kNoReference}, {1062, kNotUnique},
    {4025, kCheck},       {3819, kCheck},       {1906, kGenerated},   {3105, kGenerated},
    {515, kTakesNoNull},  {547, kCheck},        {2601, kNotUnique},   {2627, kNotUnique},
    {2628, kTooLong},     {8152, kTooLong},     {8115, kOutOfRange},
};
// Of MariaDB, and of MySQL: whatever the SQLSTATE, which may be that of a date.
constexpr int kLacksLetter[] = {1366, 3988};
// Where there is no SQLSTATE.
constexpr Number kWithoutState[] = {
    {1299, kTakesNoNull}, {275, kCheck},     {787, kNoReference}, {2067, kNotUnique},
    {1555, kNotUnique},   {3091, kNotTaken}, {1811, kRaised},
};

// A number as text has the digits that its column has.
std::optional<std::string> digits_of(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "1" : "0";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* decimal = std::get_if<mapping::Decimal>(&value)) return decimal->text;
  return std::nullopt;
}

double number_of(const std::string& digits) {
  double number = std::nan("");
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

bool is_rounded(const std::string& wished, const std::string& stored) {
  const auto dot = stored.find('.');
  const auto places = dot == std::string::npos ? 0 : stored.size() - dot - 1;
  const double unit = std::pow(10.0, -static_cast<double>(places));
  const double from = number_of(wished), to = number_of(stored);
  return std::abs(from - to) <= unit * 0.501 + std::abs(from) * 1e-7;
}

std::optional<std::chrono::microseconds> time_of(const Value& value) {
  if (const auto* instant = std::get_if<Instant>(&value)) return instant->time_since_epoch();
  if (const auto* local = std::get_if<mapping::LocalTime>(&value)) return local->time_since_epoch();
  return std::nullopt;
}

std::string_view without_blanks(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// What is noted of these records: column and reason by record.
using Noted = std::map<std::pair<std::string, std::string>, std::string>;

bool has_any(Database& store, const UnwrittenOf& of) {
  return !query_rows(store,
                     R"(SELECT "record" FROM "survey_unwritten" WHERE "list" = {key})"
                     R"( AND "mark" = {key} ORDER BY "record")",
                     {of.list, of.mark}, 1)
              .empty();
}

Noted noted_of(Database& store, const UnwrittenOf& of, const std::vector<std::string>& records) {
  Noted noted;
  if (!has_any(store, of)) return noted;
  for (const auto& row :
       rows_with_keys(store, R"(SELECT "record", "column", "reason" FROM "survey_unwritten")",
                      {"record", ColumnType::key_text}, {records.begin(), records.end()},
                      R"( AND "list" = {key} AND "mark" = {key})", {of.list, of.mark}))
    noted[{text_in(row.at(0)), text_in(row.at(1))}] = text_in(row.at(2));
  return noted;
}

bool is_known(Database& store, const std::string& list, const UnwrittenSort& sort) {
  return !query_rows(store,
                     R"(SELECT "record" FROM "survey_unwritten" WHERE "list" = {key})"
                     R"( AND "target" = {key} AND "column" = {key})"
                     R"( AND "reason" = {key} ORDER BY "reason")",
                     {list, sort.table, sort.column, sort.reason}, 1)
              .empty();
}

}  // namespace

std::string reason_of(const ErrorCode& code) {
  const bool stateless = code.sqlstate.empty();
  if (!stateless && std::ranges::find(kLacksLetter, code.number) != std::end(kLacksLetter))
    return std::string(kNoLetter);
  for (const auto& [sqlstate, reason] : kStates)
    if (code.sqlstate == sqlstate) return std::string(reason);
  for (const auto& [number, reason] : stateless ? std::span<const Number>(kWithoutState) : kNumbers)
    if (code.number == number) return std::string(reason);
  return "the database refuses the value" + (stateless ? "" : " (SQLSTATE " + code.sqlstate + ")");
}

bool is_of_unique_key(const ErrorCode& code) {
  return reason_of(code) == kNotUnique;
}

bool refuses_null(const ErrorCode& code) {
  return reason_of(code) == kTakesNoNull;
}

bool is_of_trigger(const ErrorCode& code) {
  return reason_of(code) == kRaised;
}

bool is_as_wished(const Value& wished, const Value& stored) {
  if (wished == stored) return true;
  const auto* text = std::get_if<std::string>(&wished);
  const auto* other = std::get_if<std::string>(&stored);
  if (text != nullptr && other != nullptr) return without_blanks(*text) == without_blanks(*other);
  const auto time = time_of(wished), stored_time = time_of(stored);
  if (time && stored_time) return std::chrono::abs(*time - *stored_time) < std::chrono::seconds{1};
  const bool whole =
      std::holds_alternative<std::int64_t>(wished) && std::holds_alternative<std::int64_t>(stored);
  const auto digits = digits_of(wished), stored_digits = digits_of(stored);
  return !whole && digits && stored_digits && is_rounded(*digits, *stored_digits);
}

std::vector<UnwrittenSort> note_unwritten(Database& store, const UnwrittenOf& of,
                                          const std::vector<std::string>& records,
                                          const std::vector<Unwritten>& missing, Instant now) {
  Noted before = noted_of(store, of, records);
  Noted wanted;
  for (const auto& [record, column, reason] : missing)
    wanted.try_emplace({record, column}, config::first_bytes(reason, kKeyBytesMax));
  std::vector<std::vector<Value>> rows, gone;
  std::vector<UnwrittenSort> sorts;
  for (const auto& [at, reason] : wanted) {
    const auto known = before.find(at);
    if (known != before.end() && known->second == reason) {
      before.erase(known);
      continue;
    }
    rows.push_back({of.list, of.mark, at.first, at.second, of.table, reason, now});
    const UnwrittenSort sort{of.table, at.second, reason};
    if (std::ranges::find(sorts, sort) == sorts.end()) sorts.push_back(sort);
  }
  std::erase_if(sorts, [&](const auto& sort) { return is_known(store, of.list, sort); });
  for (const auto& [at, reason] : before)
    gone.push_back({of.list, of.mark, at.first, at.second});
  store.execute_each(in_dialect(store.dialect(),
                                R"(DELETE FROM "survey_unwritten" WHERE "list" = {key})"
                                R"( AND "mark" = {key} AND "record" = {key} AND "column" = {key})"),
                     gone);
  if (!rows.empty()) put(store, insert(store.dialect(), unwritten_table()), rows);
  return sorts;
}

std::vector<UnwrittenCount> unwritten_counts(Database& store) {
  std::vector<UnwrittenCount> all;
  const auto found = query_rows(
      store, R"(SELECT "list", "target", "column", "reason", COUNT(DISTINCT "record"),)"
             R"( MIN("since") FROM "survey_unwritten" GROUP BY "list", "target", "column",)"
             R"( "reason" ORDER BY "list", "target", "column", "reason")");
  for (const auto& row : found) {
    all.push_back({text_in(row.at(0)),
                   {text_in(row.at(1)), text_in(row.at(2)), text_in(row.at(3))},
                   integer_in(row.at(4)),
                   instant_in(row.at(5)).value()});
  }
  return all;
}

}  // namespace surveybridge::crm
