#include "connectors/crm/pulled/pull_store.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/arrivals.hpp"
#include "connectors/crm/pulled/follow_up_store.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/pulled/unreadable_store.hpp"
#include "connectors/crm/pulled/write_queue.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;

// The number of records that are converted to rows at once. A page of the service has at most a
// tenth of it; a longer page must not use the memory of all its rows.
constexpr std::size_t kBlock = 1000;
// So many stored records are taken into the reports in one transaction.
constexpr int kAgainAtOnce = 200;

// The database refused what the report notes.
struct ReportError : DatabaseError {
  explicit ReportError(const DatabaseError& error) : DatabaseError(error) {}
};

void note_report(ReportStore& report, std::span<const Record> records,
                 const std::optional<std::vector<Value>>& replaced, Instant now) {
  try {
    report.note(records, replaced, now);
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::other) throw;
    throw ReportError(error);
  }
}

// Those of these facts that one of these records tells.
void note_facts(Database& database, const std::vector<Fact>& facts,
                std::span<const Record> records) {
  if (facts.empty()) return;
  std::set<std::string> keys;
  for (const Record& record : records)
    keys.insert(text_in(mapping::key_of(record)));
  std::vector<Fact> told;
  std::ranges::copy_if(facts, std::back_inserter(told),
                       [&](const Fact& fact) { return keys.contains(fact.ref); });
  People(database).note(told);
}

// An earlier version may have read less of a record that has not changed. Of whom it is known that
// nothing goes there, nothing is written again.
void note_stops(Database& database, const std::vector<Fact>& facts) {
  for (const FactKind kind : {FactKind::opted_out, FactKind::bounced_hard}) {
    std::vector<Fact> stops;
    std::ranges::copy_if(facts, std::back_inserter(stops),
                         [&](const Fact& fact) { return fact.kind == kind; });
    if (stops.empty()) continue;
    std::vector<std::string> persons;
    for (const Fact& fact : stops)
      persons.push_back(fact.person);
    const auto known = People(database).with_facts(persons, {kind});
    std::erase_if(stops, [&](const Fact& fact) { return known.contains(fact.person); });
    People(database).note(stops);
  }
}

// What records of these persons could not say no longer counts: `read` were unreadable before, and
// these persons have records that are new or different.
void reveal(Database& database, const std::string& list, const std::vector<const Record*>& read,
            const std::set<std::string>& changed) {
  std::vector<std::string> refs, persons;
  for (const Record* record : read)
    refs.push_back(text_in(mapping::key_of(*record)));
  for (const std::string& person : changed) {
    if (person.empty()) continue;
    persons.push_back(person);
    reveal_keyless(database, list, person);
  }
  People(database).note_read(refs, !read.empty() && read.front()->resource == &mapping::bouncer());
  People(database).note_read_keyless(persons);
}

// Nobody writes these rows until the transaction ends.
void lock_rows(Database& database, const Table& table, const std::vector<Value>& keys) {
  const Dialect dialect = database.dialect();
  const auto& of = traits(dialect);
  const auto& id = table.columns.front();
  for (auto& run : key_chunks(dialect, keys)) {
    const std::string sql = "SELECT " + quoted(dialect, id.name) + " FROM " +
                            quoted(dialect, table.name) + " WHERE " +
                            one_of(dialect, id, run.size()) + std::string(of.lock_clause);
    database.query({sql, std::move(run)});
  }
}

// What the cells of a record's row weigh, and those of the largest row of its children. An object
// that is no list has its cells in the row of its record.
struct RowBytes {
  std::size_t own = 0, children = 0;
};
RowBytes row_bytes(const Record& record) {
  RowBytes bytes;
  for (std::size_t i = 0; i < record.slots.size(); ++i) {
    const auto& slot = record.slots[i];
    bytes.own += cell_bytes(slot.value);
    for (const auto& value : slot.values)
      bytes.children = std::max(bytes.children, cell_bytes(value));
    for (const auto& each : slot.records) {
      const auto [own, children] = row_bytes(each);
      const bool is_child = record.resource->fields[i].list;
      bytes.own += is_child ? 0 : own;
      bytes.children = std::max({bytes.children, children, is_child ? own : 0});
    }
  }
  return bytes;
}

std::size_t largest_row(const Record& record) {
  const auto [own, children] = row_bytes(record);
  return std::max(own, children);
}

}  // namespace

// One attempt to store a page.
struct PullStore::Attempt {
  const PageNotes& notes;
  bool orphans = false;
  const WriteBackStore::Attempt* writes = nullptr;  // null: none are done with the page
};

PullStore::PullStore(Database& database, const mapping::Resource& root,
                     const std::vector<config::Write>& writes, const std::string& time_zone,
                     std::optional<ReportShape> report, CrmPlace crm)
    : database_(database),
      root_(root),
      changes_crm_(crm == CrmPlace::here && !writes.empty()),
      queues_writes_(crm == CrmPlace::apart && !writes.empty()),
      shape_(std::move(report)) {
  if (shape_) report_.emplace(database, root, *shape_);
  if (crm == CrmPlace::here) writes_.emplace(database, database, root, writes, time_zone);
}

PullStore::~PullStore() = default;

