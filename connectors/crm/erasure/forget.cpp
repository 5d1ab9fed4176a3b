#include "connectors/crm/erasure/forget.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "config/text.hpp"
#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/ledger/ledger_moves.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "connectors/crm/source/blocklist.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::crm {
namespace {

std::vector<Value> first_cells(const Result& result) {
  std::vector<Value> cells;
  for (const auto& row : result.rows)
    cells.push_back(row.at(0));
  return cells;
}

// The database's collation may take the address of another person for the same.
std::vector<Value> keys_by_address(Database& database, const mapping::Resource& root,
                                   const std::string& address) {
  const Dialect dialect = database.dialect();
  const Result found = database.query(
      {in_dialect(dialect, R"(SELECT "id", "email" FROM )") + quoted(dialect, root.table) +
           in_dialect(dialect, R"( WHERE LOWER("email") = LOWER({text}))"),
       {address}});
  std::vector<Value> keys;
  for (const auto& row : found.rows) {
    if (mapping::normal_address(text_in(row.at(1))) == mapping::normal_address(address))
      keys.push_back(row.at(0));
  }
  return keys;
}

// Keys of the person's transactions.
std::vector<Value> keys_of(Database& database, const std::string& person) {
  return first_cells(database.query(
      {in_dialect(database.dialect(), R"(SELECT "key" FROM "survey_push" WHERE "person" = {key})"),
       {person}}));
}

std::int64_t under_way(Database& database, const std::string& person) {
  const Result found = database.query(
      {in_dialect(database.dialect(), R"(SELECT COUNT(*) FROM "survey_push" WHERE "person" = {key})"
                                      R"( AND "state" IN ('claimed', 'in_doubt'))"),
       {person}});
  return integer_in(found.rows.at(0).at(0));
}

// A rating has no address; our key in its data says whose it is.
std::vector<Value> ratings_of(Database& database, const std::vector<Value>& keys,
                              const std::vector<std::string>& correlates) {
  const Dialect dialect = database.dialect();
  std::set<std::string> labels;
  for (const auto& correlate : correlates)
    labels.merge(labels_of(database, correlate));
  const mapping::TableColumn value{"value", ColumnType::text};
  std::set<std::int64_t> ratings;
  // The database's collation may take the key of another person for the same.
  std::set<std::string> exactly;
  for (const auto& key : keys)
    exactly.insert(text_in(key));
  for (auto& run : key_chunks(dialect, keys)) {
    const std::string sql = in_dialect(dialect, R"(SELECT "rating_id", "display_name", "value")"
                                                R"( FROM "survey_rating_data")") +
                            " WHERE " + one_of(dialect, value, run.size());
    for (const auto& row : database.query({sql, std::move(run)}).rows) {
      if (exactly.contains(text_in(row.at(2))) &&
          labels.contains(config::lower_case(text_in(row.at(1)))))
        ratings.insert(integer_in(row.at(0)));
    }
  }
  return {ratings.begin(), ratings.end()};
}

// What a person's records are found by, of each kind.
using Theirs = std::map<const mapping::Resource*, std::vector<Value>>;

// Read while the records are there.
std::vector<std::vector<WriteRow>> rows_written(Database& database, const Theirs& theirs,
                                                const std::vector<Emptying>& emptyings) {
  std::vector<std::vector<WriteRow>> rows;
  for (const auto& [root, write, name] : emptyings)
    rows.push_back(rows_to_empty(
        write, records_of_push(database, write, stored_records(database, *root, theirs.at(root)))));
  return rows;
}

Emptied empty(Database& database, const Emptying& emptying, const std::vector<WriteRow>& rows) {
  try {
    return {emptying.write.shape.table, write_back(database, emptying.write, rows).changed};
  } catch (const DatabaseError& error) {
    throw DatabaseError(error.kind, emptying.name + ": cannot be emptied: " + error.what());
  }
}

// As LIKE reads it literally.
std::string escaped(const std::string& text) {
  std::string like;
  for (const char c : text) {
    if (c == '!' || c == '%' || c == '_' || c == '[') like += '!';
    like += c;
  }
  return like;
}

// Columns with texts of the service, which may repeat what it was sent: table and column.
constexpr std::array<std::pair<const char*, const char*>, 5> kWords = {
    {{"survey_push", "reason"},
     {"survey_push_event", "detail"},
     {"survey_batch", "detail"},
     {"survey_unreadable", "reason"},
     {"survey_unreadable", "raw"}}};

// With one parameter: what `like` makes of an address.
std::string repeats(Dialect dialect, const char* column) {
  return " WHERE LOWER(" + quoted(dialect, column) + ") LIKE " +
         in_dialect(dialect, "LOWER({text}) ESCAPE '!'");
}

std::string like(const std::string& address) {
  return "%" + escaped(address) + "%";
}

// Erases the texts that repeat the address. Returns the number of rows.
std::int64_t erase_words(Database& database, const std::string& address) {
  std::int64_t rows = 0;
  const Dialect dialect = database.dialect();
  for (const auto& [table, column] : kWords)
    rows +=
        database.execute({"UPDATE " + quoted(dialect, table) + " SET " + quoted(dialect, column) +
                              " = '(erased)'" + repeats(dialect, column),
                          {like(address)}});
  return rows;
}

// Can this byte be part of an e-mail address?
bool is_of_address(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("!#$%&'*+-/=?^_`{|}~.@").find(c) != std::string_view::npos || c < 0;
}

// Does the text have the address by itself, not as a part of a longer one? Also true where the
// database has found it and this comparison, which folds only ASCII letters, does not.
bool has_whole(const std::string& text, const std::string& address) {
  const std::string in = config::lower_case(text), sought = config::lower_case(address);
  auto at = in.find(sought);
  if (at == std::string::npos) return true;
  for (; at != std::string::npos; at = in.find(sought, at + 1)) {
    const auto end = at + sought.size();
    // A full stop may end a sentence.
    const auto after = end < in.size() && in[end] == '.' ? end + 1 : end;
    if ((at == 0 || !is_of_address(in[at - 1])) &&
        (after == in.size() || !is_of_address(in[after])))
      return true;
  }
  return false;
}

// Does a text of the service have the address by itself?
bool words_have(Database& database, const std::string& address) {
  const Dialect dialect = database.dialect();
  return std::ranges::any_of(kWords, [&](const auto& place) {
    const Result found =
        database.query({"SELECT " + quoted(dialect, place.second) + " FROM " +
                            quoted(dialect, place.first) + repeats(dialect, place.second),
                        {like(address)}});
    return std::ranges::any_of(
        found.rows, [&](const auto& row) { return has_whole(text_in(row.at(0)), address); });
  });
}

std::int64_t erase_address(Database& database, const std::string& person,
                           const std::string& address) {
  const Dialect dialect = database.dialect();
  database.execute(
      {in_dialect(dialect, R"(UPDATE "survey_push" SET "email" = NULL)"
                           R"( WHERE "person" = {key} OR )" +
                               exact(dialect, R"(LOWER("email"))") + " = LOWER({text})"),
       {person, address}});
  return erase_words(database, address);
}

// In the history of each transaction, which stays as it is.
void note_in_history(Database& database, const std::string& person, const std::string& detail) {
  database.execute(
      {in_dialect(
           database.dialect(),
           R"(INSERT INTO "survey_push_event" ("push", "key", "at", "state", "batch", "detail"))"
           R"( SELECT "push", "key", {instant}, "state", "batch", {text} FROM "survey_push")"
           R"( WHERE "person" = {key})"),
       {database.now(), bounded(detail), person}});
}

// Who decided, as the fact's source. `again`: the first fact stays, with its time.
void note_forgotten(Database& database, const std::string& person, const std::string& decided_by,
                    bool again) {
  const std::string source = decided_by.empty() ? "forget" : "forget by " + decided_by;
  if (!again)
    People(database).note(
        {{person, FactKind::forgotten, std::string(config::first_bytes(source, kKeyBytesMax)),
          database.now()}});
  if (decided_by.empty()) return;
  note_in_history(database, person, "the person is forgotten, decided by " + decided_by);
}

}  // namespace

