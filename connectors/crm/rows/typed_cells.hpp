// Reading a cell of one of our own tables. A database gives a column as near to its type as it can
// (SQLite an instant as text, MariaDB a boolean as number); these say what we stored. Pure.
// All throw DatabaseError(other) for a cell that cannot be that: somebody else has written there.
#pragma once

#include <optional>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

std::string text_in(const Value& cell);  // empty for null
std::int64_t integer_in(const Value& cell);
bool boolean_in(const Value& cell);  // false for null
std::optional<Instant> instant_in(const Value& cell);

}  // namespace surveybridge::crm
