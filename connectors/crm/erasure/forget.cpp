#include "connectors/crm/erasure/forget.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "config/service_list.hpp"
#include "config/text.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/erasure/traces.hpp"
#include "connectors/crm/ledger/ledger_moves.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/pulled/written_cells.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "connectors/crm/source/blocklist.hpp"
#include "mapping/values/address.hpp"
#include "mapping/values/person.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::crm {
namespace {

std::vector<Value> first_cells(const Result& result) {
  std::vector<Value> cells;
  for (const auto& row : result.rows)
    cells.push_back(row.at(0));
  return cells;
}

// Does the cell name this address and nothing else, with a name before it perhaps?
bool is_address(const Value& cell, const std::string& address) {
  const auto same = [&](const std::string& one) {
    return mapping::normal_address(one) == mapping::normal_address(address);
  };
  const std::string text = text_in(cell);
  const auto named = mapping::addresses_in(text);
  return same(text) ||
         (named.whole && !named.addresses.empty() && std::ranges::all_of(named.addresses, same));
}

std::vector<Value> keys_by_address(Database& database, const mapping::Resource& root,
                                   const std::string& address) {
  const Dialect dialect = database.dialect();
  std::vector<Value> keys;
  database.read_each(
      in_dialect(dialect, R"(SELECT "id", "email" FROM ")" + std::string(root.table) +
                              R"(" WHERE )" + may_hold(dialect, "email", address)),
      [&](const std::vector<Value>& row) {
        if (is_address(row.at(1), address)) keys.push_back(row.at(0));
      });
  return keys;
}

// Keys of the person's transactions, and those that the service lists and the ledger does not know.
struct TheirKeys {
  std::vector<Value> transactions, listed;

  std::vector<Value> all() const {
    auto keys = transactions;
    keys.insert(keys.end(), listed.begin(), listed.end());
    return keys;
  }
};
TheirKeys keys_of(Database& database, const std::string& person) {
  const auto in = [&](const char* table) {
    const Dialect dialect = database.dialect();
    const std::string sql = in_dialect(dialect, R"(SELECT "key" FROM )") + quoted(dialect, table) +
                            in_dialect(dialect, R"( WHERE "person" = {key})");
    return first_cells(database.query({sql, {person}}));
  };
  return {in("survey_push"), in("survey_listed")};
}

std::int64_t under_way(Database& database, const std::string& person) {
  const Result found = database.query(
      {in_dialect(database.dialect(), R"(SELECT COUNT(*) FROM "survey_push" WHERE "person" = {key})"
                                      R"( AND "state" IN ('claimed', 'in_doubt'))"),
       {person}});
  return integer_in(found.rows.at(0).at(0));
}

// The names of these data columns as ratings have them: each in its case of letters.
std::vector<std::string> names_in_ratings(Database& database, const std::set<std::string>& labels) {
  const Dialect dialect = database.dialect();
  std::vector<std::string> names;
  database.read_each("SELECT DISTINCT " + exact(dialect, quoted(dialect, "display_name")) + " AS " +
                         quoted(dialect, "name") + " FROM " + quoted(dialect, "survey_rating_data"),
                     [&](const std::vector<Value>& row) {
                       std::string name = text_in(row.at(0));
                       if (labels.contains(config::lower_case(name)))
                         names.push_back(std::move(name));
                     });
  return names;
}

// A rating has no address; our key in its data says whose it is. Other data may have the key as a
// value in any number of ratings: only those of its columns are read.
std::vector<Value> ratings_of(Database& database, const std::vector<Value>& keys,
                              const std::vector<std::string>& correlates) {
  if (keys.empty()) return {};
  std::set<std::string> labels;
  for (const auto& correlate : correlates)
    labels.merge(labels_of(database, correlate));
  std::set<std::int64_t> ratings;
  // The database's collation may take the key of another person for the same.
  std::set<std::string> exactly;
  for (const auto& key : keys)
    exactly.insert(text_in(key));
  for (const auto& name : names_in_ratings(database, labels)) {
    for (const auto& row : rows_with_keys(
             database, R"(SELECT "rating_id", "value" FROM "survey_rating_data")",
             {"value", ColumnType::text}, keys, R"( AND "display_name" = {text})", {name}))
      if (exactly.contains(text_in(row.at(1)))) ratings.insert(integer_in(row.at(0)));
  }
  return {ratings.begin(), ratings.end()};
}

