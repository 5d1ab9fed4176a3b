// The DDL of every table the bridge owns, as text for a dialect (pure), and making them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

// CREATE TABLE/INDEX … IF NOT EXISTS, one statement an entry, in an order that works.
std::vector<std::string> schema(Dialect dialect);

// The same for what this database lacks: whole tables, indexes, and columns of a table of an
// earlier version. Empty: nothing.
std::vector<std::string> missing_schema(Database& database);

// The same for a look that leaves nothing behind, within a transaction that is rolled back. Where
// CREATE TABLE would end that transaction: tables that only this session sees.
std::vector<std::string> missing_schema_for_a_look(Database& database);

// Tables and indexes named survey… that are there, each with its columns. Throws RefusedTables
// where the database keeps no tables of ours.
using Catalogue = std::map<std::string, std::set<std::string>>;
Catalogue catalogue(Database& database);

// Our tables that are there, each with those of its columns that are there. Without tables that
// somebody else made.
std::vector<BridgeTable> present_tables(Database& database);

// Each setting of the database under which what was committed may be lost, as a sentence.
std::vector<std::string> durability_gaps(Database& database);

// Names of tables that are called like one of ours and were made by somebody else: a key column of
// ours is missing, or most columns are not ours.
std::vector<std::string> foreign_tables(Database& database);
// What to tell people of such a table.
std::string foreign_table_problem(const std::string& table);

// The statement with which lock_schema() locks here: an advisory lock, or that of a row where the
// database has none; empty where two sessions cannot disturb each other. Outside of a transaction.
std::string schema_lock(Database& database);
// Waits until no other session changes our tables, and lets none do so until the transaction ends.
void lock_schema(Database& database, const std::string& lock);

// Is there a table of this name, which begins with "survey"?
bool has_table(Database& database, const std::string& name);

// Throws RefusedTables (schema_version.hpp) where nothing may be read or written.
void refuse_tables(Database& database);

// Makes what is missing: tables, indexes, and columns that a table of an earlier version lacks.
// Idempotent, also with two instances at once. Nothing is ever dropped or changed. Throws
// DatabaseError(other), and makes nothing, where a table is foreign, and RefusedTables where a
// later version has been here.
void make_schema(Database& database);

// The statement by which the database's administrator lets the account of this session create our
// tables, in the place where they are. Empty: the database has no such statement, or the account
// cannot be asked for.
std::string grant_to_create(Database& database);
// The same for another right: "USAGE ON SEQUENCE numbers", or "SELECT" on a table of the CRM's.
std::string grant(Database& database, const std::string& right);
std::string grant_on_table(Database& database, const std::string& right, const std::string& table);

}  // namespace surveybridge::crm
