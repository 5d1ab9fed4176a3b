// What records come to in a write: the values of its cells.
#include <algorithm>

#include "connectors/crm/pulled/column_conversion.hpp"
#include "connectors/crm/pulled/conditions.hpp"
#include "connectors/crm/pulled/write_back.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "mapping/interface/second_feedback.hpp"
#include "mapping/tables/tables.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::crm {
namespace {

using mapping::is_null;
using mapping::Null;
using mapping::Record;
using Cell = CompiledWrite::Cell;

// A cell's value for its column; empty: it cannot be in the column. `leave`: it is not written.
// `is_nothing`: the record has none, or an empty text.
struct Found {
  std::optional<Value> value;
  bool leave = false;
  bool is_nothing = false;
};

Found mapped(const Cell& cell, const std::string& text) {
  const auto found = std::ranges::find(cell.meanings, text, &std::pair<std::string, Value>::first);
  if (found != cell.meanings.end()) return {found->second};
  return cell.otherwise ? Found{*cell.otherwise} : Found{{}, true};
}

std::optional<Value> dated(const Cell& cell, const std::string& text, const std::string& zone) {
  if (text.empty() || text.starts_with("0000-00-00")) return Value{Null{}};
  auto date = cell.date->read(text);
  const auto* local = date ? std::get_if<mapping::LocalTime>(&*date) : nullptr;
  return local == nullptr ? date : Value{mapping::in_zone(*local, zone)};
}

// MariaDB takes digits that are none of the column's words for the number of one.
Found fitted(const Cell& cell, std::optional<Value> value) {
  const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
  const bool is_number = text != nullptr && !cell.words.empty() && mapping::all_digits(*text);
  if (is_number && cell.words.find("'" + *text + "'") == std::string::npos) return {};
  return {std::move(value)};
}

Found value_of(const Cell& cell, const Record& record, const std::string& zone) {
  if (!cell.path) return fitted(cell, convert_to_column(cell.constant, cell.kind, zone));
  std::optional<Value> value = cell.path->read(record);
  if (cell.one_way && convert_to_column(*value, ColumnKind::boolean, zone) != Value{true})
    return {{}, true};
  const auto text = is_null(*value) ? std::nullopt : column_text(*value, zone);
  if (!cell.meanings.empty() && text) {
    const Found found = mapped(cell, *text);
    if (found.leave) return found;
    value = found.value;
  } else if (cell.date && text) {
    value = dated(cell, *text, zone);
  }
  if (!value) return {};
  auto converted = convert_to_column(*value, cell.kind, zone);
  if (cell.max_length && converted)
    if (auto* written = std::get_if<std::string>(&*converted))
      *written = mapping::first_characters(*written, static_cast<std::size_t>(*cell.max_length));
  const bool is_nothing = converted && (is_null(*converted) || *converted == Value{""});
  Found found = fitted(cell, std::move(converted));
  found.is_nothing = is_nothing && (cell.meanings.empty() || !text);
  return found;
}

// A match column of numbers finds no row by another spelling of its number: the texts "12E3" and
// "0012" are keys of another sender, unless the column shows zeros.
bool is_spelled_so(const Cell& cell, const Record& record, const Value& fitted) {
  const bool is_number = std::holds_alternative<std::int64_t>(fitted) ||
                         std::holds_alternative<mapping::Decimal>(fitted);
  if (!is_number || !cell.path || !cell.meanings.empty()) return true;
  const Value value = cell.path->read(record);
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return true;
  std::string_view digits = mapping::trimmed(*text);
  if (!mapping::is_decimal(digits)) return false;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const bool has_zeros = digits.size() > 1 && digits[0] == '0' && digits[1] != '.';
  return !has_zeros || cell.words.find("zerofill") != std::string::npos;
}

std::optional<std::vector<Value>> match_of(const CompiledWrite& write, const Record& record) {
  std::vector<Value> values;
  for (const Cell& cell : write.match) {
    Found found = value_of(cell, record, write.time_zone);
    if (found.leave || !found.value || is_null(*found.value)) return std::nullopt;
    if (!is_spelled_so(cell, record, *found.value)) return std::nullopt;
    values.push_back(*std::move(found.value));
  }
  return values;
}

// Second feedback comes as a customer of its own, whose answers are not those of the original.
bool may_write(const CompiledWrite& write, const Record& record) {
  using Feedback = config::Write::Feedback;
  if (write.feedback == Feedback::both || record.resource != &mapping::customer()) return true;
  return mapping::is_second_feedback(record) == (write.feedback == Feedback::second);
}

// When it was answered, else when the customer was invited; of other lists, the record's date.
std::optional<Instant> date_of(const Record& record) {
  for (const std::string_view field :
       {"SurveyFinishedDate", "DateInvited", "DateSent", "ReviewApprovedDate", "TransactionDate"}) {
    if (record.resource->find(field) == nullptr) continue;
    if (const auto at = record.get<Instant>(field)) return at;
  }
  return std::nullopt;
}

// The cells of one row.
void fill(WriteRow& row, const CompiledWrite& write, const Record& record,
          std::vector<Unwritten>& unwritten) {
  for (std::size_t i = 0; i < write.set.size(); ++i) {
    Found found = value_of(write.set[i], record, write.time_zone);
    const bool misfit = !found.leave && !found.value;
    if (misfit)
      unwritten.push_back({row.record, write.shape.set[i].shown(), std::string(kNoSuchValue)});
    if (found.leave || misfit) row.left.push_back(i);
    if (found.is_nothing) row.nothing.push_back(i);
    row.set.push_back(found.value ? *std::move(found.value) : Value{Null{}});
  }
}

}  // namespace

WriteRows rows_for(const CompiledWrite& write, const std::vector<Record>& records) {
  WriteRows all;
  for (const Record& record : records) {
    if (!may_write(write, record) || !are_met(write.when, record, write.time_zone)) continue;
    auto match = match_of(write, record);
    if (!match) {
      ++all.matched_none;
      continue;
    }
    WriteRow row{std::move(*match), {}, {}, text_in(mapping::key_of(record)), date_of(record)};
    fill(row, write, record, all.unwritten);
    if (row.left.size() < write.set.size()) all.rows.push_back(std::move(row));
  }
  return all;
}

std::vector<WriteRow> rows_to_empty(const CompiledWrite& write,
                                    const std::vector<Record>& records) {
  std::vector<WriteRow> rows;
  for (const Record& record : records) {
    auto match = match_of(write, record);
    if (match && std::ranges::find(rows, *match, &WriteRow::match) == rows.end())
      rows.push_back({std::move(*match), std::vector<Value>(write.set.size())});
  }
  return rows;
}

}  // namespace surveybridge::crm
