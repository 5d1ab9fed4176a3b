// Moves everything that the bridge keeps from one database to another, of any kind. The old place
// is closed first: its ledger gets another name, so that a daemon that still runs there cannot
// claim anything, and none can be started. Then all rows are copied in one transaction of the new
// place, where nothing can be claimed before that. Views and comments are not moved: the daemon
// makes them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// When the old place was closed and for which one, where all of a move is done already.
std::optional<std::string> moved_before(Database& from, Database& to);

// Why nothing can be moved to here, as a sentence: it has rows already. Makes the tables, unless a
// move to here has begun before. Throws DatabaseError.
std::optional<std::string> why_not_to(Database& to);

// Owners of valid leases, which a running daemon holds.
struct OwnerAtWork {
  std::string owner;
  Instant until;  // it has ended, if it is not there and this is over
  static auto cells(auto& of) { return std::tie(of.owner, of.until); }
};
std::vector<OwnerAtWork> owners_at_work(Database& database);

// Closes the new place and then the old one; done already after an interrupted move. `file`: the
// configuration that names the new place, for the refusals of the old one. Throws DatabaseError
// where one of them cannot be.
void close_for_move(Database& from, Database& to, const std::string& file);

struct MovedTable {
  std::string name;
  std::int64_t rows = 0;
};
// What would be copied: each table with rows. Changes nothing. Throws DatabaseError.
std::vector<MovedTable> tables_to_move(Database& from);

// Told before each piece which table it is of, and how many rows are copied in all; false: stop.
using CopyWatcher = std::function<bool(const std::string& table, std::int64_t rows)>;

// Copies and opens the new place. Empty: it was stopped. Then, and with a DatabaseError, nothing is
// there, and it can be done again.
std::optional<std::vector<MovedTable>> copy_tables(
    Database& from, Database& to,
    const CopyWatcher& goes_on = [](const std::string&, std::int64_t) { return true; });

}  // namespace surveybridge::crm
