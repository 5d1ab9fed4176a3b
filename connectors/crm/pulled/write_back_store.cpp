#include "connectors/crm/pulled/write_back_store.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/pulled/write_counts.hpp"
#include "connectors/crm/pulled/write_mark.hpp"
#include "connectors/crm/pulled/write_queue.hpp"
#include "connectors/crm/pulled/written_cells.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;

// So many stored records are written again in one transaction.
constexpr int kWritesAtOnce = 200;

// A write-back that the database refused, with its rows.
struct WriteBackError : DatabaseError {
  WriteBackError(const DatabaseError& error, std::size_t number, std::vector<WriteRow> given)
      : DatabaseError(error), write(number), rows(std::move(given)) {}
  std::size_t write;
  std::vector<WriteRow> rows;
};

std::string all_of(const std::vector<config::Problem>& problems) {
  std::string text;
  for (const auto& problem : problems)
    text += (text.empty() ? "" : "\n") + to_string(problem);
  return text;
}

// Takes what was refused out of its row, or the row, where nothing is left of it.
void leave_out(const CompiledWrite& write, const Refusal& refusal, WriteRows& all) {
  const auto row = std::ranges::find(all.rows, refusal.match, &WriteRow::match);
  if (row == all.rows.end()) return;
  for (const auto& [column, reason] : refusal.because)
    all.unwritten.push_back({row->record, column, reason});
  std::set<std::size_t> left(row->left.begin(), row->left.end());
  left.insert(refusal.cells.begin(), refusal.cells.end());
  row->left.assign(left.begin(), left.end());
  if (left.size() == write.set.size()) all.rows.erase(row);
}

// Which cells make the statement of a row larger than that: a server of MariaDB would close the
// session, and the row would be tried for ever. A statement has each cell twice.
std::vector<Refusal> too_large(const CompiledWrite& write, const std::vector<WriteRow>& rows,
                               std::size_t bytes_max) {
  std::vector<Refusal> all;
  for (const auto& row : rows) {
    std::vector<std::pair<std::size_t, std::size_t>> cells;  // bytes, position
    std::size_t bytes = 0;
    for (const auto& value : row.match)
      bytes += cell_bytes(value);
    for (std::size_t i = 0; i < row.set.size(); ++i) {
      cells.emplace_back(cell_bytes(row.set[i]), i);
      bytes += 2 * cells.back().first;
    }
    std::ranges::sort(cells);
    Refusal refusal{row.match, {}, {}};
    for (; bytes > bytes_max && !cells.empty(); cells.pop_back()) {
      const auto [of_cell, at] = cells.back();
      bytes -= 2 * of_cell;
      refusal.cells.push_back(at);
      refusal.because.emplace_back(write.shape.set[at].shown(), std::string(kTooLarge));
    }
    std::ranges::sort(refusal.cells);
    if (!refusal.cells.empty()) all.push_back(std::move(refusal));
  }
  return all;
}

std::vector<std::string> ids_of(std::span<const Record> records) {
  std::vector<std::string> keys;
  for (const Record& record : records)
    keys.push_back(text_in(mapping::key_of(record)));
  return keys;
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

// Without those that met no row of the CRM.
std::vector<WriteRow> met(std::vector<WriteRow> rows, const std::vector<WriteRow>& unmatched) {
  std::erase_if(rows, [&](const WriteRow& row) {
    return std::ranges::find(unmatched, row.match, &WriteRow::match) != unmatched.end();
  });
  return rows;
}

}  // namespace

struct WriteBackStore::Attempt {
  std::vector<std::vector<Refusal>> refused;  // by the database
  // Rows that pass one by one, but not all at once: two that hand a unique value on, say.
  std::vector<bool> singly;
};

// What became of one write.
struct WriteBackStore::Outcome {
  const CompiledWrite& write;
  std::vector<std::string> records;  // their keys
  WriteRows rows;
  Written written;
};

