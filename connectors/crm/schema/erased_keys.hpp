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
// Under which of these names the tables have the key: itself where it is not among them. Valid as
// long as both are.
const std::string& name_in(const std::map<std::string, std::string>& names, const std::string& key);
// Under which name the tables have this key: itself, or what stands for it.
std::string stored_key(Database& database, const std::string& key);
// The keys by the names under which the tables have them.
std::map<std::string, std::string> by_stored_name(Database& database,
                                                  const std::vector<std::string>& keys);
std::vector<Value> names_in(const std::map<std::string, std::string>& by_name);
// Rows with these keys, each with its key as it was asked for. `select` begins with "key"; the rest
// is as in rows_with_keys().
std::vector<std::pair<std::string, std::vector<Value>>> rows_of_keys(
    Database& database, const std::string& select, const std::vector<std::string>& keys,
    const std::string& condition, const std::vector<Value>& parameters);
// The keys of rows.
template <typename Row>
std::vector<std::string> keys_of(const std::vector<Row>& rows) {
  std::vector<std::string> keys;
  for (const auto& row : rows)
    keys.push_back(row.key);
  return keys;
}
// The persons whose they are, as far as that is known.
template <typename Row>
std::vector<std::string> persons_of(const std::vector<Row>& rows) {
  std::vector<std::string> persons;
  for (const auto& row : rows)
    if (!row.person.empty()) persons.push_back(row.person);
  return persons;
}

}  // namespace surveybridge::crm
