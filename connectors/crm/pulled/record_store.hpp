// Writes a page of records into the pulled tables, within the caller's transaction: only new or
// different records, as rows of the root's table and its children.
#pragma once

#include <span>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "mapping/tables/enumerations.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {

// Records and their rows, each key once.
struct Page {
  std::vector<mapping::Record> records;
  std::vector<mapping::TableRows> tables;  // as rows_of() gives them
};

// Of two records with one key the later one stays. Computing a digest is the most expensive step,
// so the rows with it are made once, here. Enumerations that are known by half are completed
// first.
Page page_of(const mapping::Resource& root, std::span<const mapping::Record> records,
             Instant changed_at, const mapping::Enumerations& choices = {});

// Removes the records that are stored unchanged. Returns their number.
std::int64_t drop_stored(Database& database, Page& page);

// Writes a page: a root's row is replaced, and all rows of its children too.
void store(Database& database, const Page& page);

// Removes the root's rows with these keys, and their children's. Returns the root's number.
std::int64_t erase(Database& database, const mapping::Resource& root,
                   const std::vector<Value>& keys);

}  // namespace surveybridge::crm