// Archived columns too: what carries a person's key must not stay for its label's sake.
std::set<std::string> labels_of(Database& database, const std::string& data_column) {
  if (data_column.empty()) return {};
  std::set<std::string> labels = {config::lower_case(data_column)};
  for (const auto& column : stored_data_columns(database)) {
    if (!mapping::is_called(column, data_column)) continue;
    labels.insert(config::lower_case(column.name));
    labels.insert(config::lower_case(column.display_name));
  }
  labels.erase("");
  return labels;
}

namespace {

Theirs theirs_in(Database& database, const std::string& address, const std::vector<Value>& keys,
                 const std::vector<std::string>& correlates) {
  return {{&mapping::customer(), keys_by_address(database, mapping::customer(), address)},
          {&mapping::bouncer(), keys_by_address(database, mapping::bouncer(), address)},
          {&mapping::rating(), ratings_of(database, keys, correlates)}};
}

// Within a transaction of the CRM's.
std::vector<Emptied> empty_all(Database& store, Database& crm, const Theirs& theirs,
                               const std::vector<Emptying>& emptyings) {
  const auto written = rows_written(store, theirs, emptyings);
  std::vector<Emptied> emptied;
  for (std::size_t i = 0; i < emptyings.size(); ++i)
    emptied.push_back(empty(crm, emptyings[i], written[i]));
  return emptied;
}

void look_up_facts(Database& store, const std::string& person, Erased& erased) {
  const auto histories = People(store).contact_histories({person}, Asked::facts);
  const auto known = histories.find(person);
  if (known == histories.end()) return;
  erased.has_facts = !known->second.facts.empty();
  erased.was_forgotten = known->second.facts.contains(FactKind::forgotten);
}

}  // namespace

