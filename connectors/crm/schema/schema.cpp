#include "connectors/crm/schema/schema.hpp"

#include <algorithm>
#include <functional>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/owners.hpp"
#include "connectors/crm/schema/schema_version.hpp"

namespace surveybridge::crm {

Catalogue catalogue(Database& database) {
  const DialectTraits& dialect = traits(database.dialect());
  if (!dialect.keeps_our_tables) {
    throw RefusedTables("the bridge keeps no tables of its own in " + std::string(dialect.product) +
                        ": [store] must name another database (docs/GUIDE.md 8)");
  }
  Catalogue there;
  for (const auto& row : database.query({std::string(dialect.objects), {}}).rows)
    there[text_in(row.at(0))].insert(text_in(row.at(1)));
  return there;
}

namespace {

constexpr const char* kDigest = "digest";
constexpr const char* kSeal = "survey_seal";

// What a database lacks.
struct Missing {
  std::vector<std::string> tables, columns, indexes;

  std::vector<std::string> all() && {
    for (auto* more : {&columns, &indexes})
      tables.insert(tables.end(), more->begin(), more->end());
    return std::move(tables);
  }
};

// A table of ours always had its key, and `digest` where it holds records of the service; a newer
// version brings columns, an operator may have added some.
bool is_ours(const Table& table, const std::set<std::string>& columns) {
  const auto there = [&](const mapping::TableColumn& column) {
    return columns.contains(column.name);
  };
  const auto keys = table.columns.begin() + static_cast<std::ptrdiff_t>(table.key_size);
  const bool records =
      std::ranges::any_of(table.columns, [](const auto& column) { return column.name == kDigest; });
  if (!std::all_of(table.columns.begin(), keys, there)) return false;
  if (records && !columns.contains(kDigest)) return false;
  const auto known = static_cast<std::size_t>(std::ranges::count_if(table.columns, there));
  return known == columns.size() || 2 * known >= table.columns.size();
}

std::vector<std::string> foreign(const Catalogue& there) {
  std::vector<std::string> names;
  for (const auto& each : every_table()) {
    const auto found = there.find(each.table.name);
    if (found != there.end() && !is_ours(each.table, found->second))
      names.push_back(each.table.name);
  }
  return names;
}

// What this catalogue lacks: whole tables, columns that a newer version has brought, and
// indexes. `options`: of a new table, in this database.
Missing missing(Dialect dialect, const Catalogue& there, const std::string& options) {
  Missing texts;
  for (const auto& [table, numbering] : every_table()) {
    const auto found = there.find(table.name);
    if (found == there.end())
      texts.tables.push_back(create_table(dialect, table, numbering, options));
    for (const auto& column : table.columns) {
      const bool lacks = found != there.end() && !found->second.contains(column.name);
      if (lacks) texts.columns.push_back(add_column(dialect, table, column));
    }
  }
  for (const auto& index : bridge_indexes()) {
    if (!there.contains(index.name)) texts.indexes.push_back(create_index(dialect, index));
  }
  return texts;
}

// Each first cell of a result.
std::vector<std::string> texts_of(Database& database, std::string_view sql) {
  if (sql.empty()) return {};
  return texts_in(database.query({std::string(sql), {}}).rows);
}

Missing missing(Database& database, const Catalogue& there) {
  const Dialect dialect = database.dialect();
  const auto options = texts_of(database, traits(dialect).own_table_options);
  return missing(dialect, there, options.empty() ? "" : options.front());
}

}  // namespace

std::vector<std::string> schema(Dialect dialect) {
  return missing(dialect, {}, "").all();
}

std::vector<std::string> missing_schema(Database& database) {
  return missing(database, catalogue(database)).all();
}

std::vector<std::string> missing_schema_for_a_look(Database& database) {
  refuse_tables(database);
  const DialectTraits& dialect = traits(database.dialect());
  Missing texts = missing(database, catalogue(database));
  if (dialect.temporary_table.empty()) return std::move(texts).all();
  for (std::string& text : texts.tables)
    text.replace(0, kCreateTable.size(), dialect.temporary_table);
  return texts.tables;
}

std::vector<BridgeTable> present_tables(Database& database) {
  const Catalogue there = catalogue(database);
  std::vector<BridgeTable> present;
  for (const auto& each : every_table()) {
    const auto found = there.find(each.table.name);
    if (found == there.end() || !is_ours(each.table, found->second)) continue;
    present.push_back(each);
    std::erase_if(present.back().table.columns,
                  [&](const auto& column) { return !found->second.contains(column.name); });
  }
  return present;
}

std::vector<std::string> durability_gaps(Database& database) {
  const DialectTraits& dialect = traits(database.dialect());
  auto gaps = texts_of(database, dialect.durability_gaps);
  for (auto& gap : texts_of(database, dialect.cluster_gaps))
    gaps.push_back(std::move(gap));
  return gaps;
}

std::vector<std::string> foreign_tables(Database& database) {
  return foreign(catalogue(database));
}

std::string foreign_table_problem(const std::string& table) {
  return "the database has a table \"" + table +
         "\" that surveybridge did not make, and surveybridge needs this name: give surveybridge a"
         " schema or database of its own ([store] schema or connection)";
}

namespace {

// By this name there is a row of survey_lease, which stands for a lock that the database lacks.
constexpr const char* kLockRow = "schema";

// Does the database know this kind of lock? The trial waits for nobody who holds the lock.
bool takes(Database& database) {
  const std::string_view trial = traits(database.dialect()).schema_lock_trial;
  if (trial.empty()) return true;
  try {
    const Transaction never_committed(database);
    database.query({std::string(trial), {}});
    return true;
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::other) throw;
    return false;
  }
}

// Another instance may make the same at the same time: then this one finds it there.
void make_lock_row(Database& database) {
  const BridgeTable& leases = table_named("survey_lease");
  const auto make = [&] {
    if (!has_table(database, leases.table.name))
      database.execute({create_table(database.dialect(), leases.table, leases.numbering), {}});
    if (has_row(database, R"(SELECT "name" FROM "survey_lease" WHERE "name" = {key})", {kLockRow}))
      return;
    run_statement(database,
                  R"(INSERT INTO "survey_lease" ("name", "owner", "fence", "expires_at"))"
                  R"( VALUES ({key}, '', 0, {instant}))",
                  {kLockRow, Instant{}});
  };
  try {
    make();
  } catch (const DatabaseError& error) {
    const bool was_first =
        error.kind == DatabaseError::Kind::other || error.kind == DatabaseError::Kind::constraint;
    if (!was_first || !has_table(database, leases.table.name)) throw;
    make();
  }
}

}  // namespace

