#include "connectors/crm/report/report_store.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "config/text.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/report/report_views.hpp"
#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "mapping/values/bounce.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Null;
using mapping::Record;
using End = std::optional<std::int64_t>;  // of a scale

constexpr const char* kEveryRecord = "all";  // every record is noted
constexpr const char* kUpTo = "up to ";      // those with keys up to the rest are
// All were noted with this configuration, and those with keys behind the rest are to be once more.
constexpr const char* kAgainAfter = "again after ";
// What the rows are made by: another number makes all of them anew.
constexpr const char* kVersion = "3";
// The data columns are read anew after so many pages.
constexpr int kPages = 50;
// Between two tries to change the shape there are at most so many pages: each try makes those who
// read wait a moment.
constexpr int kPagesMost = 16;
// The service may write the date of an invitation so much later than it has sent the mail.
constexpr std::chrono::hours kDatedLater{24};
// A score beyond this is left out: the views add up squares, and an overflow would end them all.
constexpr std::int64_t kScoreMost = 1'000'000;

const mapping::TableColumn kKey{"key", ColumnType::key_text};

Value flag(bool on) {
  return std::int64_t{on ? 1 : 0};
}

End lower(const End& end, const End& other) {
  return end && other ? std::min(end, other) : std::max(end, other);
}

// What the rows of a root depend on besides its records.
std::string mark_of(const ReportShape& shape) {
  std::string text = kVersion;
  for (const auto& [push, column] : shape.correlates)
    text += "\n" + push + "=" + column;
  for (const auto& segment : shape.report.segments)
    text += "\n" + segment;
  return mapping::name_uuid(text) + " ";
}

// Was every record noted with this shape, by the state of a root?
bool is_noted_with(const ReportShape& shape, const std::string& state) {
  const std::string mark = mark_of(shape);
  return state.starts_with(mark) && !std::string_view(state).substr(mark.size()).starts_with(kUpTo);
}

// Can a mail that was sent then be one to this customer? Second feedback has the same key, and so
// may others have. Nobody is mailed who has finished, or who is invited only later.
bool may_be_of(const std::optional<Instant>& sent, const std::optional<Instant>& invited,
               const std::optional<Instant>& finished) {
  if (!sent) return true;
  return !(finished && *finished <= *sent) && !(invited && *invited - kDatedLater > *sent);
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
    if (item.resource->find("CustomerDataColumnId") == nullptr) return false;
    const auto id = item.get<std::int64_t>("CustomerDataColumnId");
    return id && std::ranges::find(known, *id, &mapping::DataColumn::id) == known.end();
  };
  return std::ranges::any_of(records, [&](const Record& record) {
    return std::ranges::any_of(record.at("Data").records, is_another);
  });
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
  for (auto& row : rows)
    if (!stored.contains(integer_in(row.front()))) row.at(seen_at) = now;
}

// A question that somebody has answered, with its words and the ends of its scale as the answers
// show them.
struct Question {
  std::string words, language;  // of the words
  std::string kind = "text";    // or "scale"
  End low, high;
  Instant first_seen = Instant::max(), last_seen = Instant::min();
  static auto cells(auto& of) {
    return std::tie(of.words, of.language, of.kind, of.low, of.high, of.first_seen, of.last_seen);
  }
  bool operator==(const Question&) const = default;
};
using Questions = std::map<std::int64_t, Question>;

constexpr const char* kQuestions =
    R"(SELECT "words", "language", "kind", "low", "high", "first_seen", "last_seen", "id")"
    R"( FROM "survey_question")";

Questions questions_in(const std::vector<std::vector<Value>>& rows) {
  Questions questions;
  for (const auto& row : rows)
    questions[integer_in(row.at(7))] = struct_in<Question>(row);
  return questions;
}

Questions stored_questions(Database& database, const std::vector<Value>& ids) {
  return questions_in(rows_with_keys(database, kQuestions, question_table().columns[0], ids));
}

// A question's words as customers of one language read them, and about how many answers had them.
struct Wording {
  std::string words;
  std::int64_t answers = 0;
};
using QuestionAndLanguage = std::pair<std::int64_t, std::string>;
using Wordings = std::map<QuestionAndLanguage, Wording>;
// Of a question. Others that the service writes are not kept.
constexpr std::ptrdiff_t kLanguagesMost = 50;
// Answers are added to those that are stored when they are this share of them: lanes that store
// pages at the same time must not wait for each other's counts.
constexpr std::int64_t kCountedShare = 16;