void WrittenBack::add(const WrittenBack& more) {
  written_back += more.written_back;
  matched_none += more.matched_none;
  matched_many += more.matched_many;
  unfit += more.unfit;
  unwritten.insert(unwritten.end(), more.unwritten.begin(), more.unwritten.end());
}

WriteBackStore::WriteBackStore(Database& crm, Database& store, const mapping::Resource& root,
                               const std::vector<config::Write>& writes,
                               const std::string& time_zone)
    : crm_(crm), store_(store), root_(root) {
  for (const auto& write : writes) {
    auto compiled = compile(crm, root, write, time_zone);
    if (const auto* problems = std::get_if<std::vector<config::Problem>>(&compiled)) {
      throw std::invalid_argument(all_of(*problems));
    }
    writes_.push_back(std::get<CompiledWrite>(std::move(compiled)));
  }
}

WriteBackStore::~WriteBackStore() = default;

void WriteBackStore::attempt(const std::function<void(const Attempt&)>& once) {
  Attempt attempt{std::vector<std::vector<Refusal>>(writes_.size()),
                  std::vector<bool>(writes_.size())};
  while (true) {
    try {
      return once(attempt);
    } catch (const WriteBackError& error) {
      const auto& write = writes_[error.write];
      const auto refused = refused_rows(crm_, write, error.rows);
      if (refused.empty() && attempt.singly[error.write]) throw;  // no row explains it
      auto& left_out = attempt.refused[error.write];
      for (const auto& row : refused) {
        const auto again = std::ranges::find(left_out, row.row.match, &Refusal::match);
        if (again == left_out.end()) {
          left_out.push_back(refusal_of(crm_, write, row));
        } else {
          left_out.push_back(whole_refusal(write, row));
        }
      }
      attempt.singly[error.write] = true;
    }
  }
}

void WriteBackStore::write(std::span<const Record> records, const Attempt& known,
                           const std::string& list, WrittenBack& written) {
  for (std::size_t i = 0; i < writes_.size(); ++i)
    note(write_one(i, records, known), list, true, written);
}

WriteBackStore::Outcome WriteBackStore::write_one(std::size_t number,
                                                  std::span<const Record> records,
                                                  const Attempt& known) {
  const CompiledWrite& write = writes_[number];
  auto found = rows_for(write, records_of_push(store_, write, {records.begin(), records.end()}));
  found.rows = WrittenCells(store_).joined(root_, write, std::move(found.rows));
  if (!row_bytes_max_) row_bytes_max_ = row_bytes_max(crm_);
  for (const auto& refusal : too_large(write, found.rows, *row_bytes_max_))
    leave_out(write, refusal, found);
  for (const auto& refusal : known.refused[number])
    leave_out(write, refusal, found);
  auto& rows = found.rows;
  try {
    Written written =
        known.singly[number] ? write_singly(crm_, write, rows) : write_back(crm_, write, rows);
    return {write, ids_of(records), std::move(found), std::move(written)};
  } catch (const DatabaseError& error) {
    if (!about_a_row(error)) throw;
    throw WriteBackError(error, number, std::move(rows));
  }
}

void WriteBackStore::note(const Outcome& outcome, const std::string& list, bool first_try,
                          WrittenBack& written) {
  const auto& [write, records, found, done] = outcome;
  const auto& table = write.shape.table;
  const Instant now = store_.now();
  if (!found.rows.empty())
    WriteMarks(store_, list).note(write.mark, found.rows, done.unmatched, now);
  WrittenCells(store_).note(root_, write, met(found.rows, done.unmatched), done.made);
  auto missing = found.unwritten;
  missing.insert(missing.end(), done.missing.begin(), done.missing.end());
  std::set<std::string> unfit;
  for (const auto& cell : missing)
    unfit.insert(cell.record);
  const auto matched_none = first_try ? found.matched_none + done.matched_none : 0;
  const WrittenBack more{done.changed, matched_none, done.matched_many,
                         static_cast<std::int64_t>(unfit.size()),
                         note_unwritten(store_, {list, write.mark, table}, records, missing, now)};
  add_write_count(store_,
                  {list, table, more.written_back, matched_none, more.matched_many, more.unfit});
  written.add(more);
}

