#include "connectors/crm/pulled/pull_store.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/enumeration_store.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/pulled/unreadable_store.hpp"
#include "connectors/crm/pulled/write_back.hpp"
#include "connectors/crm/pulled/write_counts.hpp"
#include "connectors/crm/pulled/write_mark.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Null;
using mapping::Record;

// The number of records that are converted to rows at once. A page of the service has at most a
// tenth of it; a longer page must not use the memory of all its rows.
constexpr std::size_t kBlock = 1000;
// So many stored records are written again in one transaction.
constexpr int kAgainAtOnce = 200;

// A write-back that the database refused, with its rows.
struct WriteBackError : DatabaseError {
  WriteBackError(const DatabaseError& error, std::size_t number, std::vector<WriteRow> given)
      : DatabaseError(error), write(number), rows(std::move(given)) {}
  std::size_t write;
  std::vector<WriteRow> rows;
};

// The database refused what the report notes.
struct ReportError : DatabaseError {
  explicit ReportError(const DatabaseError& error) : DatabaseError(error) {}
};

void note_report(ReportStore& report, const std::vector<Record>& records,
                 const std::optional<std::vector<Value>>& replaced) {
  try {
    report.note(records, replaced);
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::other) throw;
    throw ReportError(error);
  }
}

std::string all_of(const std::vector<config::Problem>& problems) {
  std::string text;
  for (const auto& problem : problems)
    text += (text.empty() ? "" : "\n") + to_string(problem);
  return text;
}

// Those of these facts that one of these records tells.
void note_facts(Database& database, const std::vector<Fact>& facts,
                const std::vector<Record>& records) {
  if (facts.empty()) return;
  std::set<std::string> keys;
  for (const Record& record : records)
    keys.insert(text_in(mapping::key_of(record)));
  std::vector<Fact> told;
  std::ranges::copy_if(facts, std::back_inserter(told),
                       [&](const Fact& fact) { return keys.contains(fact.ref); });
  People(database).note(told);
}

std::vector<std::size_t> all_cells(const CompiledWrite& write) {
  std::vector<std::size_t> cells(write.set.size());
  std::iota(cells.begin(), cells.end(), std::size_t{0});
  return cells;
}

// Takes these cells out of the row with this match, or the row, where nothing is left of it. How
// many rows that concerns.
std::int64_t leave_out(std::vector<WriteRow>& rows, const CompiledWrite& write,
                       const std::vector<Value>& match, const std::vector<std::size_t>& cells,
                       std::set<std::string>& columns) {
  const auto row = std::ranges::find(rows, match, &WriteRow::match);
  if (row == rows.end()) return 0;
  std::set<std::size_t> left(row->left.begin(), row->left.end());
  for (const auto cell : cells) {
    if (left.insert(cell).second) columns.insert(write.shape.set[cell].name);
  }
  row->left.assign(left.begin(), left.end());
  if (left.size() == write.set.size()) rows.erase(row);
  return 1;
}

// A key as it stands in survey_unmatched.
Value key_from(const mapping::Resource& root, const std::string& text) {
  if (mapping::tables_of(root).front().columns.front().type != ColumnType::integer) return text;
  return static_cast<std::int64_t>(std::stoll(text));
}

// Nobody writes these rows until the transaction ends.
void lock_rows(Database& database, const Table& table, const std::vector<Value>& keys) {
  const Dialect dialect = database.dialect();
  const auto& of = traits(dialect);
  const auto& id = table.columns.front();
  for (auto& run : key_chunks(dialect, keys)) {
    const std::string sql = "SELECT " + quoted(dialect, id.name) + " FROM " +
                            quoted(dialect, table.name) + std::string(of.lock_hint) + " WHERE " +
                            one_of(dialect, id, run.size()) + std::string(of.lock_clause);
    database.query({sql, std::move(run)});
  }
}

// Records that were remembered and are not written any more: gone, or of nobody's interest now.
std::vector<std::string> no_longer(const std::vector<std::string>& remembered,
                                   const std::vector<Record>& records, const CompiledWrite& write) {
  std::set<std::string> still;
  for (const auto& row : rows_for(write, records).rows)
    still.insert(row.record);
  std::vector<std::string> gone;
  std::ranges::copy_if(remembered, std::back_inserter(gone),
                       [&](const std::string& record) { return !still.contains(record); });
  return gone;
}

}  // namespace

