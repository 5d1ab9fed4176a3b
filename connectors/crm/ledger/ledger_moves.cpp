#include "connectors/crm/ledger/ledger_moves.hpp"

#include <map>
#include <set>

#include "config/text.hpp"
#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/people/people.hpp"
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
  std::vector<std::string> keys;
  for (const auto& row : rows)
    keys.push_back(row.key);
  return erased_keys(database, keys);
}

const std::string& name_of(const std::string& key, const Names& names) {
  const auto found = names.find(key);
  return found == names.end() ? key : found->second;
}

std::int64_t attempts_of(const Entering& entering) {
  return entering.state == State::claimed ? 1 : 0;
}

Keys keys_in(const Result& result) {
  Keys keys;
  for (const auto& row : result.rows)
    keys.insert(text_in(row.at(0)));
  return keys;
}

// By key and in its order, so that two daemons with the same rows wait for each other, not in a
// ring. The first of two rows with one key counts.
std::vector<Entering::Row> enterable(const std::vector<Entering::Row>& rows, const Names& names) {
  std::map<std::string, Entering::Row> by_key;
  for (const auto& row : rows) {
    if (fits_as_key(row.key)) by_key.emplace(name_of(row.key, names), row);
  }
  std::vector<Entering::Row> all;
  for (auto& [key, row] : by_key) {
    row.key = key;
    all.push_back(std::move(row));
  }
  return all;
}

// A reason may repeat the address of somebody who was forgotten.
void erase_reasons(Database& database, std::vector<Entering::Row>& rows) {
  std::vector<std::string> reasons;
  for (const auto& row : rows)
    reasons.push_back(text_in(row.reason));
  const auto erased = erased_texts(database, reasons);
  for (auto& row : rows)
    if (erased.contains(text_in(row.reason))) row.reason = std::string(kErased);
}

void erase_reasons(Database& database, std::vector<Verdict>& rows) {
  std::vector<std::string> reasons;
  for (const auto& row : rows)
    reasons.push_back(row.reason);
  const auto erased = erased_texts(database, reasons);
  for (auto& row : rows)
    if (erased.contains(row.reason)) row.reason = kErased;
}

Keys enter_by_arrays(Database& database, const Entering& in,
                     const std::vector<Entering::Row>& rows) {
  std::vector<std::vector<Value>> cells;
  for (const auto& row : rows) {
    cells.push_back(
        {row.key, row.reason, row.email, row.transaction_date, row.person, row.not_before});
  }
  std::vector<Value> parameters = {in.push,
                                   to_string(in.state),
                                   text_or_null(in.batch),
                                   attempts_of(in),
                                   text_or_null(in.owner),
                                   in.test,
                                   in.now,
                                   in.now};
  for (auto& array : columns_as_arrays(cells, 6))
    parameters.push_back(std::move(array));
  return keys_in(database.query({enter_many(database.dialect()), parameters}));
}

bool enter_row(Database& database, const Entering& in, const Entering::Row& row) {
  const Dialect dialect = database.dialect();
  const std::string state = to_string(in.state);
  const Value batch = text_or_null(in.batch);
  const Value owner = text_or_null(in.owner);
  Statement add{enter_one(dialect),
                {in.push, row.key, state, row.reason, batch, attempts_of(in), owner, row.email,
                 row.transaction_date, row.person, row.not_before, in.test, in.now, in.now}};
  if (enter_asks_twice(dialect)) add.parameters.insert(add.parameters.end(), {in.push, row.key});
  if (database.execute(add) > 0) return true;
  return database.execute(
             {move_pending(dialect),
              {state, row.reason, batch, attempts_of(in), owner, row.email, row.transaction_date,
               row.person, row.not_before, in.test, in.now, in.push, row.key}}) > 0;
}

Keys enter_by_row(Database& database, const Entering& entering,
                  const std::vector<Entering::Row>& rows) {
  Keys moved;
  for (const auto& row : rows) {
    if (enter_row(database, entering, row)) moved.insert(row.key);
  }
  return moved;
}

Keys move_by_arrays(Database& database, const std::string& push, From from,
                    const std::vector<Verdict>& verdicts, Instant now) {
  std::vector<std::vector<Value>> cells;
  for (const auto& v : verdicts) {
    cells.push_back({v.key, text_or_null(v.batch), to_string(v.state),
                     text_or_null(bounded(v.reason)),
                     v.customer_id ? Value{*v.customer_id} : Value{mapping::Null{}}});
  }
  std::vector<Value> parameters = {now, now};
  for (auto& array : columns_as_arrays(cells, 5))
    parameters.push_back(std::move(array));
  parameters.emplace_back(push);
  return keys_in(database.query({move_many(database.dialect(), from), parameters}));
}

