#include "connectors/crm/ledger/ledger_sql.hpp"

#include <stdexcept>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/schema/ledger_words.hpp"

namespace surveybridge::crm {
namespace {

std::string_view states(From from) {
  switch (from) {
    case From::claimed_or_doubt:
      return "('claimed', 'in_doubt')";
    case From::doubt:
      return "('in_doubt')";
    case From::claimed:
      return "('claimed')";
    case From::quarantine:
      return "('quarantined')";
    case From::suppression:
      return "('suppressed')";
    case From::held:
      return "('held')";
    case From::held_or_doubt:
      return "('held', 'in_doubt')";
    case From::unsent:
      return "('pending', 'quarantined', 'held')";
    case From::sent:
    case From::marked_sent:
      return "('sent')";
  }
  throw std::logic_error("a row can move from nowhere");
}

constexpr std::string_view kEnterColumns =
    R"(("push", "key", "state", "reason", "batch", "attempts", "owner", "email",)"
    R"( "transaction_date", "person", "not_before", "test", "seen_at", "changed_at"))";

constexpr std::string_view kEnterValues =
    "{key}, {key}, {key}, {text}, {key}, {integer}, {key}, {text}, {instant}, {key}, {instant},"
    " {boolean}, {instant}, {instant}";

// As a query: a data-changing statement that returns no row is an error to some ODBC managers.
std::string keys_that(Dialect dialect, const std::string& change) {
  return in_dialect(
      dialect, R"(WITH moved AS ()" + change + R"( RETURNING t."key") SELECT "key" FROM moved)");
}

}  // namespace

std::string is_from(From from, std::string_view table) {
  const std::string of(table);
  std::string condition = of + R"("state" IN )" + std::string(states(from));
  if (from == From::marked_sent)
    condition += " AND " + of + R"("customer_id" IS NULL AND )" + of + R"("reason" LIKE ')" +
                 std::string(kMarkedSent) +
                 R"(%' AND NOT EXISTS (SELECT 1 FROM "survey_batch" b WHERE b."id" = )" + of +
                 R"("batch" AND b."outcome" = 'accepted'))";
  return condition;
}

// In the order of keys, whatever the planner would like: see enter().
std::string enter_many(Dialect dialect) {
  return keys_that(
      dialect,
      R"(INSERT INTO "survey_push" AS t )" + std::string(kEnterColumns) +
          R"( SELECT {key}, "key", {key}, "reason", {key}, {integer}, {key}, "email",)"
          R"( "transaction_date", "person", "not_before", {boolean}, {instant}, {instant})"
          R"( FROM unnest({key[]}, {text[]}, {text[]}, {instant[]}, {key[]}, {instant[]}))"
          R"( AS r("key", "reason", "email", "transaction_date", "person", "not_before"))"
          R"( ORDER BY "key")"
          R"( ON CONFLICT ("push", "key") DO UPDATE SET "state" = excluded."state",)"
          R"( "reason" = excluded."reason", "batch" = excluded."batch",)"
          R"( "attempts" = t."attempts" + excluded."attempts", "owner" = excluded."owner",)"
          R"( "email" = excluded."email", "transaction_date" = excluded."transaction_date",)"
          R"( "person" = COALESCE(excluded."person", t."person"),)"
          R"( "not_before" = excluded."not_before",)"
          R"( "test" = excluded."test", "changed_at" = excluded."changed_at")"
          R"( WHERE t."state" = 'pending')");
}

bool enter_asks_twice(Dialect dialect) {
  return !traits(dialect).has_on_conflict;
}

// MariaDB's INSERT IGNORE would also cut a key that is too long, and SQL Server has nothing of the
// kind. There two daemons that enter a key at once make one of them fail on the primary key; its
// step is tried again.
std::string enter_one(Dialect dialect) {
  const std::string insert = R"(INSERT INTO "survey_push" )" + std::string(kEnterColumns);
  const std::string values(kEnterValues);
  if (!enter_asks_twice(dialect)) {
    return in_dialect(dialect, insert + " VALUES (" + values + ") ON CONFLICT DO NOTHING");
  }
  return in_dialect(dialect, insert + " SELECT " + values +
                                 std::string(traits(dialect).from_nothing) +
                                 R"( WHERE NOT EXISTS (SELECT 1 FROM "survey_push" AS t)"
                                 R"( WHERE t."push" = {key} AND t."key" = {key}))");
}

std::string move_pending(Dialect dialect) {
  return in_dialect(
      dialect, R"(UPDATE "survey_push" SET "state" = {key}, "reason" = {text}, "batch" = {key},)"
               R"( "attempts" = "attempts" + {integer}, "owner" = {key}, "email" = {text},)"
               R"( "transaction_date" = {instant}, "person" = COALESCE({key}, "person"),)"
               R"( "not_before" = {instant}, "test" = {boolean}, "changed_at" = {instant})"
               R"( WHERE "push" = {key} AND "key" = {key} AND "state" = 'pending')");
}

std::string postpone_many(Dialect dialect) {
  return keys_that(dialect, R"(UPDATE "survey_push" AS t SET "not_before" = r."not_before")"
                            R"( FROM unnest({key[]}, {text[]}, {instant[]}))"
                            R"( AS r("key", "reason", "not_before") WHERE t."push" = {key})"
                            R"( AND t."key" = r."key" AND t."state" = 'pending')"
                            R"( AND t."reason" = r."reason")");
}

std::string move_many(Dialect dialect, From from) {
  return keys_that(
      dialect,
      R"(UPDATE "survey_push" AS t SET "state" = r."state", "reason" = r."reason", "owner" = NULL,)"
      R"( "customer_id" = COALESCE(r."customer_id", t."customer_id"),)"
      R"( "email" = CASE WHEN r."state" IN ('in_doubt', 'held') THEN t."email" END,)"
      R"( "transaction_date" = CASE WHEN r."state" IN ('in_doubt', 'held'))"
      R"( THEN t."transaction_date" END,)"
      R"( "doubt_since" = CASE WHEN r."state" IN ('in_doubt', 'held'))"
      R"( THEN COALESCE(t."doubt_since", {instant}) END, "changed_at" = {instant})"
      R"( FROM unnest({key[]}, {key[]}, {key[]}, {text[]}, {integer[]}))"
      R"( AS r("key", "batch", "state", "reason", "customer_id"))"
      R"( WHERE t."push" = {key} AND t."key" = r."key")"
      R"( AND (r."batch" IS NULL OR t."batch" = r."batch") AND )" +
          is_from(from, "t."));
}

std::string move_one(Dialect dialect, From from, bool stays_in_doubt, bool names_batch) {
  return in_dialect(
      dialect,
      R"(UPDATE "survey_push" SET "state" = {key}, "reason" = {text}, "owner" = NULL,)"
      R"( "customer_id" = COALESCE({integer}, "customer_id"), )" +
          std::string(stays_in_doubt
                          ? R"("doubt_since" = COALESCE("doubt_since", {instant}))"
                          : R"("email" = NULL, "transaction_date" = NULL, "doubt_since" = NULL)") +
          R"(, "changed_at" = {instant} WHERE "push" = {key} AND "key" = {key} AND )" +
          is_from(from) + (names_batch ? R"( AND "batch" = {key})" : ""));
}

std::string restore_doubt_since(Dialect dialect) {
  return in_dialect(dialect, R"(UPDATE "survey_push" SET "doubt_since" = (SELECT MAX(e."at") FROM)"
                             R"( "survey_push_event" e WHERE e."push" = "survey_push"."push")"
                             R"( AND e."key" = "survey_push"."key" AND e."state" = 'in_doubt'))"
                             R"( WHERE "push" = {key} AND "key" = {key} AND )" +
                                 is_from(From::marked_sent));
}

std::string remember(Dialect dialect) {
  const std::string copy =
      R"(INSERT INTO "survey_push_event" ("push", "key", "at", "state", "batch", "detail"))"
      R"( SELECT "push", "key", "changed_at", "state", "batch", "reason" FROM "survey_push")"
      R"( WHERE "push" = {key} AND "key" )";
  return in_dialect(dialect, copy + (traits(dialect).takes_arrays ? "= ANY({key[]})" : "= {key}"));
}

std::string insert_batch(Dialect dialect) {
  return in_dialect(
      dialect,
      R"(INSERT INTO "survey_batch" ("id", "push", "owner", "rows", "sent_at", "test",)"
      R"( "service", "correlate") VALUES ({key}, {key}, {key}, {integer}, {instant}, {boolean},)"
      R"( {key}, {key}))");
}

std::string answer_batch(Dialect dialect) {
  return in_dialect(dialect,
                    R"(UPDATE "survey_batch" SET "outcome" = {key}, "http_status" = {integer},)"
                    R"( "detail" = {text}, "settled_at" = {instant} WHERE "id" = {key})");
}

}  // namespace surveybridge::crm