// Records of the person's transactions, by the key or the number that the ledger knows. They may be
// gone, and what reports have of them is there.
std::vector<Value> by_transaction(Database& database, const std::string& person, const char* from,
                                  const char* id) {
  const std::string of = std::string("SELECT t.\"") + id + "\" FROM \"" + from + "\" t";
  return first_cells(database.query(
      {in_dialect(database.dialect(),
                  of + R"( JOIN "survey_push" p ON p."push" = t."push" AND p."key" = t."key")"
                       R"( WHERE p."person" = {key})"),
       {person}}));
}

std::vector<Value> numbers_of(Database& database, const std::string& person, const char* from) {
  return first_cells(database.query(
      {in_dialect(database.dialect(), std::string(R"(SELECT "customer_id" FROM ")") + from +
                                          R"(" WHERE "person" = {key} AND "customer_id" IS NOT)"
                                          R"( NULL)"),
       {person}}));
}

// Which records have told facts about the person.
std::vector<Value> told_by(Database& database, const std::string& person, bool customers) {
  std::vector<Value> keys;
  for (const auto& row :
       query_rows(database, R"(SELECT "ref", "kind" FROM "survey_person" WHERE "person" = {key})",
                  {person})) {
    const std::string ref = text_in(row.at(0));
    const bool bounce = text_in(row.at(1)).starts_with("bounced");
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(ref.data(), ref.data() + ref.size(), number);
    const bool numbered = fault == std::errc() && end == ref.data() + ref.size();
    if (customers && numbered && !bounce) keys.emplace_back(number);
    if (!customers && bounce) keys.emplace_back(ref);
  }
  return keys;
}

// Without those that have the address of somebody else now.
std::vector<Value> without_others(Database& database, const mapping::Resource& root,
                                  std::vector<Value> keys, const std::string& address) {
  std::set<std::string> others;
  for (const auto& row :
       rows_with_keys(database, R"(SELECT "id", "email" FROM ")" + std::string(root.table) + "\"",
                      mapping::tables_of(root).front().columns.front(), keys)) {
    const std::string email = text_in(row.at(1));
    if (!mapping::addresses_in(email).addresses.empty() && !is_address(row.at(1), address))
      others.insert(text_in(row.at(0)));
  }
  std::erase_if(keys, [&](const Value& key) { return others.contains(text_in(key)); });
  return keys;
}

std::vector<Value> each_once(std::initializer_list<std::vector<Value>> lists) {
  std::map<std::string, Value> once;
  for (const auto& list : lists)
    for (const auto& key : list)
      once.emplace(text_in(key), key);
  std::vector<Value> all;
  for (auto& [text, key] : once)
    all.push_back(std::move(key));
  return all;
}

// What a person's records are found by, of each kind.
using Theirs = std::map<const mapping::Resource*, std::vector<Value>>;

// Of an Emptying: rows that were made are removed, and the cells of what is left are emptied.
using RowsToErase = WrittenCells::Theirs;

RecordsOfLists by_list(const Theirs& theirs) {
  RecordsOfLists records;
  for (const auto& [root, keys] : theirs)
    for (const auto& key : keys)
      records[config::list_of(root->name)].insert(text_in(key));
  return records;
}

// Of each Emptying. Read while the records are there.
std::vector<RowsToErase> rows_written(Database& database, const Theirs& theirs,
                                      const std::vector<Emptying>& emptyings) {
  std::vector<RowsToErase> rows;
  for (const auto& [root, write, name] : emptyings) {
    const auto records = stored_records(database, *root, theirs.at(root));
    rows.push_back(WrittenCells(database).of(
        by_list(theirs), write, rows_to_empty(write, records_of_push(database, write, records))));
  }
  return rows;
}

// Rows that were written for the person, and that the CRM has no longer under that match: it has
// removed or changed them since.
std::int64_t not_found(const RowsToErase& rows, const Written& written) {
  return std::ranges::count_if(written.unmatched, [&](const WriteRow& row) {
    return std::ranges::none_of(rows.made,
                                [&](const MadeRow& made) { return made.row.match == row.match; });
  });
}