Wordings wordings_in(const std::vector<std::vector<Value>>& rows) {
  Wordings wordings;
  for (const auto& row : rows)
    wordings[{integer_in(row.at(0)), text_in(row.at(1))}] = {text_in(row.at(2)),
                                                             integer_in(row.at(3))};
  return wordings;
}

constexpr const char* kWordings =
    R"(SELECT "id", "language", "words", "answers" FROM "survey_question_text")";

// `uncounted`: answers that are not in the table yet.
Wordings note_wordings(Database& database, const std::vector<Value>& ids,
                       const std::vector<std::vector<mapping::Answered>>& answers,
                       std::map<QuestionAndLanguage, std::int64_t>& uncounted) {
  struct Met {
    std::string_view words;  // the last ones
    std::int64_t answers = 0;
  };
  std::map<std::pair<std::int64_t, std::string_view>, Met> all;
  for (const auto& of_one : answers) {
    for (const auto& answer : of_one) {
      if (answer.words.empty()) continue;
      Met& met = all[{answer.question, config::first_bytes(answer.language, kKeyBytesMax)}];
      met.words = answer.words;
      ++met.answers;
    }
  }
  Wordings known =
      wordings_in(rows_with_keys(database, kWordings, question_text_table().columns[0], ids));
  std::vector<std::vector<Value>> rows;
  for (const auto& [of, met] : all) {
    const QuestionAndLanguage key{of.first, of.second};
    const auto is_of_question = [&](const auto& one) { return one.first.first == key.first; };
    if (!known.contains(key) && std::ranges::count_if(known, is_of_question) >= kLanguagesMost)
      continue;
    Wording& wording = known[key];
    std::int64_t& more = uncounted[key];
    more += met.answers;
    if (wording.words == met.words && more * kCountedShare < wording.answers) continue;
    wording = {std::string(met.words), wording.answers + std::exchange(more, 0)};
    rows.push_back({key.first, key.second, wording.words, wording.answers});
  }
  upsert_rows(database, question_text_table(), rows);
  return known;
}

// The words of the reader's language; else the commonest, of two of them the ones that it has.
void choose_words(std::int64_t id, Question& question, const Wordings& wordings,
                  const std::string& reader) {
  const auto rank = [&](const auto& of) {
    const std::string& language = of.first.second;
    const bool is_readers = !reader.empty() && config::same_ignoring_case(language, reader);
    return std::tuple(is_readers, of.second.answers, language == question.language);
  };
  const auto first = wordings.lower_bound({id, ""});
  auto best = first;
  for (auto at = first; at != wordings.end() && at->first.first == id; ++at)
    if (rank(*at) > rank(*best)) best = at;
  if (best == wordings.end() || best->first.first != id) return;
  question.words = best->second.words;
  question.language = best->first.second;
}

void learn(Question& known, const mapping::Answered& answer) {
  if (answer.score) known.kind = "scale";
  known.low = lower(known.low, answer.score);
  known.high = std::max(known.high, answer.score);
  known.first_seen = std::min(known.first_seen, answer.at);
  const bool is_new = known.last_seen == Instant::min();
  if (is_new || answer.at - known.last_seen >= std::chrono::hours{24}) known.last_seen = answer.at;
}

void store_questions(Database& database, const Questions& known, const Questions& stored) {
  std::vector<std::vector<Value>> rows;
  for (const auto& [id, one] : known) {
    const auto before = stored.find(id);
    if (before != stored.end() && before->second == one) continue;
    rows.push_back({id, text_or_null(one.words), text_or_null(one.language), one.kind,
                    or_null(one.low), or_null(one.high), one.first_seen, one.last_seen});
  }
  upsert_rows(database, question_table(), rows);
}