std::int64_t WriteBackStore::write_again(const std::string& list, const Right& right,
                                         Instant before, WrittenBack& written) {
  std::vector<std::string> marks;
  for (const auto& write : writes_)
    marks.push_back(write.mark);
  WriteMarks(store_, list).keep_only(marks);
  for (std::size_t i = 0; i < writes_.size(); ++i) {
    if (const auto tried = write_again(i, list, right, before, written); tried > 0) return tried;
  }
  return 0;
}

std::int64_t WriteBackStore::write_again(std::size_t number, const std::string& list,
                                         const Right& right, Instant before, WrittenBack& written) {
  const std::string& mark = writes_[number].mark;
  WriteMarks marks(store_, list);
  Again again{{number}, marks.next(mark, root_, kWritesAtOnce), true};
  std::vector<std::string> unmatched;
  if (again.keys.empty()) {
    again.first_try = false;
    unmatched = marks.unmatched(mark, before, kWritesAtOnce);
    for (const auto& record : unmatched)
      again.keys.push_back(stored_key(root_, record));
  }
  if (again.keys.empty()) {
    marks.reached(mark, std::nullopt);
    return 0;
  }
  const auto after = [&](const std::vector<Record>& records) {
    if (again.first_try) marks.reached(mark, again.keys.back());
    if (!again.first_try) marks.remove(mark, no_longer(unmatched, records, writes_[number]));
  };
  write_stored(again, list, right, after, written);
  return static_cast<std::int64_t>(again.keys.size());
}

bool WriteBackStore::has_work(const std::string& list) {
  if (!WriteQueue(store_, list).next(1).empty()) return true;
  WriteMarks marks(store_, list);
  return std::ranges::any_of(
      writes_, [&](const auto& write) { return !marks.next(write.mark, root_, 1).empty(); });
}

std::int64_t WriteBackStore::write_queued(const std::string& list, const Right& right,
                                          WrittenBack& written) {
  WriteQueue queue(store_, list);
  const auto entries = queue.next(kWritesAtOnce);
  if (entries.empty()) return 0;
  Again again{std::vector<std::size_t>(writes_.size()), {}, true};
  std::iota(again.writes.begin(), again.writes.end(), std::size_t{0});
  std::set<std::string> records;
  for (const auto& entry : entries)
    if (records.insert(entry.record).second) again.keys.push_back(stored_key(root_, entry.record));
  write_stored(
      again, list, right, [&](const auto&) { queue.remove(entries); }, written);
  return static_cast<std::int64_t>(entries.size());
}

// Where the CRM is another database, its transaction ends before the store's begins: after a crash
// between them the records are written once more.
void WriteBackStore::write_stored(const Again& again, const std::string& list, const Right& right,
                                  const After& after, WrittenBack& written) {
  attempt([&](const Attempt& known) {
    std::optional<Transaction> in_store, in_crm;
    if (is_apart()) {
      in_crm.emplace(crm_);
    } else {
      in_store.emplace(store_);
      if (right.lease) Leases(store_).confirm(*right.lease);
      People(store_).keep_forget_waiting();
    }
    const auto records = stored_records(store_, root_, again.keys);
    std::vector<Outcome> outcomes;
    for (const std::size_t number : again.writes)
      outcomes.push_back(write_one(number, records, known));
    if (is_apart()) {
      if (right.holds && !right.holds()) {
        throw DatabaseError(DatabaseError::Kind::busy,
                            "writing into the CRM took too long; it is tried again");
      }
      in_crm->commit();
      in_store.emplace(store_);
      if (right.lease) Leases(store_).confirm(*right.lease);
    }
    WrittenBack once;
    for (const auto& outcome : outcomes)
      note(outcome, list, again.first_try, once);
    after(records);
    in_store->commit();
    written.add(once);
  });
}

}  // namespace surveybridge::crm