// What earlier attempts have shown, for each write: one row must not stop a page for ever.
struct PullStore::Attempt {
  struct Refusal {  // by the database: these cells of the row are left out
    std::vector<Value> match;
    std::vector<std::size_t> cells;
  };
  std::vector<std::vector<Refusal>> refused;
  // Rows that pass one by one, but not all at once: two that hand a unique value on, say.
  std::vector<bool> singly;
  // Rows of children stand in the tables without their record: the page's are all removed first.
  bool orphans = false;
};

PullStore::PullStore(Database& database, const mapping::Resource& root,
                     const std::vector<config::Write>& writes, const std::string& time_zone,
                     std::optional<ReportShape> report)
    : database_(database), root_(root) {
  if (report) report_.emplace(database, root, *std::move(report));
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
  return load_walk(database_, list, walk);
}

template <class Once>
Saved PullStore::attempt(const Once& once) {
  Attempt attempt{std::vector<std::vector<Attempt::Refusal>>(writes_.size()),
                  std::vector<bool>(writes_.size())};
  while (true) {
    try {
      return once(attempt);
    } catch (const WriteBackError& error) {
      const auto& write = writes_[error.write];
      const auto refused = refused_rows(database_, write, error.rows);
      if (refused.empty() && attempt.singly[error.write]) throw;  // no row explains it
      auto& left_out = attempt.refused[error.write];
      for (const auto& row : refused) {
        const auto again = std::ranges::find(left_out, row.match, &Attempt::Refusal::match);
        if (again == left_out.end()) {
          left_out.push_back({row.match, refused_cells(database_, write, row)});
        } else {
          again->cells = all_cells(write);
        }
      }
      attempt.singly[error.write] = true;
    } catch (const ReportError& error) {
      report_->give_up(error.what());
    } catch (const DatabaseError& error) {
      if (error.kind != DatabaseError::Kind::constraint || attempt.orphans) throw;
      attempt.orphans = true;
    }
  }
}

Saved PullStore::save(const std::vector<Record>& records, const StoredWalk& next,
                      const std::optional<Lease>& lease, const PageNotes& notes) {
  if (report_) report_->prepare(records);
  return attempt(
      [&](const Attempt& known) { return save_once(records, next, lease, known, notes); });
}

Saved PullStore::save_once(const std::vector<Record>& records, const StoredWalk& next,
                           const std::optional<Lease>& lease, const Attempt& attempt,
                           const PageNotes& notes) {
  Transaction transaction(database_);
  if (lease) Leases(database_).confirm(*lease);
  const auto run = People(database_).keep_forget_waiting();
  if (notes.forgets && run != *notes.forgets) {
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
    if (attempt.orphans) page.replaced.reset();
    saved.changed += static_cast<std::int64_t>(page.records.size());
    store(database_, page);
    if (report_) note_report(*report_, page.records, page.replaced);
    if (enumerations) enumerations->note(page.records);
    note_facts(database_, notes.facts, page.records);
    for (std::size_t i = 0; i < writes_.size(); ++i)
      add_write(i, page.records, attempt, next.list, saved);
    at += kBlock;
  } while (at < records.size());
  People(database_).note(notes.facts_of_others);
  drop_unreadable(database_, next.list, records);
  keep_unreadable(database_, next.list, notes.unreadable, now);
  save_walk(database_, next);
  transaction.commit();
  return saved;
}

void PullStore::add_write(std::size_t number, const std::vector<Record>& changed,
                          const Attempt& attempt, const std::string& list, Saved& saved,
                          bool first_try) {
  const CompiledWrite& write = writes_[number];
  auto [rows, matched_none, unfit, columns] =
      rows_for(write, records_of_push(database_, write, changed));
  for (const auto& [match, cells] : attempt.refused[number])
    unfit += leave_out(rows, write, match, cells, columns);
  Written written;
  try {
    written = attempt.singly[number] ? write_singly(database_, write, rows)
                                     : write_back(database_, write, rows);
  } catch (const DatabaseError& error) {
    const bool row_at_fault =
        error.kind == DatabaseError::Kind::constraint || error.kind == DatabaseError::Kind::other;
    if (!row_at_fault) throw;
    throw WriteBackError(error, number, std::move(rows));
  }
  if (!rows.empty())
    WriteMarks(database_, list).note(write.mark, rows, written.unmatched, database_.now());
  matched_none = first_try ? matched_none + written.matched_none : 0;
  add_write_count(database_, {list, write.shape.table, written.changed, matched_none,
                              written.matched_many, unfit});
  saved.written_back += written.changed;
  saved.matched_none += matched_none;
  saved.matched_many += written.matched_many;
  saved.unfit += unfit;
  for (const auto& column : columns)
    saved.unfit_columns.insert(write.shape.table + "." + column);
}