// survey_question: rows are written only where something about a question is new; of when it was
// last answered, only the day. `answers`: of each customer.
void note_questions(Database& database, const std::string& reader,
                    const std::vector<std::vector<mapping::Answered>>& answers,
                    std::map<QuestionAndLanguage, std::int64_t>& uncounted) {
  std::set<std::int64_t> asked;
  for (const auto& of_one : answers)
    for (const auto& answer : of_one)
      asked.insert(answer.question);
  const std::vector<Value> ids(asked.begin(), asked.end());
  const Questions stored = stored_questions(database, ids);
  const Wordings wordings = note_wordings(database, ids, answers, uncounted);
  Questions known = stored;
  for (const auto& of_one : answers)
    for (const auto& answer : of_one)
      learn(known[answer.question], answer);
  for (auto& [id, question] : known)
    choose_words(id, question, wordings, reader);
  store_questions(database, known, stored);
}

// The reader's language may be another one now.
void choose_all_words(Database& database, const std::string& reader) {
  const Questions stored = questions_in(query_rows(database, kQuestions, {}));
  const Wordings wordings = wordings_in(query_rows(database, kWordings, {}));
  Questions known = stored;
  for (auto& [id, question] : known)
    choose_words(id, question, wordings, reader);
  store_questions(database, known, stored);
}

using Ours = ReportStore::Ours;
using OursOrNone = ReportStore::OursOrNone;

// By the keys that the tables have of them.
void name_as_stored(Database& database, std::vector<OursOrNone>& ours) {
  std::vector<std::string> keys;
  for (const auto& one : ours)
    if (one) keys.push_back(one->key);
  const auto erased = erased_keys(database, keys);
  for (auto& one : ours)
    if (one && erased.contains(one->key)) one->key = erased.at(one->key);
}

// The rows of a table of push and key with these transactions: `select` of each, and its push.
std::vector<std::pair<std::string, std::vector<Value>>> rows_of_ours(
    Database& database, const std::vector<OursOrNone>& ours, const std::string& select) {
  std::map<std::string, std::vector<Value>> keys;
  for (const auto& one : ours)
    if (one) keys[one->push].emplace_back(one->key);
  std::vector<std::pair<std::string, std::vector<Value>>> rows;
  for (const auto& [push, of_push] : keys)
    for (auto& row :
         rows_with_keys(database, select, kKey, of_push, R"( AND "push" = {key})", {push}))
      rows.emplace_back(push, std::move(row));
  return rows;
}

// A gap: pages were stored while the tables for reports could not be kept up to date. It is noted
// in survey_cursor, which the bridge always writes, until all records are taken in again.
std::vector<Value> names_of_gap(const mapping::Resource& root) {
  // No list of a configuration has this name.
  return {std::string("(reports)"), std::string(root.table)};
}

bool has_gap(Database& database, const mapping::Resource& root) {
  return has_row(database,
                 R"(SELECT "walk" FROM "survey_cursor" WHERE "list" = {key} AND "walk" = {key})",
                 names_of_gap(root));
}

}  // namespace

ReportStore::ReportStore(Database& database, const mapping::Resource& root, ReportShape shape)
    : database_(database),
      root_(root),
      shape_(std::move(shape)),
      invitation_(invitation_table()),
      history_(shape_.report.keep_history.count() > 0) {}

void ReportStore::load_columns() {
  pages_ = 0;
  data_columns_ = stored_data_columns(database_);
  correlates_.clear();
  segments_.clear();
  for (const auto& each : shape_.correlates)
    correlates_.push_back(stored_column(database_, each.column));
  for (const auto& name : shape_.report.segments)
    segments_.push_back(stored_column(database_, name));
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
    if (!loaded_) {
      take_up_gap();
      if (&root_ == &mapping::customer()) choose_all_words(database_, shape_.report.language);
    }
    loaded_ = true;  // not before: after a failure it is tried again
    if (&root_ == &mapping::customer())
      change_shape(columns_needed(shape_, columns_, data_columns_, records));
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::other && error.kind != DatabaseError::Kind::constraint)
      throw;
    problem_ = error.what();
  }
}

