// Transactions that the service accepted and has never listed: its answer was wrong, or it lost
// them. Nobody was mailed, and the ledger says "sent". [pull.customers] reads what the service
// lists, so they are found without any command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"

namespace surveybridge::daemon {

// A customer is missing if it is not listed this long after it was sent (or `settle`, if that is
// longer), by a walk that has come to its end since.
inline constexpr std::chrono::hours kListedWithin{24};

// Their number. Empty: unknown, because the push has no `correlate`, or no walk of [pull.customers]
// lists every new customer (by LastActivityDate or TransactionDate, unfiltered).
std::optional<std::int64_t> count_never_listed(const config::Settings& settings,
                                               const config::Push& push, crm::Database& database);

// The same for a status, which must not take long: the number that NeverListedJob kept of a large
// ledger, otherwise the count.
std::optional<std::int64_t> known_never_listed(const config::Settings& settings,
                                               const config::Push& push, crm::Database& database);

// The message about them; empty for none. `file`: the configuration's.
std::string never_listed_text(std::int64_t rows, const std::string& file);

}  // namespace surveybridge::daemon
