#include "connectors/crm/pulled/pull_store.hpp"

#include <algorithm>
#include <stdexcept>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/enumeration_store.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/pulled/write_back.hpp"
#include "connectors/crm/pulled/write_counts.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Null;
using mapping::Record;

// The number of records that are converted to rows at once. A page of the service has at most a
// tenth of it; a longer page must not use the memory of all its rows.
constexpr std::size_t kBlock = 1000;

// A write-back that the database refused, with its rows.
struct WriteBackError : DatabaseError {
  WriteBackError(const DatabaseError& error, std::size_t number, std::vector<WriteRow> given)
      : DatabaseError(error), write(number), rows(std::move(given)) {}
  std::size_t write;
  std::vector<WriteRow> rows;
};

template <typename T>
Value value_or_null(const std::optional<T>& value) {
  return value ? Value{*value} : Value{Null{}};
}

void save_walk(Database& database, const StoredWalk& walk) {
  put(database, upsert(database.dialect(), cursor_table()),
      {{walk.list, walk.walk, value_or_null(walk.window_from), value_or_null(walk.window_to),
        walk.cursor, value_or_null(walk.watermark), walk.pages, walk.restarts,
        value_or_null(walk.finished_at),
        walk.ignored.empty() ? Value{Null{}} : Value{walk.ignored}}});
}

std::string all_of(const std::vector<config::Problem>& problems) {
  std::string text;
  for (const auto& problem : problems)
    text += (text.empty() ? "" : "\n") + to_string(problem);
  return text;
}

}  // namespace

// What earlier attempts have shown, for each write: one row must not stop a page for ever.
struct PullStore::Attempt {
  std::vector<std::vector<WriteRow>> refused;  // by the database: left out
  // Rows that pass one by one but not together: two that exchange a unique value.
  std::vector<bool> singly;
};

PullStore::PullStore(Database& database, const mapping::Resource& root,
                     const std::vector<config::Write>& writes, const std::string& time_zone)
    : database_(database), root_(root) {
  for (const auto& write : writes) {
    auto compiled = compile(database, root, write, time_zone);
    if (const auto* problems = std::get_if<std::vector<config::Problem>>(&compiled)) {
      throw std::invalid_argument(all_of(*problems));
    }
    writes_.push_back(std::get<CompiledWrite>(std::move(compiled)));
  }
}

PullStore::~PullStore() = default;

StoredWalk PullStore::load(const std::string& list, const std::string& walk) {
  StoredWalk stored;
  stored.list = list;
  stored.walk = walk;
  const auto found = database_.query(
      {in_dialect(database_.dialect(),
                  R"(SELECT "window_from", "window_to", "cursor", "watermark", "pages",)"
                  R"( "restarts", "finished_at", "ignored" FROM "survey_cursor")"
                  R"( WHERE "list" = {key} AND "walk" = {key})"),
       {list, walk}});
  if (found.rows.empty()) return stored;
  const auto& row = found.rows.front();
  stored.window_from = instant_in(row.at(0));
  stored.window_to = instant_in(row.at(1));
  stored.cursor = text_in(row.at(2));
  stored.watermark = instant_in(row.at(3));
  stored.pages = integer_in(row.at(4));
  stored.restarts = integer_in(row.at(5));
  stored.finished_at = instant_in(row.at(6));
  stored.ignored = text_in(row.at(7));
  return stored;
}

Saved PullStore::save(const std::vector<Record>& records, const StoredWalk& next,
                      const std::optional<Lease>& lease, const Also& also,
                      std::optional<std::int64_t> forgets) {
  Attempt attempt{std::vector<std::vector<WriteRow>>(writes_.size()),
                  std::vector<bool>(writes_.size())};
  while (true) {
    try {
      return save_once(records, next, lease, attempt, also, forgets);
    } catch (const WriteBackError& error) {
      const auto refused = refused_rows(database_, writes_[error.write], error.rows);
      if (refused.empty() && attempt.singly[error.write]) throw;  // no row is the cause
      auto& left_out = attempt.refused[error.write];
      left_out.insert(left_out.end(), refused.begin(), refused.end());
      attempt.singly[error.write] = true;
    }
  }
}

Saved PullStore::save_once(const std::vector<Record>& records, const StoredWalk& next,
                           const std::optional<Lease>& lease, const Attempt& attempt,
                           const Also& also, std::optional<std::int64_t> forgets) {
  Transaction transaction(database_);
  if (lease) Leases(database_).confirm(*lease);
  const auto run = People(database_).keep_forget_waiting();
  if (forgets && run != *forgets) {
    throw DatabaseError(DatabaseError::Kind::busy, "a person was forgotten while a page was read");
  }
  const Instant now = database_.now();
  std::optional<EnumerationStore> enumerations;
  if (&root_ == &mapping::customer()) enumerations.emplace(database_);
  Saved saved;
  std::size_t at = 0;
  do {
    const std::span rest = std::span(records).subspan(at);
    Page page = page_of(root_, rest.first(std::min(rest.size(), kBlock)), now,
                        enumerations ? enumerations->choices() : mapping::Enumerations{});
    saved.unchanged += drop_stored(database_, page);
    saved.changed += static_cast<std::int64_t>(page.records.size());
    store(database_, page);
    if (enumerations) enumerations->note(page.records);
    if (also) also(page.records);
    for (std::size_t i = 0; i < writes_.size(); ++i)
      add_write(i, page.records, attempt, next.list, saved);
    at += kBlock;
  } while (at < records.size());
  save_walk(database_, next);
  transaction.commit();
  return saved;
}

void PullStore::add_write(std::size_t number, const std::vector<Record>& changed,
                          const Attempt& attempt, const std::string& list, Saved& saved) {
  auto [rows, matched_none, unfit] = rows_for(writes_[number], changed);
  for (const auto& refused : attempt.refused[number])
    unfit += std::erase(rows, refused);
  Written written;
  try {
    written = attempt.singly[number] ? write_singly(database_, writes_[number], rows)
                                     : write_back(database_, writes_[number], rows);
  } catch (const DatabaseError& error) {
    const bool row_at_fault =
        error.kind == DatabaseError::Kind::constraint || error.kind == DatabaseError::Kind::other;
    if (!row_at_fault) throw;
    throw WriteBackError(error, number, std::move(rows));
  }
  matched_none += written.matched_none;
  add_write_count(database_, {list, writes_[number].shape.table, written.changed, matched_none,
                              written.matched_many, unfit});
  saved.written_back += written.changed;
  saved.matched_none += matched_none;
  saved.matched_many += written.matched_many;
  saved.unfit += unfit;
}

std::vector<std::string> walks_of(Database& database, const std::string& list) {
  const auto found = database.query(
      {in_dialect(database.dialect(),
                  R"(SELECT "walk" FROM "survey_cursor" WHERE "list" = {key} ORDER BY "walk")"),
       {list}});
  std::vector<std::string> walks;
  for (const auto& row : found.rows)
    walks.push_back(text_in(row.at(0)));
  return walks;
}

void drop_walk(Database& database, const std::string& list, const std::string& walk) {
  database.execute(
      {in_dialect(database.dialect(), R"(DELETE FROM "survey_cursor" WHERE "list" = {key})"
                                      R"( AND "walk" = {key})"),
       {list, walk}});
}

}  // namespace surveybridge::crm