std::int64_t PullStore::write_again(const std::string& list, const std::optional<Lease>& lease,
                                    Instant before, Saved& saved) {
  std::vector<std::string> marks;
  for (const auto& write : writes_)
    marks.push_back(write.mark);
  WriteMarks(database_, list).keep_only(marks);
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    if (const auto tried = write_again(i, list, lease, before, saved); tried > 0) return tried;
  }
  return 0;
}

std::int64_t PullStore::renew_report() {
  if (!report_) return 0;
  report_->prepare({});
  const auto behind = report_->behind();
  if (!behind) return 0;
  const Dialect dialect = database_.dialect();
  const Table& table = mapping::tables_of(root_).front();
  const std::string id = quoted(dialect, table.columns.front().name);
  const bool number = table.columns.front().type == ColumnType::integer;
  Statement next{"SELECT " + id + " FROM " + quoted(dialect, table.name), {}};
  if (!behind->empty()) {
    next.sql += " WHERE " + id + in_dialect(dialect, number ? " > {integer}" : " > {key}");
    next.parameters.push_back(key_from(root_, *behind));
  }
  next.sql = limited(dialect, next.sql + " ORDER BY " + id, kAgainAtOnce);
  std::vector<Value> keys;
  for (const auto& row : database_.query(next).rows)
    keys.push_back(number ? Value{integer_in(row.at(0))} : Value{text_in(row.at(0))});
  const auto all = stored_records(database_, root_, keys);
  report_->prepare(all);
  if (report_->lacks_columns()) return 0;  // they are tried again before the next records
  try {
    Transaction transaction(database_);
    People(database_).keep_forget_waiting();
    lock_rows(database_, table, keys);
    note_report(*report_, stored_records(database_, root_, keys), std::nullopt);
    report_->set_reached(keys.empty() ? std::nullopt : std::optional(text_in(keys.back())));
    transaction.commit();
  } catch (const ReportError& error) {
    report_->give_up(error.what());
    return 0;
  }
  return static_cast<std::int64_t>(keys.size());
}

std::int64_t PullStore::write_again(std::size_t number, const std::string& list,
                                    const std::optional<Lease>& lease, Instant before,
                                    Saved& saved) {
  const std::string& mark = writes_[number].mark;
  WriteMarks marks(database_, list);
  std::vector<Value> keys = marks.next(mark, root_, kAgainAtOnce);
  const bool new_ones = !keys.empty();
  std::vector<std::string> unmatched;
  if (!new_ones) unmatched = marks.unmatched(mark, before, kAgainAtOnce);
  for (const auto& record : unmatched)
    keys.push_back(key_from(root_, record));
  if (keys.empty()) {
    marks.reached(mark, std::nullopt);
    return 0;
  }
  const Saved more = attempt([&](const Attempt& known) {
    Transaction transaction(database_);
    if (lease) Leases(database_).confirm(*lease);
    People(database_).keep_forget_waiting();
    const auto records = stored_records(database_, root_, keys);
    Saved one;
    add_write(number, records, known, list, one, new_ones);
    if (new_ones) marks.reached(mark, keys.back());
    if (!new_ones) marks.remove(mark, no_longer(unmatched, records, writes_[number]));
    transaction.commit();
    return one;
  });
  saved.written_back += more.written_back;
  saved.matched_none += more.matched_none;
  saved.unfit += more.unfit;
  saved.unfit_columns.insert(more.unfit_columns.begin(), more.unfit_columns.end());
  return static_cast<std::int64_t>(keys.size());
}

}  // namespace surveybridge::crm
