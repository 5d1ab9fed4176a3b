#include "connectors/crm/daemon_state/brakes.hpp"

#include <algorithm>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/ledger/ledger_moves.hpp"
#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::chrono::hours kHour{1}, kDay{24};
constexpr std::chrono::hours kWeeks{24 * 28};

// The row is made where it is missing; the caller's transaction then holds it.
void save(Database& database, const std::string& push, const BrakeState& state) {
  upsert_rows(
      database, table_named("survey_brake").table,
      {{push, state.fingerprint, state.allowance, state.passed, text_or_null(bounded(state.reason)),
        or_null(state.since), text_or_null(state.service), text_or_null(state.query)}});
}

// A push that has sent nothing yet is asked about at its first run as if it had never been held.
void end_hold(Database& database, const std::string& push, const BrakeState& state) {
  const bool sent = state.passed > 0 || state.allowance > 0 || !state.fingerprint.empty();
  const std::string sql = sent ? R"(UPDATE "survey_brake" SET "reason" = NULL, "since" = NULL)"
                               : R"(DELETE FROM "survey_brake")";
  run_statement(database, sql + R"( WHERE "push" = {key})", {push});
}

std::int64_t rows_since(Database& database, const std::string& push, Instant since) {
  const Dialect dialect = database.dialect();
  // A sum of integers is a decimal to some.
  const std::string integer(traits(dialect).whole_number);
  return integer_in(query_value(database,
                                "SELECT CAST(COALESCE(SUM(\"rows\"), 0) AS " + integer +
                                    R"() FROM "survey_batch" WHERE "push" = {key})"
                                    R"( AND "sent_at" > {instant} AND ("outcome" IS NULL OR)"
                                    R"( "outcome" IN ('accepted', 'unknown')))",
                                {push, since}));
}

// What a person let through for the first run; 0: it was before `since`. Each release replaces the
// one before.
std::int64_t first_release(Database& database, const std::string& push, Instant since,
                           Instant first_batch) {
  const auto ever = query_value(
      database, R"(SELECT MIN("sent_at") FROM "survey_batch" WHERE "push" = {key})", {push});
  if (instant_in(ever) <= since) return 0;
  const auto found =
      query_rows(database,
                 R"(SELECT "rows" FROM "survey_release" WHERE "push" = {key} AND "at" > {instant})"
                 R"( AND "at" <= {instant} ORDER BY "id" DESC)",
                 {push, since, first_batch}, 1);
  return found.empty() ? 0 : integer_in(found.front().front());
}

}  // namespace

std::optional<BrakeState> Brakes::load(const std::string& push) {
  return query_struct<BrakeState>(
      database_,
      R"(SELECT "fingerprint", "allowance", "passed", "reason", "since", "service", "query" FROM)"
      R"( "survey_brake" WHERE "push" = {key})",
      {push});
}

std::vector<std::string> Brakes::pushes() {
  return texts_in(query_rows(database_, R"(SELECT "push" FROM "survey_brake")"));
}

Flow Brakes::flow(const std::string& push, Instant now) {
  const Instant weeks = now - kWeeks;
  Flow flow{rows_since(database_, push, now - kHour), rows_since(database_, push, weeks),
            std::nullopt, true};
  flow.first_batch =
      instant_in(query_value(database_,
                             R"(SELECT MIN("sent_at") FROM "survey_batch" WHERE "push" = {key})"
                             R"( AND "sent_at" > {instant})",
                             {push, weeks}));
  if (flow.first_batch) {
    const auto asked = first_release(database_, push, weeks, *flow.first_batch);
    flow.usual = std::max<std::int64_t>(0, flow.usual - asked);
  }
  Instant since = now - kDay;
  std::int64_t let_go = 0;
  for (const auto& release : releases(push, 1))
    if (release.at > since && release.at <= now) since = release.at, let_go = release.rows;
  flow.last_day = rows_since(database_, push, now - kDay);
  flow.unasked = std::max<std::int64_t>(0, rows_since(database_, push, since) - let_go);
  flow.ledger_empty = !has_row(
      database_, R"(SELECT "key" FROM "survey_push" WHERE "push" = {key} ORDER BY "key")", {push});
  return flow;
}

std::optional<Instant> Brakes::last_batch(const std::string& push) {
  return instant_in(query_value(
      database_, R"(SELECT MAX("sent_at") FROM "survey_batch" WHERE "push" = {key})", {push}));
}

