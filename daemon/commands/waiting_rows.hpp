// Rows of the pushes' queries that are mailed or will be, and of which the ledger does not know
// whose they are: those that it does not know at all, and those that wait or are set aside. For
// commands that are asked about a person. Reads the CRM and the ledger, and changes nothing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "daemon/context/databases.hpp"

namespace surveybridge::daemon {

struct WaitingRow {
  std::string push, key;
};

// Up to `most` rows (at least 1) that have this address in any column that is read, as a cell of a
// CRM writes one, or get it by the push's map: of one push, or of all (`only` is empty). New ones
// lie behind the push's start and its look_back, or in the future. Each push's window is read once:
// its keys, and whole rows of those that the ledger does not know. The bridge's tables must be
// there. Throws DatabaseError.
std::vector<WaitingRow> waiting_rows_of(Databases& databases, const config::Settings& settings,
                                        const std::string& only, const std::string& address,
                                        std::size_t most);

}  // namespace surveybridge::daemon