void ReportStore::change_shape(const ReportColumns& wanted) {
  const bool wants = !wanted.empty() && columns_.size() < kReportColumns;
  lacks_columns_ = wants || !history_.has(columns_);
  views_late_ = !views_made_;
  if (!lacks_columns_ && views_made_) return;
  if (pages_to_wait_-- > 0) return;
  try {
    if (wants) {
      columns_ = add_report_columns(database_, wanted);
      load_columns();
      views_made_ = false;
    }
    history_.prepare(database_, columns_);
    lacks_columns_ = false;
    if (!views_made_) make_views(database_, shape_, shown_columns(shape_, columns_, data_columns_));
    make_comments(database_);
    views_made_ = true;
    views_late_ = false;
    pause_ = pages_to_wait_ = 0;
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::busy) throw;
    pause_ = std::clamp(2 * pause_, 1, kPagesMost);
    pages_to_wait_ = pause_;
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
    note_questions(database_, shape_.report.language, page.answers, uncounted_);
    note_customers(records, std::move(page), replaced, now);
  }
  if (&root_ == &mapping::bouncer()) note_bouncers(records, now);
  if (&root_ == &mapping::rating()) note_ratings(records);
}

std::vector<OursOrNone> ReportStore::transactions_of(std::span<const Record> records) const {
  std::vector<OursOrNone> ours(records.size());
  for (std::size_t at = 0; at < records.size(); ++at) {
    for (std::size_t i = 0; i < correlates_.size() && !ours[at]; ++i) {
      auto key = mapping::data_value(records[at], correlates_[i]);
      // The ledger has no longer key, and no table takes one.
      if (fits_as_key(key)) ours[at] = {shape_.correlates[i].push, std::move(key)};
    }
  }
  return ours;
}

std::vector<Value> ReportStore::invitation_row(const Record& customer, const Answers& answers,
                                               const OursOrNone& ours,
                                               const std::optional<Instant>* bounced) const {
  const auto one = mapping::invitation_of(customer, answers);
  const auto bounced_at = bounced ? *bounced : std::nullopt;
  const auto reached = mapping::stage_of(one, bounced != nullptr, bounced_at);
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
  for (const bool on : {one.opened, one.begun, one.finished, one.closed, bounced != nullptr,
                        one.opted_out, one.test, one.second_feedback, one.contact_requested})
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
  Gathered page{customers.data(), mapping::answered(customers), transactions_of(customers), {}};
  page.rows.reserve(customers.size());
  for (std::size_t i = 0; i < customers.size(); ++i)
    page.rows.push_back(invitation_row(customers[i], page.answers[i], page.ours[i], nullptr));
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
  std::map<std::pair<std::string, std::string>, std::vector<std::optional<Instant>>> bounced;
  for (const auto& [push, row] :
       rows_of_ours(database_, page.ours, R"(SELECT "key", "bounced_at" FROM "survey_bounce")"))
    bounced[{push, text_in(row.at(0))}].push_back(instant_in(row.at(1)));
  std::vector<Value> known;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    known.push_back(rows[i].front());
    const auto& ours = page.ours[i];
    if (!ours) continue;
    rows[i].at(2) = ours->key;
    const auto invited = customers[i].get<Instant>("DateInvited"),
               finished = customers[i].get<Instant>("SurveyFinishedDate");
    for (const auto& sent : bounced[{ours->push, ours->key}])
      if (may_be_of(sent, invited, finished))
        rows[i] = invitation_row(customers[i], page.answers[i], ours, &sent);
  }
  if (replaced) known = *replaced;
  history_.write_first(database_, known);
  if (!replaced) {
    upsert_rows(database_, invitation_, rows);
  } else {
    if (history_.is_kept()) mark_new(rows, *replaced, now);
    if (!replaced->empty()) remove_rows(database_, invitation_, *replaced);
    insert_rows(database_, invitation_, rows);
  }
  history_.note(database_, known, now);
}

