// What `check` tries in the CRM's database: rights and emptiness. Leaves nothing behind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/source/source.hpp"

namespace surveybridge::daemon {

// What the bridge may not do here: one sentence that it cannot create the tables, columns and
// indexes that are missing, and a sentence for each table that is there and may not be written.
// Empty: it may do all of it, or that cannot be tried (what is missing in MariaDB).
std::vector<std::string> missing_rights(crm::Database& database);

// Why nothing of this push would go out, as a sentence: `start`, the window, the query, or the
// ledger, which knows every row already; or how many rows never would, though others do. Empty: all
// would. `database`: the store. Needs
// every right of missing_rights(). Throws DatabaseError where the query fails.
inline constexpr std::string_view kNoDatedRow = "the query returns no row with a date";
std::optional<std::string> why_empty(const config::Push& push, crm::Database& crm,
                                     crm::Database& database, crm::Source& source,
                                     const std::string& zone);

// Counting does not look at most cells: what fails for the push at its first rows fails here.
// Outside of a transaction, which a row that cannot be read would break. Returns a sentence about
// such rows; empty: there are none. Throws DatabaseError.
std::string unreadable_rows(const config::Push& push, crm::Database& crm, const std::string& zone);

// A sentence about the rows whose time has not come by the CRM's clock; empty: there are none.
std::string future_rows(const config::Push& push, crm::Database& crm, const std::string& zone);

// A sentence about the rows since `start` that have no key; empty: there are none.
std::string keyless_rows(const config::Push& push, crm::Database& crm, crm::Source& source,
                         const std::string& zone);
// Keys that several rows with different dates have, in a sentence; empty: none.
std::string shared_keys(const config::Push& push, crm::Database& crm, crm::Source& source,
                        const std::string& zone);

// That fewer rows come than usual, with the one that was sent last, and whether the query still
// finds it; empty: enough come. `store`: with or without the bridge's tables.
std::string too_few_note(const config::Settings& settings, const config::Push& push,
                         crm::Database& crm, crm::Database& store, crm::Source& source);

}  // namespace surveybridge::daemon
