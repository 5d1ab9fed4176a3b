#include "connectors/crm/ledger/ledger_moves.hpp"

#include <map>
#include <set>

#include "config/text.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "mapping/values/address_traces.hpp"

namespace surveybridge::crm {
namespace {

using Verdict = Ledger::Verdict;
using Keys = std::set<std::string>;
using Names = std::map<std::string, std::string>;

// Under which names the tables have the keys of these rows, where it is another one.
template <typename Row>
Names names_of(Database& database, const std::vector<Row>& rows) {
  return erased_keys(database, keys_of(rows));
}

// By key and in its order, so that two daemons with the same rows wait for each other, not in a
// ring. The first of two rows with one key counts.
std::vector<Entering::Row> enterable(const std::vector<Entering::Row>& rows, const Names& names) {
  std::map<std::string, Entering::Row> by_key;
  for (const auto& row : rows) {
    if (fits_as_key(row.key)) by_key.emplace(name_in(names, row.key), row);
  }
  std::vector<Entering::Row> all;
  for (auto& [key, row] : by_key) {
    row.key = key;
    all.push_back(std::move(row));
  }
  return all;
}

// A reason may repeat the address of somebody who was forgotten.
template <typename Row>
void erase_reasons(Database& database, std::vector<Row>& rows) {
  std::vector<std::string> reasons;
  for (const auto& row : rows)
    reasons.push_back(row.reason);
  const auto erased = erased_texts(database, reasons);
  for (auto& row : rows)
    if (erased.contains(row.reason)) row.reason = kErased;
}

// What a pending row takes over, where `before` and `behind` make its new value of a column's name.
std::string taken_over(const std::string& before, const std::string& behind) {
  std::string all = R"("attempts" = t."attempts" + )" + before + "attempts" + behind +
                    R"(, "person" = COALESCE()" + before + "person" + behind + R"(, t."person"))";
  for (const char* column : {"state", "reason", "batch", "owner", "email", "transaction_date",
                             "not_before", "test", "digest", "quota", "changed_at"})
    all += std::string(", \"") + column + "\" = " + before + column + behind;
  return all;
}

constexpr std::string_view kInsert =
    R"(("push", "key", "state", "reason", "batch", "attempts", "owner", "email",)"
    R"( "transaction_date", "person", "not_before", "test", "digest", "quota", "seen_at",)"
    R"( "changed_at"))"
    " SELECT $push, $key, $state, $reason, $batch, $attempts, $owner, $email, $transaction_date,"
    " $person, $not_before, $test, $digest, $quota, $changed_at, $changed_at$rows";

RowChange entering_by(const std::string& sql, const Entering& in,
                      const std::vector<Entering::Row>& rows) {
  RowChange change{sql,
                   {{"push", {"key", in.push}},
                    {"state", {"key", to_string(in.state)}},
                    {"batch", {"key", text_or_null(in.batch)}},
                    {"attempts", {"integer", std::int64_t{in.state == State::claimed ? 1 : 0}}},
                    {"owner", {"key", text_or_null(in.owner)}},
                    {"test", {"boolean", in.test}},
                    {"changed_at", {"instant", in.now}}},
                   {{"key", "key"},
                    {"reason", "text"},
                    {"email", "text"},
                    {"transaction_date", "instant"},
                    {"person", "key"},
                    {"not_before", "instant"},
                    {"digest", "key"},
                    {"quota", "key"}}};
  for (const auto& row : rows)
    change.add({row.key, text_or_null(row.reason), row.email, row.transaction_date, row.person,
                row.not_before, row.digest, row.quota});
  return change;
}

// MariaDB has no ON CONFLICT, and its INSERT IGNORE would also cut a key that is too long. There
// two daemons that enter a key at once make one of them fail on the primary key; its step is tried
// again.
Keys enter_in_two(Database& database, const Entering& entering, std::vector<Entering::Row> rows) {
  const std::string insert = R"(INSERT INTO "survey_push" )" + std::string(kInsert) +
                             std::string(traits(database.dialect()).from_nothing) +
                             R"( WHERE NOT EXISTS (SELECT 1 FROM "survey_push" AS t)"
                             R"( WHERE t."push" = $push AND t."key" = $key))";
  const std::string update =
      R"(UPDATE "survey_push" AS t SET )" + taken_over("$", "") +
      R"($rows WHERE t."push" = $push AND t."key" = $key AND t."state" = 'pending')";
  try {
    Keys entered = change_rows(database, entering_by(insert, entering, rows));
    std::erase_if(rows, [&](const auto& row) { return entered.contains(row.key); });
    entered.merge(change_rows(database, entering_by(update, entering, rows)));
    return entered;
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::constraint) throw;
    throw DatabaseError(DatabaseError::Kind::busy, "another instance has entered the same keys");
  }
}

// New keys are inserted, pending rows move. The rows are in the order of their keys. WHERE keeps
// SQLite from reading ON as a part of the FROM.
Keys enter_rows(Database& database, const Entering& entering,
                const std::vector<Entering::Row>& rows) {
  if (!traits(database.dialect()).has_on_conflict) return enter_in_two(database, entering, rows);
  const std::string upsert = R"(INSERT INTO "survey_push" AS t )" + std::string(kInsert) +
                             R"( WHERE 1 = 1 ON CONFLICT ("push", "key") DO UPDATE SET )" +
                             taken_over("excluded.\"", "\"") + R"( WHERE t."state" = 'pending')";
  return change_rows(database, entering_by(upsert, entering, rows));
}

Keys move_rows(Database& database, const std::string& push, From from,
               const std::vector<Verdict>& verdicts, Instant now) {
  const std::string in_doubt = " = CASE WHEN $state IN ('in_doubt', 'held') THEN ";
  RowChange change{R"(UPDATE "survey_push" AS t SET "state" = $state, "reason" = $reason,)"
                   R"( "owner" = NULL, "customer_id" = COALESCE($customer_id, t."customer_id"),)"
                   R"( "email")" +
                       in_doubt + R"(t."email" END, "transaction_date")" + in_doubt +
                       R"(t."transaction_date" END, "doubt_since")" + in_doubt +
                       R"(COALESCE(t."doubt_since", $now) END, "digest" = CASE WHEN $state IN)"
                       R"( ('sent', 'suppressed') THEN NULL ELSE t."digest" END,)"
                       R"( "changed_at" = $now$rows)"
                       R"( WHERE t."push" = $push AND t."key" = $key)"
                       R"( AND ($batch IS NULL OR t."batch" = $batch))"
                       R"( AND ($attempts IS NULL OR t."attempts" = $attempts))"
                       R"( AND ($digest IS NULL OR t."digest" = $digest) AND )" +
                       is_from(from, "t."),
                   {{"push", {"key", push}}, {"now", {"instant", now}}},
                   {{"key", "key"},
                    {"batch", "key"},
                    {"state", "key"},
                    {"reason", "text"},
                    {"customer_id", "integer"},
                    {"digest", "key"},
                    {"attempts", "integer"}}};
  for (const auto& v : verdicts)
    change.add({v.key, text_or_null(v.batch), to_string(v.state), text_or_null(bounded(v.reason)),
                or_null(v.customer_id), text_or_null(v.digest), or_null(v.attempts)});
  return change_rows(database, change);
}

// The move to `sent` by the batch's own answer: the batch tells it (`settled_at`), and
// Ledger::history() adds it.
bool is_told_by_batch(From from, const Verdict& verdict) {
  return from == From::claimed_or_doubt && verdict.state == State::sent && verdict.reason.empty();
}

// Copies rows as they now are into survey_push_event.
void remember_moves(Database& database, const std::string& push, const Keys& keys) {
  const Dialect dialect = database.dialect();
  for (auto& run : key_chunks(dialect, {keys.begin(), keys.end()})) {
    const auto count = run.size();
    const std::string sql =
        in_dialect(dialect, R"(INSERT INTO "survey_push_event" ("push", "key", "at", "state",)"
                            R"( "batch", "detail") SELECT "push", "key", "changed_at", "state",)"
                            R"( "batch", "reason" FROM "survey_push" WHERE )") +
        one_of(dialect, {"key", ColumnType::key_text}, count) +
        in_dialect(dialect, R"( AND "push" = {key})", count);
    run.emplace_back(push);
    database.execute({sql, std::move(run)});
  }
}

}  // namespace

