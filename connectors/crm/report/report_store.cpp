#include "connectors/crm/report/report_store.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/report/report_columns.hpp"
#include "connectors/crm/report/report_views.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "mapping/report/invitation.hpp"
#include "mapping/values/bounce.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Null;
using mapping::Record;

constexpr const char* kEveryRecord = "all";  // every record is noted
constexpr const char* kUpTo = "up to ";      // those with keys up to the rest are
// What the rows are made by: another number makes all of them anew.
constexpr const char* kVersion = "2";
// The data columns are read anew after so many pages.
constexpr int kPages = 50;
// A score beyond this is left out: the views add up squares, and an overflow would end them all.
constexpr std::int64_t kScoreMost = 1'000'000;

Value flag(bool on) {
  return std::int64_t{on ? 1 : 0};
}

std::vector<Value> keys_of(const std::vector<std::vector<Value>>& rows) {
  std::vector<Value> keys;
  for (const auto& row : rows)
    keys.push_back(row.front());
  return keys;
}

// What the rows of a root depend on besides its records.
std::string mark_of(const ReportShape& shape) {
  std::string text = kVersion;
  for (const auto& [push, column] : shape.correlates)
    text += "\n" + push + "=" + column;
  for (const auto& segment : shape.report.segments)
    text += "\n" + segment;
  return mapping::name_uuid(text);
}

const Table* table_of(const mapping::Resource& root) {
  if (&root == &mapping::customer()) return &invitation_table();
  if (&root == &mapping::bouncer()) return &bounce_table();
  if (&root == &mapping::rating()) return &rating_match_table();
  return nullptr;
}

bool show_another_column(std::span<const Record> records,
                         const std::vector<mapping::DataColumn>& known) {
  const auto is_another = [&](const Record& item) {
    const bool numbered = item.resource->find("CustomerDataColumnId") != nullptr;
    const auto* id =
        numbered ? std::get_if<std::int64_t>(&item.value("CustomerDataColumnId")) : nullptr;
    return id != nullptr && std::ranges::find(known, *id, &mapping::DataColumn::id) == known.end();
  };
  return std::ranges::any_of(records, [&](const Record& record) {
    return std::ranges::any_of(record.at("Data").records, is_another);
  });
}

using Ours = ReportStore::Ours;
using BouncedAt = ReportStore::BouncedAt;

// Which of these keys of a push have bounced, and when.
void add_bounces(Database& database, const std::string& push, const std::vector<Value>& keys,
                 BouncedAt& bounced) {
  for (const auto& row :
       rows_with_keys(database, R"(SELECT "key", "bounced_at" FROM "survey_bounce")",
                      {"key", ColumnType::key_text}, keys, R"( AND "push" = {key})", {push}))
    bounced[{push, text_in(row.at(0))}] = instant_in(row.at(1));
}

// Gives the rows of survey_invitation whose customer is not `known` the time at which they were
// first seen.
void mark_new(std::vector<std::vector<Value>>& rows, const std::vector<Value>& known, Instant now) {
  static const auto seen_at = static_cast<std::size_t>(
      std::ranges::find(invitation_table().columns, "seen_at", &mapping::TableColumn::name) -
      invitation_table().columns.begin());
  std::set<std::int64_t> stored;
  for (const auto& key : known)
    stored.insert(integer_in(key));
  for (auto& row : rows) {
    if (!stored.contains(integer_in(row.front()))) row.at(seen_at) = now;
  }
}

// Transactions by the keys that the tables have of them.
void name_as_stored(Database& database, std::vector<std::optional<Ours>>& ours) {
  std::vector<std::string> keys;
  for (const auto& one : ours)
    if (one) keys.push_back(one->key);
  const auto erased = erased_keys(database, keys);
  for (auto& one : ours)
    if (one && erased.contains(one->key)) one->key = erased.at(one->key);
}

// The bounces of these transactions.
BouncedAt bounces_of(Database& database, const std::vector<std::optional<Ours>>& ours) {
  std::map<std::string, std::vector<Value>> keys;
  for (const auto& one : ours) {
    if (one) keys[one->push].emplace_back(one->key);
  }
  BouncedAt bounced;
  for (const auto& [push, of_push] : keys)
    add_bounces(database, push, of_push, bounced);
  return bounced;
}

}  // namespace

ReportStore::ReportStore(Database& database, const mapping::Resource& root, ReportShape shape)
    : database_(database),
      root_(root),
      shape_(std::move(shape)),
      invitation_(invitation_table()),
      questions_(shape_.report.language),
      history_(shape_.report.keep_history.count() > 0) {}

