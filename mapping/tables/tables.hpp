// The pulled tables derived from the description, records taken apart into their rows and
// put together again. Pure.
// Rules (docs/REPORTS.md): columns are field names in snake_case, nested objects flattened,
// dates as UTC instants, collections in child tables keyed by parent and position. An enumeration
// has two columns: the number under the field's name and the name under …_name.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

enum class ColumnType { boolean, integer, decimal, text, key_text, instant, bytes };

inline constexpr bool kRequired = true;

struct TableColumn {
  std::string name;
  ColumnType type;
  bool required = false;  // NOT NULL
};

struct Table {
  std::string name;
  std::vector<TableColumn> columns;  // key columns first
  std::size_t key_size = 1;          // how many leading columns are the primary key
};

// The table of a resource and its child tables, parent first. Every root table ends with
// `digest` (key_text: what the record's content hashes to) and `changed_at` (instant).
// Children begin with the parent's key (`customer_id`, then `position`, or
// `customer_id, answer_position, position`).
const std::vector<Table>& tables_of(const Resource& root);

struct TableRows {
  const Table* table;
  std::vector<std::vector<Value>> rows;  // in the order of table->columns
};

// Calls `seen` for each row of some records of one kind in one of their tables, at the position
// `table` in tables_of(): see rows_of(). A row is valid during the call, and most take no memory of
// their own. `digests`: those of the records, where they are known.
using RowSeen = std::function<void(const std::vector<Value>& row)>;
void each_row(const Resource& root, std::size_t table, std::span<const Record> records,
              Instant changed_at, std::span<const std::string> digests, const RowSeen& seen);

// All rows of some records of one kind, one entry a table in the order of tables_of(). A bouncer's
// id is made of what does not change about it: e-mail, dates sent and of transaction, data.
// Positions count from 0. Every record must have its key (key_of).
std::vector<TableRows> rows_of(const Resource& root, const std::vector<Record>& records,
                               Instant changed_at);

// The inverse: what rows_of() took apart, one record a row of the root's table, in that order. The
// rows of a child may stand in any order; their cells are of the types that rows_of() gives. An
// object whose fields are all null counts as absent.
std::vector<Record> records_of(const Resource& root, const std::vector<TableRows>& tables);

// The root table's key of one record: customer and rating Id as integer, a bouncer's made key.
// std::invalid_argument for a record without the Id that its key is.
Value key_of(const Record& record);
// What the record's content hashes to (32 hexadecimal digits).
std::string digest_of(const Record& record);
// The same of values in their order. A share of the rows is drawn by it (`sample`): for the same
// values it must stay as it is.
std::string digest_of(std::span<const Value> values);

std::string snake_case(std::string_view name);  // "DateInvited" → "date_invited"

}  // namespace surveybridge::mapping