LedgerTransaction::LedgerTransaction(Database& database)
    : transaction_(database), forgets_(People(database).keep_forget_waiting()) {}

// A word with an address is not cut: `forget` could not find the rest of it.
std::string bounded(const std::string& text) {
  std::string_view first = config::first_bytes(text, kReasonBytesMax);
  if (first.size() == text.size()) return text;
  const auto blank = first.find_last_of(" \t\r\n");
  const auto word = blank == std::string_view::npos ? 0 : blank + 1;
  if (mapping::may_hold_address(first.substr(word))) first = first.substr(0, word);
  return std::string(first);
}

std::vector<std::string> enter(Database& database, const Entering& entering) {
  const auto names = names_of(database, entering.rows);
  auto rows = enterable(entering.rows, names);
  if (rows.empty()) return {};
  erase_reasons(database, rows);
  Keys moved = enter_rows(database, entering, rows);
  // The batch tells a claim (`sent_at`).
  if (entering.state != State::claimed) remember_moves(database, entering.push, moved);
  std::vector<std::string> in_order;
  for (const auto& row : entering.rows) {
    if (moved.erase(name_in(names, row.key)) > 0) in_order.push_back(row.key);
  }
  return in_order;
}

std::int64_t move(Database& database, const std::string& push, From from,
                  const std::vector<Verdict>& verdicts, Instant now) {
  const auto names = names_of(database, verdicts);
  std::map<std::string, Verdict> last;
  for (const auto& verdict : verdicts)
    last.insert_or_assign(name_in(names, verdict.key), verdict);
  std::vector<Verdict> rows;
  for (auto& [key, verdict] : last) {
    verdict.key = key;
    rows.push_back(std::move(verdict));
  }
  if (rows.empty()) return 0;
  erase_reasons(database, rows);
  Keys moved = move_rows(database, push, from, rows, now);
  const auto count = static_cast<std::int64_t>(moved.size());
  for (const auto& row : rows)
    if (is_told_by_batch(from, row)) moved.erase(row.key);
  remember_moves(database, push, moved);
  return count;
}