Emptied empty(Database& database, const Emptying& emptying, const RowsToErase& rows) {
  CompiledWrite write = emptying.write;
  write.insert = false;  // a row that is gone is not made again
  try {
    const auto deleted = remove_made(database, write, rows.made);
    const Written written = write_back(database, write, rows.rows);
    if (!written.missing.empty()) {
      const auto& [record, column, reason] = written.missing.front();
      throw DatabaseError(DatabaseError::Kind::other, "column " + column + ": " + reason);
    }
    return {write.shape.table, written.changed, deleted, not_found(rows, written)};
  } catch (const DatabaseError& error) {
    std::string what = emptying.name + ": cannot be emptied: " + error.what();
    if (write.deletes && refuses_null(error.code))
      what += "; the row was not made here: delete it in the CRM";
    const bool may_pass =
        error.kind == DatabaseError::Kind::connection || error.kind == DatabaseError::Kind::busy;
    if (may_pass) throw DatabaseError(error.kind, what, error.code);
    throw NotEmptied(error.kind, what, error.code);
  }
}

// Cells of the person's rows that are erased while the row stays.
struct CellOfPerson {
  std::string table, column;
  std::string_view then;  // empty: NULL
};
const std::vector<CellOfPerson>& cells_of_person() {
  static const std::vector<CellOfPerson> all = {
      {"survey_push", "email", ""},
      {"survey_push", "digest", ""},
      // The key stays: a rating that comes later says by it whose it is.
      {"survey_listed", "transaction_date", ""},
      {"survey_unreadable", "raw", kErased}};
  return all;
}

void erase_address(Database& database, const std::string& person) {
  for (const auto& [table, column, then] : cells_of_person()) {
    const std::string value = then.empty() ? "NULL" : "'" + std::string(then) + "'";
    run_statement(
        database,
        "UPDATE \"" + table + "\" SET \"" + column + "\" = " + value + R"( WHERE "person" = {key})",
        {person});
  }
}

// In the history of each transaction, which stays as it is.
void note_in_history(Database& database, const std::string& person, const std::string& detail) {
  run_statement(
      database,
      R"(INSERT INTO "survey_push_event" ("push", "key", "at", "state", "batch", "detail"))"
      R"( SELECT "push", "key", {instant}, "state", "batch", {text} FROM "survey_push")"
      R"( WHERE "person" = {key})",
      {database.now(), bounded(detail), person});
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

Theirs theirs_in(Database& database, const std::string& person, const std::string& address,
                 const std::vector<std::string>& correlates) {
  const auto& customer = mapping::customer();
  const auto& bouncer = mapping::bouncer();
  const auto customers = each_once(
      {keys_by_address(database, customer, address),
       by_transaction(database, person, "survey_invitation", "customer_id"),
       numbers_of(database, person, "survey_push"),
       without_others(database, customer, numbers_of(database, person, "survey_listed"), address),
       without_others(database, customer, told_by(database, person, true), address)});
  const auto bouncers =
      each_once({keys_by_address(database, bouncer, address),
                 by_transaction(database, person, "survey_bounce", "bouncer_id"),
                 without_others(database, bouncer, told_by(database, person, false), address)});
  return {{&customer, customers},
          {&bouncer, bouncers},
          {&mapping::rating(),
           each_once({ratings_of(database, keys_of(database, person).all(), correlates),
                      by_transaction(database, person, "survey_rating_match", "rating_id")})}};
}

template <typename Row>
void add_new(std::vector<Row>& known, const std::vector<Row>& found) {
  for (const auto& row : found)
    if (std::ranges::find(known, row) == known.end()) known.push_back(row);
}

// Within a transaction of the CRM's. `known`: rows that were found before, whose records may be
// gone; those that are found now are added. The last write's first: its rows may refer to rows that
// an earlier write has made.
std::vector<Emptied> empty_all(Database& store, Database& crm, const Theirs& theirs,
                               const std::vector<Emptying>& emptyings,
                               std::vector<RowsToErase>& known) {
  const auto written = rows_written(store, theirs, emptyings);
  known.resize(emptyings.size());
  std::vector<Emptied> emptied(emptyings.size());
  for (std::size_t i = emptyings.size(); i-- > 0;) {
    add_new(known[i].rows, written[i].rows);
    add_new(known[i].made, written[i].made);
    emptied[i] = empty(crm, emptyings[i], known[i]);
  }
  return emptied;
}

// Rows that were written for these records, and that none of the Emptyings knows: their match was
// another one then, or another configuration has written them.
void count_others(Database& store, const Theirs& theirs, const std::vector<Emptying>& emptyings,
                  const std::vector<RowsToErase>& known,
                  std::map<std::string, std::int64_t>& rows) {
  std::set<std::string> matches;
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (const auto& row : known[i].rows)
      matches.insert(WrittenCells::match_of(emptyings[i].write, row));
    for (const auto& made : known[i].made)
      matches.insert(WrittenCells::match_of(emptyings[i].write, made.row));
  }
  for (const auto& [table, noted] : WrittenCells(store).matches_of(by_list(theirs)))
    for (const auto& match : noted)
      if (!matches.contains(match)) ++rows[table];
}

