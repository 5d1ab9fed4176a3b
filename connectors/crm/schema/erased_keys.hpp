// Keys of transactions that hold the address of a person who was forgotten. The bridge's tables
// have a keyed hash of such a key in its place, so that they do not hold the address and still know
// the transaction: whoever looks a key up, or stores one, asks here under which name.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// What stands for an erased text.
inline constexpr std::string_view kErased = "(erased)";
// How an erased key begins. No other key of the ledger does.
inline constexpr std::string_view kErasedKey = "(erased) ";
bool is_erased_key(std::string_view key);
// Another text makes another one. `hash_key`: that of people.hpp.
std::string erased_key(std::string_view hash_key, std::string_view text);

// Within the caller's transaction: from now on what holds an address of this person is erased. A
// row of survey_seal says so.
void note_erased(Database& database, const std::string& person);

// Those of these texts that hold the address of somebody who was forgotten.
std::set<std::string> erased_texts(Database& database, const std::vector<std::string>& texts);

// Those of these keys, and under which name the tables have each.
std::map<std::string, std::string> erased_keys(Database& database,
                                               const std::vector<std::string>& keys);
// Under which name the tables have this key: itself, or what stands for it.
std::string stored_key(Database& database, const std::string& key);
// The keys by the names under which the tables have them.
std::map<std::string, std::string> by_stored_name(Database& database,
                                                  const std::vector<std::string>& keys);
std::vector<Value> names_in(const std::map<std::string, std::string>& by_name);

}  // namespace surveybridge::crm