std::vector<std::pair<std::string, std::int64_t>> Brakes::by_service(const std::string& push) {
  const Dialect dialect = database_.dialect();
  const std::string integer(traits(dialect).whole_number);
  std::vector<std::pair<std::string, std::int64_t>> all;
  for (const auto& row :
       query_rows(database_,
                  "SELECT \"service\", CAST(SUM(\"rows\") AS " + integer +
                      R"() FROM "survey_batch" WHERE "push" = {key} AND "service" IS NOT)"
                      R"( NULL AND ("outcome" IS NULL OR "outcome" IN ('accepted',)"
                      R"( 'unknown', 'refused, yet kept')) GROUP BY "service")"
                      R"( ORDER BY "service")",
                  {push}))
    all.emplace_back(text_in(row.at(0)), integer_in(row.at(1)));
  return all;
}

void Brakes::hold(const std::string& push, const std::string& reason) {
  Transaction transaction(database_);
  const Instant now = database_.now();
  const auto changed = run_statement(database_,
                                     R"(UPDATE "survey_brake" SET "reason" = {text}, "since" =)"
                                     R"( {instant} WHERE "push" = {key})",
                                     {text_or_null(bounded(reason)), now, push});
  if (changed == 0) save(database_, push, {"", 0, 0, reason, now});
  transaction.commit();
}

void Brakes::end(const std::string& push, const std::string& reason) {
  Transaction transaction(database_);
  const auto state = load(push);
  if (state && state->reason == reason) end_hold(database_, push, *state);
  transaction.commit();
}

void Brakes::release(const std::string& push, const std::string& fingerprint, std::int64_t rows,
                     const std::string& service, const std::string& decided_by,
                     const std::string& query, const std::string& reason) {
  Transaction transaction(database_);
  BrakeState state = load(push).value_or(BrakeState{});
  if (rows == 0) {
    end_hold(database_, push, state);
  } else {
    state.fingerprint = fingerprint;
    state.service = service;
    state.query = query;
    state.allowance = rows;
    state.reason.clear();
    state.since.reset();
    save(database_, push, state);
  }
  run_statement(database_,
                R"(INSERT INTO "survey_release" ("push", "at", "rows",)"
                R"( "decided_by", "reason") VALUES ({key}, {instant}, {integer},)"
                R"( {text}, {text}))",
                {push, database_.now(), rows, text_or_null(bounded(decided_by)),
                 text_or_null(bounded(reason))});
  transaction.commit();
}

std::vector<Release> Brakes::releases(const std::string& push, int most) {
  return query_structs<Release>(database_,
                                R"(SELECT "at", "rows", "decided_by", "reason" FROM)"
                                R"( "survey_release")"
                                R"( WHERE "push" = {key} ORDER BY "id" DESC)",
                                {push}, most);
}

// Several instances may take at once: the database counts, and whoever finds less left asks again.
std::int64_t Brakes::take(const std::string& push, std::int64_t rows) {
  for (;;) {
    const auto state = load(push);
    const std::int64_t most = state ? std::min(rows, state->allowance) : 0;
    if (most <= 0) return 0;
    const auto lowered = run_statement(
        database_,
        R"(UPDATE "survey_brake" SET "allowance" = "allowance" - {integer} WHERE "push" = {key})"
        R"( AND "allowance" >= {integer})",
        {most, push, most});
    if (lowered > 0) return most;
  }
}

void Brakes::give_back(const std::string& push, std::int64_t rows) {
  run_statement(database_,
                R"(UPDATE "survey_brake" SET "allowance" = "allowance" +)"
                R"( {integer} WHERE "push" = {key})",
                {rows, push});
}

void Brakes::lapse(const std::string& push, std::int64_t rows) {
  run_statement(database_,
                R"(UPDATE "survey_brake" SET "allowance" = {integer} WHERE)"
                R"( "push" = {key} AND "allowance" = {integer})",
                {std::int64_t{0}, push, rows});
}

// Leaves alone what others may have written since: whether it holds, and what is let through.
void Brakes::pass(const std::string& push, const std::string& fingerprint, std::int64_t rows,
                  const std::string& service, const std::string& query) {
  Transaction transaction(database_);
  run_statement(database_,
                R"(UPDATE "survey_brake" SET "allowance" = 0 WHERE "push" = {key} AND)"
                R"( ("fingerprint" <> {key} OR "service" <> {key} OR "query" <> {text}))",
                {push, fingerprint, service, text_or_null(query)});
  const auto changed =
      run_statement(database_,
                    R"(UPDATE "survey_brake" SET "fingerprint" = {key},)"
                    R"( "service" = {key}, "query" = {text}, "passed" = "passed" +)"
                    R"( {integer} WHERE "push" = {key})",
                    {fingerprint, text_or_null(service), text_or_null(query), rows, push});
  if (changed == 0) save(database_, push, {fingerprint, 0, rows, "", std::nullopt, service, query});
  transaction.commit();
}

}  // namespace surveybridge::crm