// Also of rows that a record of somebody else's had made.
void remove_notes(Database& store, const std::vector<Emptying>& emptyings,
                  const std::vector<RowsToErase>& known) {
  for (std::size_t i = 0; i < known.size(); ++i)
    WrittenCells(store).remove(emptyings[i].write, known[i].made);
}

void look_up_facts(Database& store, const std::string& person, Erased& erased) {
  const auto histories = People(store).contact_histories({person}, Asked::facts);
  const auto known = histories.find(person);
  if (known == histories.end()) return;
  erased.has_facts = !known->second.facts.empty();
  erased.was_forgotten = known->second.facts.contains(FactKind::forgotten);
}

// Each row once, however many searches find it.
class FoundRows {
 public:
  void add(const std::string& table, const NamedCells& key, const NamedCells& cells) {
    std::vector<std::string> texts;
    for (const auto& [column, value] : key)
      texts.push_back(text_in(value));
    NamedCells& row = rows_[table][std::move(texts)];
    for (const auto* list : {&key, &cells})
      for (const auto& cell : *list)
        if (std::ranges::find(row, cell.first, &NamedCells::value_type::first) == row.end())
          row.push_back(cell);
  }

  void add_whole_rows(const Table& table, const Result& result) {
    for (const auto& row : result.rows) {
      NamedCells cells;
      for (std::size_t i = 0; i < row.size(); ++i)
        cells.emplace_back(result.columns.at(i).name, typed(table, result.columns[i].name, row[i]));
      add(table.name, key_of(table, cells), cells);
    }
  }

  std::vector<FoundTable> take() {
    std::vector<FoundTable> all;
    for (auto& [table, rows] : rows_) {
      all.push_back({table, {}});
      for (auto& [key, cells] : rows)
        all.back().rows.push_back(std::move(cells));
    }
    return all;
  }

 private:
  // A column that the table has got for a score is as the database gives it.
  static Value typed(const Table& table, const std::string& column, const Value& cell) {
    const auto known = std::ranges::find(table.columns, column, &mapping::TableColumn::name);
    return known == table.columns.end() ? cell : as_written(cell, known->type);
  }
  static NamedCells key_of(const Table& table, const NamedCells& cells) {
    NamedCells key;
    for (std::size_t i = 0; i < table.key_size; ++i)
      key.push_back(
          *std::ranges::find(cells, table.columns[i].name, &NamedCells::value_type::first));
    return key;
  }

  std::map<std::string, std::map<std::vector<std::string>, NamedCells>> rows_;
};

NamedCells key_cells(const Table& table, const std::vector<Value>& row) {
  NamedCells key;
  for (std::size_t i = 0; i < table.key_size; ++i)
    key.emplace_back(table.columns[i].name, as_written(row.at(i), table.columns[i].type));
  return key;
}

// What erase_address() would erase.
void find_cells_of_person(Database& store, const std::string& person, FoundRows& found) {
  for (const auto& [name, column, then] : cells_of_person()) {
    const Table& table = table_named(name).table;
    std::string select;
    for (std::size_t i = 0; i < table.key_size; ++i)
      select += "\"" + table.columns[i].name + "\", ";
    for (const auto& row :
         query_rows(store,
                    "SELECT " + select + "\"" + column + "\" FROM \"" + name +
                        R"(" WHERE "person" = {key} AND ")" + column + "\" IS NOT NULL",
                    {person})) {
      const Value& cell = row.at(table.key_size);
      if (mapping::text_of(cell) != kErased)
        found.add(name, key_cells(table, row), {{column, cell}});
    }
  }
}

// Does a row that is found whole have these cells? A key of a JSON object is in a cell of it.
bool has_cells(const std::vector<NamedCells>& whole, const NamedCells& cells) {
  const auto differs = [&](const NamedCells& row) {
    return std::ranges::any_of(cells, [&](const auto& cell) {
      const auto same = std::ranges::find(row, cell.first, &NamedCells::value_type::first);
      return same != row.end() && same->second != cell.second;
    });
  };
  return !std::ranges::all_of(whole, differs);
}