// Which owners are dead is decided here and not in SQL, whose dialects do not even agree on how to
// join two texts. An owner that comes back in this moment loses nothing: its own answer still
// settles what is then in doubt.
std::vector<Orphan> orphaned_claims(Database& database, const std::string& push, Instant now,
                                    std::chrono::seconds longest) {
  const auto alive =
      text_set_in(query_rows(database,
                             R"(SELECT "name" FROM "survey_lease" WHERE "expires_at" > {instant})"
                             R"( AND "expires_at" <= {instant})",
                             {now, now + kLeaseAhead}));
  const auto claimed = query_rows(database,
                                  R"(SELECT "key", "batch", "owner", "changed_at" FROM)"
                                  R"( "survey_push" WHERE "push" = {key} AND "state" = 'claimed')",
                                  {push});
  std::vector<Orphan> orphans;
  for (const auto& row : claimed) {
    Orphan orphan{text_in(row.at(0)), text_in(row.at(1)), text_in(row.at(2))};
    orphan.owner_lives = alive.contains("instance:" + orphan.owner);
    const Instant claimed_at = instant_in(row.at(3)).value_or(Instant{});
    const bool in_time = claimed_at <= now + longest && now <= claimed_at + longest;
    if (!orphan.owner_lives || !in_time) orphans.push_back(std::move(orphan));
  }
  return orphans;
}

}  // namespace surveybridge::crm