// Two instances that create one table at once would make one of them fail, IF NOT EXISTS or not.
std::string schema_lock(Database& database) {
  const DialectTraits& dialect = traits(database.dialect());
  const std::string lock(dialect.schema_lock);
  if (lock.empty() || takes(database)) return lock;
  make_lock_row(database);
  return in_dialect(database.dialect(),
                    R"(SELECT "name" FROM "survey_lease" WHERE "name" = 'schema')") +
         std::string(dialect.lock_clause);
}

void lock_schema(Database& database, const std::string& lock) {
  if (!lock.empty()) database.query({lock, {}});
}

bool has_table(Database& database, const std::string& name) {
  return traits(database.dialect()).keeps_our_tables && catalogue(database).contains(name);
}

void refuse_tables(Database& database) {
  if (const auto strange = strange_tables(database); !strange.empty())
    throw RefusedTables(strange.front());
  if (catalogue(database).contains(kSeal)) is_present_version(database);
}

namespace {

void make_missing(Database& database) {
  const std::string lock = schema_lock(database);
  Transaction transaction(database);
  lock_schema(database, lock);
  for (const auto& sql : missing_schema(database))
    database.execute({sql, {}});
  if (!is_present_version(database)) store_schema_version(database);
  transaction.commit();
}

}  // namespace

// Looks first: a role that may not create tables may well work with those that somebody has made
// by hand.
void make_schema(Database& database) {
  const Catalogue there = catalogue(database);
  if (const auto names = foreign(there); !names.empty())
    throw DatabaseError(DatabaseError::Kind::other, foreign_table_problem(names.front()));
  if (const auto strange = strange_tables(database); !strange.empty())
    throw RefusedTables(strange.front());
  const bool present = there.contains(kSeal) && is_present_version(database);
  if (present && missing(database, there).all().empty()) return;
  // Another instance may make the same index at once: then the rest is made anew.
  const int is_there = traits(database.dialect()).index_is_there;
  for (std::size_t tries = 0;; ++tries) {
    try {
      return make_missing(database);
    } catch (const DatabaseError& error) {
      const bool again = is_there != 0 && error.code.number == is_there;
      if (!again || tries == bridge_indexes().size()) throw;
    }
  }
}

namespace {

// `statement`: up to TO, with the place where our tables are.
std::string to_this_account(Database& database,
                            const std::function<std::string(const std::string& place)>& statement) {
  const auto& of = traits(database.dialect());
  if (of.place_and_account.empty()) return "";
  try {
    const auto row = database.query({std::string(of.place_and_account), {}}).rows.at(0);
    return statement(text_in(row.at(0))) + " TO " + text_in(row.at(1));
  } catch (const DatabaseError&) {
    return "";
  }
}

}  // namespace

std::string grant_to_create(Database& database) {
  return to_this_account(database, [&](const std::string& place) {
    return std::string(traits(database.dialect()).grant_to_create) + place;
  });
}

std::string grant(Database& database, const std::string& right) {
  return to_this_account(database, [&](const std::string&) { return "GRANT " + right; });
}

std::string grant_on_table(Database& database, const std::string& right, const std::string& table) {
  return to_this_account(database, [&](std::string place) {
    // Where our tables are named by the database with all that is in it, so is this one.
    const bool is_whole = place.ends_with(".*") && table.find('.') == std::string::npos;
    place.resize(is_whole ? place.size() - 1 : 0);
    return "GRANT " + right + " ON " + place + quoted_path(database.dialect(), table);
  });
}

}  // namespace surveybridge::crm