// What empty() would erase: rows that were made, and of others the columns of the write-back.
FoundTable cells_to_empty(Database& crm, const Emptying& emptying, const RowsToErase& rows) {
  const WriteShape& shape = emptying.write.shape;
  FoundTable found{shape.table, {}};
  for (const auto& made : rows.made) {
    const Result result = crm.query(select_made(crm.dialect(), shape, made));
    for (const auto& row : result.rows) {
      NamedCells& cells = found.rows.emplace_back();
      for (std::size_t i = 0; i < row.size(); ++i)
        cells.emplace_back(result.columns.at(i).name, row[i]);
    }
  }
  const auto whole = found.rows;
  for (const auto& row : rows_to_change(crm, emptying.write, rows.rows)) {
    NamedCells cells;
    for (std::size_t i = 0; i < row.match.size(); ++i)
      cells.emplace_back(shape.match[i].name, row.match[i]);
    for (std::size_t i = 0; i < row.set.size(); ++i)
      if (!mapping::is_null(row.set[i]) && std::ranges::find(row.left, i) == row.left.end())
        cells.emplace_back(shape.set[i].shown(), row.set[i]);
    if (cells.size() > row.match.size() && !has_cells(whole, cells))
      found.rows.push_back(std::move(cells));
  }
  return found;
}

}  // namespace

Found find_person(Database& store, Database& crm, const std::string& person,
                  const std::string& address, const std::vector<std::string>& correlates,
                  const std::vector<Emptying>& emptyings) {
  const Theirs theirs = theirs_in(store, person, address, correlates);
  FoundRows in_store;
  for (const auto& [root, keys] : theirs)
    for (const auto& [table, rows] : rows_to_erase(store, *root, keys))
      in_store.add_whole_rows(*table, rows);
  find_cells_of_person(store, person, in_store);
  const auto hash_key = People(store).stored_hash_key().value_or("");
  for (const Trace& trace : traces_of(store, hash_key, address)) {
    NamedCells cells;
    for (const auto& cell : trace.cells)
      cells.emplace_back(cell.column, cell.theirs);
    in_store.add(trace.table, key_cells(table_named(trace.table).table, trace.key), cells);
  }
  Found found{in_store.take(), {}};
  const auto written = rows_written(store, theirs, emptyings);
  for (std::size_t i = 0; i < emptyings.size(); ++i)
    if (auto table = cells_to_empty(crm, emptyings[i], written[i]); !table.rows.empty())
      found.crm.push_back(std::move(table));
  return found;
}

namespace {

// The number of these records whose write-backs can be looked up. Without write-backs it is all.
std::int64_t looked_up(Database& store, const mapping::Resource& root,
                       const std::vector<Value>& keys, bool writes_back) {
  return writes_back ? std::ssize(stored_records(store, root, keys)) : std::ssize(keys);
}

// Another node of a cluster may store a record after the write-backs were looked up. Without the
// record nobody would find what it wrote back: the transaction fails then, and is repeated.
std::int64_t erase_looked_up(Database& store, const mapping::Resource& root,
                             const std::vector<Value>& keys, std::int64_t looked_up) {
  const auto removed = erase(store, root, keys);
  if (removed > looked_up)
    throw DatabaseError(DatabaseError::Kind::busy,
                        "another node of the cluster has stored a record of the person meanwhile",
                        {"40001"});
  return removed;
}

}  // namespace

void erase_with_writes(Database& store, Database& crm, const mapping::Resource& root,
                       const std::vector<Value>& keys, const std::vector<Emptying>& emptyings) {
  Theirs theirs{{&mapping::customer(), {}}, {&mapping::bouncer(), {}}, {&mapping::rating(), {}}};
  theirs[&root] = keys;
  const bool apart = &crm != &store;
  std::vector<RowsToErase> known;
  if (apart) {
    Transaction in_crm(crm);
    empty_all(store, crm, theirs, emptyings, known);
    in_crm.commit();
  }
  Transaction transaction(store);
  if (!apart) People(store).wait_as_forget();
  const auto seen = looked_up(store, root, keys, !apart);
  if (!apart) empty_all(store, crm, theirs, emptyings, known);
  remove_notes(store, emptyings, known);
  erase_looked_up(store, root, keys, seen);
  transaction.commit();
}

