#include "connectors/crm/paces.hpp"

#include <cmath>

#include "connectors/crm/cells.hpp"
#include "connectors/crm/ledger_moves.hpp"
#include "connectors/crm/sql.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::chrono::hours kGoneKept{24};
// Rates are kept as whole requests in so many seconds.
constexpr double kSeconds = 1000;

std::int64_t written(double per_second) {
  return static_cast<std::int64_t>(std::llround(per_second * kSeconds));
}
double rate_in(const Value& cell) {
  return static_cast<double>(integer_in(cell)) / kSeconds;
}
Value instant_or_null(const std::optional<Instant>& at) {
  return at ? Value{*at} : Value{mapping::Null{}};
}

}  // namespace

std::vector<PaceRow> Paces::load(const std::string& service) {
  const auto found = database_.query(
      {in_dialect(
           database_.dialect(),
           R"(SELECT "owner", "rate", "edge", "share", "refused_at", "held_until",)"
           R"( "seen_at", "live_until", "waiting" FROM "survey_pace" WHERE "service" = {key})"
           R"( ORDER BY "seen_at" DESC, "owner")"),
       {service}});
  std::vector<PaceRow> rows;
  for (const auto& row : found.rows) {
    rows.push_back({text_in(row.at(0)), rate_in(row.at(1)), rate_in(row.at(2)),
                    integer_in(row.at(3)), instant_in(row.at(4)), instant_in(row.at(5)),
                    instant_in(row.at(6)).value_or(Instant{}),
                    instant_in(row.at(7)).value_or(Instant{}), text_in(row.at(8))});
  }
  return rows;
}

void Paces::save(const std::string& service, PaceRow row, std::chrono::seconds lives) {
  const Dialect dialect = database_.dialect();
  Transaction transaction(database_);
  const Instant now = database_.now();
  const std::vector<Value> values{written(row.per_second),
                                  written(row.edge),
                                  row.share,
                                  instant_or_null(row.refused_at),
                                  instant_or_null(row.held_until),
                                  now,
                                  now + lives,
                                  text_or_null(bounded(row.waiting)),
                                  service,
                                  row.owner};
  const auto changed = database_.execute(
      {in_dialect(dialect, R"(UPDATE "survey_pace" SET "rate" = {integer}, "edge" = {integer},)"
                           R"( "share" = {integer}, "refused_at" = {instant}, "held_until" =)"
                           R"( {instant}, "seen_at" = {instant}, "live_until" = {instant},)"
                           R"( "waiting" = {text} WHERE "service" = {key} AND "owner" = {key})"),
       values});
  if (changed == 0) {
    database_.execute(
        {in_dialect(
             dialect,
             R"(INSERT INTO "survey_pace" ("rate", "edge", "share", "refused_at",)"
             R"( "held_until", "seen_at", "live_until", "waiting", "service", "owner") VALUES)"
             R"( ({integer}, {integer}, {integer}, {instant}, {instant}, {instant},)"
             R"( {instant}, {text}, {key}, {key}))"),
         values});
    database_.execute({in_dialect(dialect, R"(DELETE FROM "survey_pace" WHERE "service" = {key})"
                                           R"( AND "live_until" < {instant})"),
                       {service, now - kGoneKept}});
  }
  transaction.commit();
}

}  // namespace surveybridge::crm