StoredWalk PullStore::load(const std::string& list, const std::string& walk) {
  kept_names_.reset();
  return load_walk(database_, list, walk);
}

std::vector<mapping::Unreadable> PullStore::take_too_large(std::vector<Record>& records) {
  if (!row_bytes_max_) row_bytes_max_ = row_bytes_max(database_);
  const auto fits = [&](const Record& record) { return largest_row(record) <= *row_bytes_max_; };
  std::vector<mapping::Unreadable> taken;
  if (*row_bytes_max_ == std::string::npos) return taken;
  const auto too_large = std::stable_partition(records.begin(), records.end(), fits);
  for (auto record = too_large; record != records.end(); ++record) {
    const std::string fault = "a row of it has " + std::to_string(largest_row(*record)) +
                              " bytes, and the database takes " + std::to_string(*row_bytes_max_) +
                              " (max_allowed_packet)";
    taken.push_back({{"a record too large for the database", fault}, std::move(*record), ""});
  }
  records.erase(too_large, records.end());
  return taken;
}

// Rows of children may stand in the tables without their record: then the page's are all removed
// first.
Saved PullStore::save(std::vector<Record> records, const StoredWalk& next,
                      const std::optional<Lease>& lease, const PageNotes& notes) {
  keep_latest(records);
  if (report_) report_->prepare(records);
  for (bool orphans = false;;) {
    try {
      if (!writes_) return save_once(records, next, lease, {notes, orphans});
      Saved saved;
      writes_->attempt([&](const WriteBackStore::Attempt& known) {
        saved = save_once(records, next, lease, {notes, orphans, &known});
      });
      return saved;
    } catch (const ReportError& error) {
      report_->give_up(error.what());
    } catch (const DatabaseError& error) {
      if (error.kind != DatabaseError::Kind::constraint || orphans) throw;
      orphans = true;
    }
  }
}

Saved PullStore::save_once(std::vector<Record>& records, const StoredWalk& next,
                           const std::optional<Lease>& lease, const Attempt& attempt) {
  const PageNotes& notes = attempt.notes;
  Transaction transaction(database_);
  const Instant now = lease ? Leases(database_).confirm(*lease) : database_.now();
  const auto run = People(database_).keep_forget_waiting();
  if (notes.forgets && run != *notes.forgets) {
    throw DatabaseError(DatabaseError::Kind::busy, "a person was forgotten while a page was read");
  }
  Saved saved;
  saved.at = now;
  saved.forgets = run;
  const bool keyless = notes.person_of && kept_names_.has_keyless(database_, next.list);
  std::set<std::string> changed;  // whose records are new or different, where that matters
  std::size_t at = 0;
  do {
    const std::span rest = std::span(records).subspan(at);
    const std::span block = rest.first(std::min(rest.size(), kBlock));
    Page page = page_of(root_, block, now);
    // Not where a table of the CRM is written, too: that one may have no index.
    if (!changes_crm_) prefer_indexes(database_);
    saved.unchanged += drop_stored(database_, page, block);
    if (attempt.orphans) page.replaced.reset();
    saved.changed += static_cast<std::int64_t>(page.records.size());
    store(database_, page, [&] {
      if (report_) report_->gather(page.records);
    });
    if (report_) note_report(*report_, page.records, page.replaced, now);
    note_facts(database_, notes.facts, page.records);
    if (notes.follow_ups_of) FollowUpStore(database_).add(notes.follow_ups_of(page.records));
    for (const Record& record : page.records)
      if (keyless) changed.insert(notes.person_of(record));
    if (attempt.writes) writes_->write(page.records, *attempt.writes, next.list, saved);
    if (queues_writes_) WriteQueue(database_, next.list).add(page.records, now);
    at += kBlock;
  } while (at < records.size());
  reveal(database_, next.list, drop_unreadable(database_, next.list, records, kept_names_),
         changed);
  note_stops(database_, notes.facts);
  People(database_).note(notes.facts_of_others);
  keep_unreadable(database_, next.list, notes.unreadable, now, kept_names_);
  add_arrivals(database_, "pull." + next.list + "." + next.walk, now, saved.changed);
  save_walk(database_, next);
  transaction.commit();
  return saved;
}

std::int64_t PullStore::renew_report() {
  if (!report_) return 0;
  report_->prepare({});
  const auto behind = report_->behind();
  if (!behind) return 0;
  const auto keys = stored_keys(database_, root_, *behind, kAgainAtOnce);
  const auto all = stored_records(database_, root_, keys);
  report_->prepare(all);
  if (report_->lacks_columns()) return 0;  // they are tried again before the next records
  try {
    Transaction transaction(database_);
    People(database_).keep_forget_waiting();
    lock_rows(database_, mapping::tables_of(root_).front(), keys);
    note_report(*report_, stored_records(database_, root_, keys), std::nullopt, database_.now());
    report_->set_reached(keys.empty() ? std::nullopt : std::optional(text_in(keys.back())));
    transaction.commit();
  } catch (const ReportError& error) {
    report_->give_up(error.what());
    return 0;
  }
  return static_cast<std::int64_t>(keys.size());
}

void PullStore::try_report_again() {
  if (!report_problem().empty()) report_.emplace(database_, root_, *shape_);
}

}  // namespace surveybridge::crm