void ReportStore::note_bouncers(std::span<const Record> records, Instant now) {
  Rows rows, marks;
  auto ours_of = transactions_of(records);
  name_as_stored(database_, ours_of);
  std::map<std::pair<std::string, std::string>, std::vector<std::optional<Instant>>> sent_at;
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
                    flag(record.is_true("IsConcept"))});
    if (ours) sent_at[{ours->push, ours->key}].push_back(record.get<Instant>("DateSent"));
  }
  upsert_rows(database_, bounce_table(), rows);
  const std::string bounced(to_string(mapping::Stage::bounced));
  std::vector<Value> customers;
  for (const auto& [push, row] :
       rows_of_ours(database_, ours_of,
                    R"(SELECT "customer_id", "key", "invited_at", "finished_at")"
                    R"( FROM "survey_invitation")")) {
    for (const auto& sent : sent_at[{push, text_in(row.at(1))}]) {
      if (!may_be_of(sent, instant_in(row.at(2)), instant_in(row.at(3)))) continue;
      marks.push_back({or_null(sent), bounced, or_null(sent), row.at(0)});
      customers.push_back(row.at(0));
    }
  }
  history_.write_first(database_, customers);
  run_each(database_,
           R"(UPDATE "survey_invitation" SET "bounced" = 1, "bounced_at" = {instant},)"
           R"( "seen_at" = NULL,)"
           R"( "stage" = CASE WHEN "finished" = 1 THEN "stage" ELSE {key} END,)"
           R"( "stage_at" = CASE WHEN "finished" = 1 THEN "stage_at" ELSE {instant} END)"
           R"( WHERE "customer_id" = {integer})",
           marks);
  history_.note(database_, customers, now);
}

void ReportStore::note_ratings(std::span<const Record> records) {
  Rows rows;
  auto all = transactions_of(records);
  name_as_stored(database_, all);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto& ours = all[i];
    rows.push_back({mapping::key_of(records[i]), ours ? Value{ours->push} : Value{Null{}},
                    ours ? Value{ours->key} : Value{Null{}}});
  }
  upsert_rows(database_, rating_match_table(), rows);
}

std::optional<std::string> ReportStore::behind() {
  if (table_of(root_) == nullptr || !problem_.empty()) return std::nullopt;
  return stored_reach();
}

// As behind(), also where there is a problem.
std::optional<std::string> ReportStore::stored_reach() {
  state_ = report_state(database_, std::string(root_.table));
  const std::string mark = mark_of(shape_);
  if (!state_.starts_with(mark)) return "";
  const std::string reached = state_.substr(mark.size());
  if (reached == kEveryRecord) {
    late_ = false;
    return std::nullopt;
  }
  return reached.substr(
      std::string_view(reached.starts_with(kAgainAfter) ? kAgainAfter : kUpTo).size());
}

void ReportStore::set_reached(const std::optional<std::string>& key) {
  const std::string name(root_.table);
  const char* part = is_noted_with(shape_, state_) ? kAgainAfter : kUpTo;
  const std::string next = mark_of(shape_) + (key ? part + *key : kEveryRecord);
  if (state_.empty()) {
    set_report_state(database_, name, next);
  } else {
    move_report_state(database_, name, state_, next);
  }
}

// Customers from the first of these on are to be noted again.
void ReportStore::mark_late(std::span<const Record> customers) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const auto& customer : customers)
    first = std::min(first, integer_in(mapping::key_of(customer)));
  late_ = true;
  const auto reached = stored_reach();
  if (reached && (reached->empty() || std::stoll(*reached) < first)) return;
  set_reached(std::to_string(first - 1));
}

void ReportStore::give_up(const std::string& problem) {
  problem_ = problem;
  loaded_ = false;
}

void ReportStore::note_gap() {
  if (problem_.empty() || has_gap(database_, root_)) return;
  run_statement(database_,
                R"(INSERT INTO "survey_cursor" ("list", "walk", "cursor", "pages",)"
                R"( "restarts") VALUES ({key}, {key}, '', 0, 0))",
                names_of_gap(root_));
}

// Everything is noted again.
void ReportStore::take_up_gap() {
  if (!has_gap(database_, root_)) return;
  Transaction transaction(database_);
  set_report_state(database_, std::string(root_.table), "");
  run_statement(database_,
                R"(DELETE FROM "survey_cursor" WHERE "list" =)"
                R"( {key} AND "walk" = {key})",
                names_of_gap(root_));
  transaction.commit();
}

bool has_segments_of(Database& database, const ReportShape& shape) {
  return is_noted_with(shape, report_state(database, std::string(mapping::customer().table)));
}

std::vector<const Table*> report_tables_of(const mapping::Resource& root) {
  std::vector<const Table*> tables;
  if (const auto* table = table_of(root)) tables.push_back(table);
  if (&root == &mapping::customer()) tables.push_back(&history_table());
  return tables;
}

}  // namespace surveybridge::crm
