// Transactions that the service accepted and never listed since. Its answer "accepted" was wrong,
// or it lost them: nobody was mailed, and the ledger says "sent". [pull.customers] brings what the
// service lists, so that no command has to be called to find them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"

namespace surveybridge::daemon {

// A customer that is not listed so long after it was sent (or `settle`, where that is longer), by
// a walk that has come to its end since, is missing.
inline constexpr std::chrono::hours kListedWithin{24};

// How many there are. Empty: nobody can tell, since the push has no `correlate`, or no walk of
// [pull.customers] lists every new customer (by LastActivityDate or TransactionDate, unfiltered).
std::optional<std::int64_t> count_never_listed(const config::Settings& settings,
                                               const config::Push& push, crm::Database& database);

// What is said about them; empty for none.
std::string never_listed_text(std::int64_t rows);

}  // namespace surveybridge::daemon