// It waits for every page, claim and settlement that is under way, and they wait for it, so that
// neither sees half of the other and no two of them wait for each other's rows.
Erased forget(Database& store, Database& crm, const std::string& person, const std::string& address,
              const std::vector<std::string>& correlates, const std::vector<Emptying>& emptyings,
              const std::string& decided_by, Unknown unknown) {
  Erased erased;
  const bool apart = &crm != &store;
  if (apart && !emptyings.empty()) {
    Transaction in_crm(crm);
    erased.emptied = empty_all(
        store, crm, theirs_in(store, address, keys_of(store, person), correlates), emptyings);
    in_crm.commit();
  }
  Transaction transaction(store);
  People(store).count_forget();
  const auto keys = keys_of(store, person);
  const Theirs theirs = theirs_in(store, address, keys, correlates);
  if (!apart) erased.emptied = empty_all(store, crm, theirs, emptyings);
  erased.customers = erase(store, mapping::customer(), theirs.at(&mapping::customer()));
  erased.bouncers = erase(store, mapping::bouncer(), theirs.at(&mapping::bouncer()));
  erased.ratings = erase(store, mapping::rating(), theirs.at(&mapping::rating()));
  erased.transactions = static_cast<std::int64_t>(keys.size());
  erased.under_way = under_way(store, person);
  look_up_facts(store, person, erased);
  if (unknown == Unknown::leave && erased.has_found_nothing() && !words_have(store, address))
    return erased;
  erased.texts = erase_address(store, person, address);
  note_forgotten(store, person, decided_by, erased.was_forgotten);
  transaction.commit();
  erased.is_forgotten = true;
  return erased;
}

}  // namespace surveybridge::crm
