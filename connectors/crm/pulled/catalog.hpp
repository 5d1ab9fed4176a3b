// The table of a write-back as it is in the database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct CatalogColumn {
  std::string name;
  ColumnKind kind = ColumnKind::other;
  std::string type;       // PostgreSQL: the type for a cast, without length; otherwise empty
  bool required = false;  // NOT NULL
  bool is_made = false;   // a new row gets a value that nobody gives: a default, a number
  // MariaDB: of an ENUM or SET "enum('open','done')", in any case; "int(6) unsigned zerofill"
  std::string words = {};
  bool in_key = false;                    // a part of the primary key
  std::string letters = {};               // a character set that lacks letters; empty: it has all
  std::optional<std::int64_t> room = {};  // in characters, where the type says it
  // It can have no other value. Asked of MariaDB, which says so only once a row is written.
  bool is_computed = false;
};

// DatabaseError if there is no such table or it may not be read.
std::vector<CatalogColumn> real_columns(Database& database, const std::string& table);

// The engine of a table that has no transactions; empty: it has them, or nobody knows.
std::string engine_without_transactions(Database& database, const std::string& table);

// The columns of each key of which a table has each value once, as far as the database tells.
// DatabaseError as above.
std::vector<std::vector<std::string>> unique_keys(Database& database, const std::string& table);

// The one column of its primary key; empty: it has none, or several. DatabaseError as above.
std::string key_column(Database& database, const std::string& table);

// A column of a table to which a new row gives a number of a sequence that this account may not
// use.
struct RefusedSequence {
  std::string column, sequence;
};
std::vector<RefusedSequence> refused_sequences(Database& database, const std::string& table);

// Names of tables and views that may be read, without the bridge's own, in their order: as a query
// names them. At most `most`.
std::vector<std::string> readable_tables(Database& database, int most);

}  // namespace surveybridge::crm
