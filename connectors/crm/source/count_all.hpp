// How many transactions a query returns, where there is no ledger yet.
#pragma once

#include "connectors/crm/source/source.hpp"

namespace surveybridge::crm {

// The keys of [since, until), each once; nothing of the bridge need be there. Throws DatabaseError.
std::int64_t count_all(Database& crm, const SourceQuery& query, Instant since, Instant until);

}  // namespace surveybridge::crm
