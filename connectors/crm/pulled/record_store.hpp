// Writes a page of records into the pulled tables, within the caller's transaction: only new or
// different records, as rows of the root's table and its children.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "connectors/crm/dialect/ddl.hpp"
#include "connectors/crm/driver/database.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {

// Records and their rows, each key once.
struct Page {
  const mapping::Resource* root;
  std::span<const mapping::Record> records;
  std::vector<std::string> digests;  // parallel to the records
  Instant changed_at;
  // The keys of those that are stored with another content, once drop_stored has looked. Empty: not
  // known, so that any of them may be stored.
  std::optional<std::vector<Value>> replaced = {};
};

// For the rest of the transaction: rows are found by an index, also in a table that was small when
// the database last looked.
void prefer_indexes(Database& database);

// Of two records with one key only the last one stays; returns how many have gone.
std::int64_t keep_latest(std::vector<mapping::Record>& records);

// A page of these records, each key once. The page is valid as long as they are.
Page page_of(const mapping::Resource& root, std::span<const mapping::Record> records,
             Instant changed_at);

// Takes the records that are stored unchanged out of the page and puts them behind the others in
// `records`, of which the page was made. Notes which of the others are stored. Returns the number
// of those taken out.
std::int64_t drop_stored(Database& database, Page& page, std::span<mapping::Record> records);

// Writes a page: a root's row is replaced, and so are the rows of the children of records that were
// stored before; others are inserted. DatabaseError(constraint) where a record that was not stored
// is there by now, or has children in the tables: somebody has repaired them by hand. Then
// page.replaced must be empty. `meanwhile` is called once, while the database takes many rows in,
// or at the end: for work with the page that needs no database.
void store(Database& database, const Page& page, std::function<void()> meanwhile = nullptr);

// What stays of records that are erased. Of one that is only too old it is known which receivers
// were told of it: it may be stored again.
enum class Stays { nothing, who_was_told };

// Removes the root's rows with these keys, their children's, and what reports and write-backs note
// of them. Returns the root's number.
std::int64_t erase(Database& database, const mapping::Resource& root,
                   const std::vector<Value>& keys, Stays stays = Stays::nothing);
// The rows that erase() would remove, with the table of each group.
std::vector<std::pair<const Table*, Result>> rows_to_erase(Database& database,
                                                           const mapping::Resource& root,
                                                           const std::vector<Value>& keys);

}  // namespace surveybridge::crm
