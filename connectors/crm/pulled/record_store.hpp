// A page of records into the pulled tables, within the caller's transaction: what of it is new or
// different, and those rows in the root's table and its children.
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

// Of two records with one key the later stays. The digest of a record costs more than all else
// that is done to it, so the rows that hold it are made once, here.
// Enumerations that are known by half are completed first.
Page page_of(const mapping::Resource& root, std::span<const mapping::Record> records,
             Instant changed_at, const mapping::Enumerations& choices = {});

// Takes out the records that are stored just so already. How many.
std::int64_t drop_stored(Database& database, Page& page);

// Writes a page: a root's row is replaced, and so are all rows of its children.
void store(Database& database, const Page& page);

// Removes the root's rows with these keys, and all rows of its children. How many of the root's.
std::int64_t erase(Database& database, const mapping::Resource& root,
                   const std::vector<Value>& keys);

}  // namespace surveybridge::crm