void ReportStore::load_columns() {
  pages_ = 0;
  data_columns_ = stored_data_columns(database_);
  const auto resolved = [&](const std::string& name) {
    auto found = mapping::find_column(name, data_columns_);
    auto* column = std::get_if<mapping::DataColumn>(&found);
    return column ? std::move(*column) : mapping::column_as_written(name);
  };
  correlates_.clear();
  segments_.clear();
  for (const auto& each : shape_.correlates)
    correlates_.push_back(resolved(each.column));
  for (const auto& name : shape_.report.segments)
    segments_.push_back(resolved(name));
  invitation_ = invitation_table();
  score_at_.clear();
  for (const auto& column : columns_) {
    if (column.kind != ReportColumn::Kind::score) continue;
    score_at_[{column.source, column.occurrence}] = invitation_.columns.size();
    invitation_.columns.push_back(
        {score_column(column.source, column.occurrence), ColumnType::integer});
  }
}

void ReportStore::prepare(std::span<const Record> records) {
  gathered_.reset();  // of a page that was not stored
  if (table_of(root_) == nullptr || !problem_.empty()) return;
  try {
    if (!loaded_) columns_ = stored_report_columns(database_);
    const bool old = !loaded_ || records.empty() || ++pages_ >= kPages;
    if (old || show_another_column(records, data_columns_)) load_columns();
    if (!loaded_) take_up_gap();
    loaded_ = true;  // not before: after a failure it is tried again
    if (&root_ == &mapping::customer())
      change_shape(columns_needed(shape_, columns_, data_columns_, records));
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::other && error.kind != DatabaseError::Kind::constraint)
      throw;
    problem_ = error.what();
  }
}

void ReportStore::note(std::span<const Record> records,
                       const std::optional<std::vector<Value>>& replaced, Instant now) {
  if (!loaded_) return note_gap();
  if (records.empty()) return;
  if (&root_ == &mapping::customer()) {
    if (lacks_columns_) mark_late(records);
    const bool is_gathered =
        gathered_ && gathered_->of == records.data() && gathered_->rows.size() == records.size();
    Gathered page = is_gathered ? *std::exchange(gathered_, std::nullopt) : gathered(records);
    questions_.note(database_, page.answers);
    note_customers(records, std::move(page), replaced, now);
  }
  if (&root_ == &mapping::bouncer()) note_bouncers(records, now);
  if (&root_ == &mapping::rating()) note_ratings(records);
}

std::optional<Ours> ReportStore::transaction_of(const Record& record) const {
  for (std::size_t i = 0; i < correlates_.size(); ++i) {
    auto key = mapping::data_value(record, correlates_[i]);
    // The ledger has no longer key, and no table takes one.
    const bool fits = fits_as_key(key);
    if (fits) return Ours{shape_.correlates[i].push, std::move(key)};
  }
  return std::nullopt;
}

std::vector<Value> ReportStore::invitation_row(const Record& customer, const Answers& answers,
                                               const std::optional<Ours>& ours,
                                               const BouncedAt& bounces) const {
  const auto one = mapping::invitation_of(customer, answers);
  const auto found = ours ? bounces.find({ours->push, ours->key}) : bounces.end();
  const bool bounced = found != bounces.end();
  const auto bounced_at = bounced ? found->second : std::nullopt;
  const auto reached = mapping::stage_of(one, bounced, bounced_at);
  std::vector<Value> row;
  row.reserve(invitation_.columns.size());
  row = {mapping::key_of(customer),
         ours ? Value{ours->push} : Value{Null{}},
         ours ? Value{ours->key} : Value{Null{}},
         std::string(to_string(reached.stage)),
         or_null(reached.at),
         or_null(one.transaction_date),
         or_null(one.invited_at),
         or_null(one.opened_at),
         or_null(one.begun_at),
         or_null(one.finished_at),
         or_null(one.closed_at),
         or_null(bounced_at),
         or_null(one.opted_out_at),
         or_null(one.last_activity),
         or_null(one.seconds_to_answer),
         text_or_null(one.mail_domain)};
  for (const bool on : {one.opened, one.begun, one.finished, one.closed, bounced, one.opted_out,
                        one.test, one.second_feedback, one.contact_requested})
    row.push_back(flag(on));
  row.emplace_back(Null{});  // "seen_at", of new customers only
  for (std::size_t i = 0; i < config::kReportSegments; ++i)
    row.push_back(i < segments_.size() ? text_or_null(data_value(customer, segments_[i]))
                                       : Value{Null{}});
  row.resize(invitation_.columns.size(), Null{});
  for (const auto& answer : answers) {
    const auto at = score_at_.find({answer.question, answer.occurrence});
    const bool fits = answer.score && *answer.score >= -kScoreMost && *answer.score <= kScoreMost;
    if (fits && at != score_at_.end()) row[at->second] = *answer.score;
  }
  return row;
}

ReportStore::Gathered ReportStore::gathered(std::span<const Record> customers) const {
  Gathered page{customers.data(), mapping::answered(customers), {}, {}};
  page.ours.reserve(customers.size());
  page.rows.reserve(customers.size());
  for (std::size_t i = 0; i < customers.size(); ++i) {
    page.ours.push_back(transaction_of(customers[i]));
    page.rows.push_back(invitation_row(customers[i], page.answers[i], page.ours[i], {}));
  }
  return page;
}

void ReportStore::gather(std::span<const Record> records) {
  gathered_.reset();
  if (loaded_ && &root_ == &mapping::customer()) gathered_ = gathered(records);
}