bool move_row(Database& database, const std::string& push, From from, const Verdict& verdict,
              Instant now) {
  const bool stays_in_doubt = verdict.state == State::in_doubt || verdict.state == State::held;
  const bool names_batch = !verdict.batch.empty();
  Statement statement{move_one(database.dialect(), from, stays_in_doubt, names_batch),
                      {to_string(verdict.state), text_or_null(bounded(verdict.reason)),
                       verdict.customer_id ? Value{*verdict.customer_id} : Value{mapping::Null{}}}};
  auto& parameters = statement.parameters;
  if (stays_in_doubt) parameters.emplace_back(now);
  parameters.insert(parameters.end(), {now, push, verdict.key});
  if (names_batch) parameters.emplace_back(verdict.batch);
  return database.execute(statement) > 0;
}

Keys move_by_row(Database& database, const std::string& push, From from,
                 const std::vector<Verdict>& verdicts, Instant now) {
  Keys moved;
  for (const auto& verdict : verdicts) {
    if (move_row(database, push, from, verdict, now)) moved.insert(verdict.key);
  }
  return moved;
}

// The move to `sent` by the batch's own answer: the batch tells it (`settled_at`), and
// Ledger::history() adds it.
bool is_told_by_batch(From from, const Verdict& verdict) {
  return from == From::claimed_or_doubt && verdict.state == State::sent && verdict.reason.empty();
}

void remember_moves(Database& database, const std::string& push, const Keys& keys) {
  if (keys.empty()) return;
  const std::string sql = remember(database.dialect());
  if (traits(database.dialect()).takes_arrays) {
    const std::vector<std::string> all(keys.begin(), keys.end());
    database.execute({sql, {push, array_literal(all)}});
    return;
  }
  std::vector<std::vector<Value>> rows;
  for (const auto& key : keys)
    rows.push_back({push, key});
  database.execute_each(sql, rows);
}

}  // namespace

LedgerTransaction::LedgerTransaction(Database& database)
    : transaction_(database), forgets_(People(database).keep_forget_waiting()) {}

Value text_or_null(const std::string& text) {
  return text.empty() ? Value{mapping::Null{}} : Value{text};
}

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
  Keys moved;
  try {
    moved = traits(database.dialect()).takes_arrays ? enter_by_arrays(database, entering, rows)
                                                    : enter_by_row(database, entering, rows);
  } catch (const DatabaseError& error) {
    const bool raced = error.kind == DatabaseError::Kind::constraint;
    if (!raced || !enter_asks_twice(database.dialect())) throw;
    throw DatabaseError(DatabaseError::Kind::busy, "another instance has entered the same keys");
  }
  // The batch tells a claim (`sent_at`).
  if (entering.state != State::claimed) remember_moves(database, entering.push, moved);
  std::vector<std::string> in_order;
  for (const auto& row : entering.rows) {
    if (moved.erase(name_of(row.key, names)) > 0) in_order.push_back(row.key);
  }
  return in_order;
}

std::int64_t move(Database& database, const std::string& push, From from,
                  const std::vector<Verdict>& verdicts, Instant now) {
  const auto names = names_of(database, verdicts);
  std::map<std::string, Verdict> last;
  for (const auto& verdict : verdicts)
    last.insert_or_assign(name_of(verdict.key, names), verdict);
  std::vector<Verdict> rows;
  for (auto& [key, verdict] : last) {
    verdict.key = key;
    rows.push_back(std::move(verdict));
  }
  if (rows.empty()) return 0;
  erase_reasons(database, rows);
  Keys moved = traits(database.dialect()).takes_arrays
                   ? move_by_arrays(database, push, from, rows, now)
                   : move_by_row(database, push, from, rows, now);
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
  const Dialect dialect = database.dialect();
  const auto alive = keys_in(database.query(
      {in_dialect(dialect, R"(SELECT "name" FROM "survey_lease" WHERE "expires_at" > {instant})"
                           R"( AND "expires_at" <= {instant})"),
       {now, now + kLeaseAhead}}));
  const auto claimed = database.query(
      {in_dialect(dialect, R"(SELECT "key", "batch", "owner", "changed_at" FROM)"
                           R"( "survey_push" WHERE "push" = {key} AND "state" = 'claimed')"),
       {push}});
  std::vector<Orphan> orphans;
  for (const auto& row : claimed.rows) {
    Orphan orphan{text_in(row.at(0)), text_in(row.at(1)), text_in(row.at(2))};
    orphan.owner_lives = alive.contains("instance:" + orphan.owner);
    const Instant claimed_at = instant_in(row.at(3)).value_or(Instant{});
    const bool in_time = claimed_at <= now + longest && now <= claimed_at + longest;
    if (!orphan.owner_lives || !in_time) orphans.push_back(std::move(orphan));
  }
  return orphans;
}

}  // namespace surveybridge::crm
