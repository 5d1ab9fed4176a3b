#include "connectors/crm/schema/erased_keys.hpp"

#include <algorithm>

#include "config/text.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/schema_version.hpp"
#include "mapping/values/address_traces.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::crm {
namespace {

const std::string kErasedSeal = "erased ";

// Empty: nobody was forgotten.
std::string hash_key_of_forgets(Database& database) {
  auto seals = read_seals(database, {kPersonSeal, kForgetsSeal});
  const std::string& runs = seals[kForgetsSeal];
  return runs.empty() || runs == "0" ? "" : seals[kPersonSeal];
}

// Those of them that an earlier version forgot are not among them: it left the keys as they were.
std::set<std::string> erased_persons(Database& database, const std::set<std::string>& persons) {
  std::vector<std::string> names;
  for (const auto& person : persons)
    names.push_back(kErasedSeal + person);
  std::set<std::string> erased;
  for (const auto& [name, value] : read_seals(database, names))
    erased.insert(name.substr(kErasedSeal.size()));
  return erased;
}

std::set<std::string> erased_among(Database& database, std::string_view hash_key,
                                   const std::vector<std::string>& texts) {
  const mapping::PersonHash hash(hash_key);
  std::map<std::string, std::set<std::string>> holding;  // by person
  std::set<std::string> persons, erased;
  for (const auto& text : texts) {
    const auto traces = mapping::traces_in(text);
    if (!traces.whole) erased.insert(text);
    for (const auto& address : traces.addresses) {
      auto person = hash.of(address);
      holding[person].insert(text);
      persons.insert(std::move(person));
    }
  }
  for (const auto& person : erased_persons(database, persons))
    erased.merge(holding[person]);
  return erased;
}

// Where none may hold an address, the database is not asked.
std::pair<std::string, std::set<std::string>> erased_with_key(
    Database& database, const std::vector<std::string>& texts) {
  std::vector<std::string> some;
  std::ranges::copy_if(texts, std::back_inserter(some), mapping::may_hold_address);
  if (some.empty()) return {};
  auto hash_key = hash_key_of_forgets(database);
  if (hash_key.empty()) return {};
  auto erased = erased_among(database, hash_key, some);
  return {std::move(hash_key), std::move(erased)};
}

}  // namespace

bool is_erased_key(std::string_view key) {
  return key.starts_with(kErasedKey);
}

// The hash folds letters and leaves out blanks: digits have neither.
std::string erased_key(std::string_view hash_key, std::string_view text) {
  std::string digits = "key ";
  config::append_hex(digits, text);
  return std::string(kErasedKey) + mapping::person_of(hash_key, digits);
}

void note_erased(Database& database, const std::string& person) {
  write_seal(database, kErasedSeal + person, "1");
}

std::set<std::string> erased_texts(Database& database, const std::vector<std::string>& texts) {
  return erased_with_key(database, texts).second;
}

std::map<std::string, std::string> erased_keys(Database& database,
                                               const std::vector<std::string>& keys) {
  std::map<std::string, std::string> names;
  const auto [hash_key, erased] = erased_with_key(database, keys);
  for (const auto& key : erased)
    names.emplace(key, erased_key(hash_key, key));
  return names;
}

std::string stored_key(Database& database, const std::string& key) {
  return name_in(erased_keys(database, {key}), key);
}

const std::string& name_in(const std::map<std::string, std::string>& names,
                           const std::string& key) {
  const auto name = names.find(key);
  return name == names.end() ? key : name->second;
}

std::map<std::string, std::string> by_stored_name(Database& database,
                                                  const std::vector<std::string>& keys) {
  const auto erased = erased_keys(database, keys);
  std::map<std::string, std::string> by_name;
  for (const auto& key : keys)
    by_name.emplace(name_in(erased, key), key);
  return by_name;
}

std::vector<Value> names_in(const std::map<std::string, std::string>& by_name) {
  std::vector<Value> names;
  for (const auto& [name, key] : by_name)
    names.emplace_back(name);
  return names;
}

std::vector<std::pair<std::string, std::vector<Value>>> rows_of_keys(
    Database& database, const std::string& select, const std::vector<std::string>& keys,
    const std::string& condition, const std::vector<Value>& parameters) {
  const auto asked = by_stored_name(database, keys);
  std::vector<std::pair<std::string, std::vector<Value>>> found;
  for (auto& row : rows_with_keys(database, select, {"key", ColumnType::key_text}, names_in(asked),
                                  condition, parameters))
    if (const auto of = asked.find(text_in(row.at(0))); of != asked.end())
      found.emplace_back(of->second, std::move(row));
  return found;
}

}  // namespace surveybridge::crm