void ReportStore::note_customers(std::span<const Record> customers, Gathered page,
                                 const std::optional<std::vector<Value>>& replaced, Instant now) {
  Rows& rows = page.rows;
  name_as_stored(database_, page.ours);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (page.ours[i]) rows[i].at(2) = page.ours[i]->key;
  const auto bounces = bounces_of(database_, page.ours);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& ours = page.ours[i];
    if (ours && bounces.contains({ours->push, ours->key}))
      rows[i] = invitation_row(customers[i], page.answers[i], ours, bounces);
  }
  const std::vector<Value> known = replaced ? *replaced : keys_of(rows);
  history_.write_first(database_, known);
  if (!replaced) {
    put(database_, upsert(database_.dialect(), invitation_), rows);
  } else {
    if (history_.is_kept()) mark_new(rows, *replaced, now);
    if (!replaced->empty()) remove_rows(database_, invitation_, *replaced);
    insert_rows(database_, invitation_, rows);
  }
  history_.note(database_, known, now);
}

void ReportStore::note_bouncers(std::span<const Record> records, Instant now) {
  Rows rows, marks;
  std::vector<std::optional<Ours>> ours_of;
  for (const auto& record : records)
    ours_of.push_back(transaction_of(record));
  name_as_stored(database_, ours_of);
  const std::string bounced(to_string(mapping::Stage::bounced));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto& record = records[i];
    const auto& ours = ours_of[i];
    const std::string reason = text_of(record.value("Reason")),
                      exception = text_of(record.value("Exception")),
                      status = text_of(record.value("CustomerStatus"));
    const bool hard = mapping::kind_of_bounce({reason, exception, status}) == mapping::Bounce::hard;
    rows.push_back({mapping::key_of(record), ours ? Value{ours->push} : Value{Null{}},
                    ours ? Value{ours->key} : Value{Null{}}, hard ? "hard" : "soft",
                    text_or_null(mapping::mail_domain(text_of(record.value("Email")))),
                    record.value("DateSent"), record.value("TransactionDate"),
                    flag(record.value("IsConcept") == Value{true})});
    if (ours)
      marks.push_back(
          {record.value("DateSent"), bounced, record.value("DateSent"), ours->push, ours->key});
  }
  put(database_, upsert(database_.dialect(), bounce_table()), rows);
  std::map<std::string, std::vector<Value>> bounced_of;
  for (const auto& mark : marks)
    bounced_of[text_of(mark.at(3))].push_back(mark.at(4));
  for (const auto& [push, keys] : bounced_of)
    history_.write_first(database_, push, keys);
  database_.execute_each(
      in_dialect(database_.dialect(),
                 R"(UPDATE "survey_invitation" SET "bounced" = 1, "bounced_at" = {instant},)"
                 R"( "seen_at" = NULL,)"
                 R"( "stage" = CASE WHEN "finished" = 1 THEN "stage" ELSE {key} END,)"
                 R"( "stage_at" = CASE WHEN "finished" = 1 THEN "stage_at" ELSE {instant} END)"
                 R"( WHERE "push" = {key} AND "key" = {key})"),
      marks);
  for (const auto& [push, keys] : bounced_of)
    history_.note(database_, push, keys, now);
}

void ReportStore::note_ratings(std::span<const Record> records) {
  Rows rows;
  std::vector<std::optional<Ours>> all;
  for (const auto& record : records)
    all.push_back(transaction_of(record));
  name_as_stored(database_, all);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto& ours = all[i];
    rows.push_back({mapping::key_of(records[i]), ours ? Value{ours->push} : Value{Null{}},
                    ours ? Value{ours->key} : Value{Null{}}});
  }
  put(database_, upsert(database_.dialect(), rating_match_table()), rows);
}

std::optional<std::string> ReportStore::behind() {
  if (table_of(root_) == nullptr || !problem_.empty()) return std::nullopt;
  return stored_reach();
}

// As behind(), also where there is a problem.
std::optional<std::string> ReportStore::stored_reach() {
  state_ = report_state(database_, std::string(root_.table));
  const std::string mark = mark_of(shape_) + " ";
  if (!state_.starts_with(mark)) return "";
  const std::string reached = state_.substr(mark.size());
  if (reached == kEveryRecord) {
    late_ = false;
    return std::nullopt;
  }
  return reached.substr(std::string_view(kUpTo).size());
}

void ReportStore::set_reached(const std::optional<std::string>& key) {
  const std::string name(root_.table);
  const std::string next = mark_of(shape_) + " " + (key ? kUpTo + *key : kEveryRecord);
  if (state_.empty()) {
    set_report_state(database_, name, next);
  } else {
    move_report_state(database_, name, state_, next);
  }
}

std::vector<const Table*> report_tables_of(const mapping::Resource& root) {
  std::vector<const Table*> tables;
  if (const auto* table = table_of(root)) tables.push_back(table);
  if (&root == &mapping::customer()) tables.push_back(&history_table());
  return tables;
}

}  // namespace surveybridge::crm
