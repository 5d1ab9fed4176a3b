// Which columns can be keys, and keys as the type that their column has, so that an index on it
// serves a look-up by key. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// A key is kept, sent and compared as text: each key needs one text, and each text one key. Why no
// key can be made of this column, with what the query can do about it; empty: it can be one.
std::optional<std::string> unusable_key(Dialect dialect, const Column& key);

// Why none can be made of PostgreSQL's money, which no column's kind tells.
std::string money_as_key(const Column& key);

// All keys as numbers, if each is the text of one.
std::optional<std::vector<mapping::Value>> numbers(const std::vector<std::string>& keys);

// As a database writes a UUID: 8-4-4-4-12 digits, small letters.
bool is_uuid(const std::string& key);

}  // namespace surveybridge::crm