void mark_forgotten(Database& store, const std::string& person, const std::string& decided_by) {
  Transaction transaction(store);
  People(store).count_forget();
  Erased known;
  look_up_facts(store, person, known);
  note_forgotten(store, person, decided_by, known.was_forgotten);
  transaction.commit();
  try {
    People(store).pass_all_gates();
  } catch (const DatabaseError&) {
    // The mark stands; another node sees it when it has caught up.
  }
}

namespace {

// It waits for every page, claim and settlement that is under way, and they wait for it, so that
// neither sees half of the other and no two of them wait for each other's rows.
Erased forget_once(Database& store, Database& crm, const std::string& person,
                   const std::string& address, const std::vector<std::string>& correlates,
                   const std::vector<Emptying>& emptyings, const std::string& decided_by,
                   Unknown unknown, std::vector<RowsToErase>& known) {
  Erased erased;
  const bool apart = &crm != &store;
  if (apart && !emptyings.empty()) {
    Transaction in_crm(crm);
    erased.emptied =
        empty_all(store, crm, theirs_in(store, person, address, correlates), emptyings, known);
    in_crm.commit();
  }
  Transaction transaction(store);
  People(store).count_forget();
  const Theirs theirs = theirs_in(store, person, address, correlates);
  std::map<const mapping::Resource*, std::int64_t> seen;
  for (const auto& [root, keys] : theirs)
    seen[root] = looked_up(store, *root, keys, !apart && !emptyings.empty());
  const auto erase_all = [&](const mapping::Resource& root) {
    return erase_looked_up(store, root, theirs.at(&root), seen.at(&root));
  };
  if (!apart) erased.emptied = empty_all(store, crm, theirs, emptyings, known);
  for (const auto& emptied : erased.emptied)
    if (emptied.not_found > 0) erased.not_found[emptied.table] += emptied.not_found;
  count_others(store, theirs, emptyings, known, erased.not_found);
  remove_notes(store, emptyings, known);
  erased.customers = erase_all(mapping::customer());
  erased.bouncers = erase_all(mapping::bouncer());
  erased.ratings = erase_all(mapping::rating());
  erased.transactions = static_cast<std::int64_t>(keys_of(store, person).transactions.size());
  erased.under_way = under_way(store, person);
  look_up_facts(store, person, erased);
  erase_address(store, person);
  const auto hash_key = People(store).stored_hash_key().value_or("");
  erased.texts = erase_traces(store, traces_of(store, hash_key, address));
  if (unknown == Unknown::leave && erased.has_found_nothing()) return erased;
  note_erased(store, person);
  note_forgotten(store, person, decided_by, erased.was_forgotten);
  transaction.commit();
  erased.is_forgotten = true;
  return erased;
}

// The database rolled it back because of another transaction: on this server, or on another node of
// its cluster.
bool is_rolled_back(const DatabaseError& error) {
  return error.kind == DatabaseError::Kind::busy && error.code.sqlstate.starts_with("40");
}

constexpr int kTries = 5;

void add(Erased& erased, const Erased& more) {
  erased.customers += more.customers;
  erased.bouncers += more.bouncers;
  erased.ratings += more.ratings;
  erased.texts += more.texts;
  erased.transactions = more.transactions;
  erased.under_way = more.under_way;
  for (std::size_t i = 0; i < erased.emptied.size() && i < more.emptied.size(); ++i) {
    erased.emptied[i].rows += more.emptied[i].rows;
    erased.emptied[i].deleted += more.emptied[i].deleted;
  }
}

}  // namespace

// On another node of a cluster a page or a claim may have been under way that this one did not see.
// Once all gates are passed whatever it has stored is there, and none can follow. A row of the CRM
// may have been written by it from a record that was still there, and is emptied again.
Erased forget(Database& store, Database& crm, const std::string& person, const std::string& address,
              const std::vector<std::string>& correlates, const std::vector<Emptying>& emptyings,
              const std::string& decided_by, Unknown unknown) {
  std::vector<RowsToErase> known;
  const auto once = [&](const std::string& by, Unknown how) {
    for (int tries = 1;; ++tries) {
      try {
        return forget_once(store, crm, person, address, correlates, emptyings, by, how, known);
      } catch (const DatabaseError& error) {
        if (!is_rolled_back(error) || tries == kTries) throw;
      }
    }
  };
  Erased erased = once(decided_by, unknown);
  if (!erased.is_forgotten) return erased;
  try {
    if (People(store).pass_all_gates()) add(erased, once("", Unknown::forget));
  } catch (const DatabaseError&) {
    erased.may_be_left = true;
  }
  return erased;
}

}  // namespace surveybridge::crm
