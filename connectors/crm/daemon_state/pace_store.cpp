#include "connectors/crm/daemon_state/pace_store.hpp"

#include <cmath>

#include "connectors/crm/ledger/ledger_moves.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::chrono::hours kGoneKept{24};
// Rates are stored as whole requests in this many seconds.
constexpr double kSeconds = 1000;

std::int64_t in_thousand(double per_second) {
  return static_cast<std::int64_t>(std::llround(per_second * kSeconds));
}
double rate_in(const Value& cell) {
  return static_cast<double>(integer_in(cell)) / kSeconds;
}
Value rate_or_null(const std::optional<PaceRow::Rate>& rate, double PaceRow::Rate::*part) {
  return rate ? Value{in_thousand((*rate).*part)} : Value{mapping::Null{}};
}
std::optional<PaceRow::Rate> rate_or_none(const Value& per_second, const Value& edge) {
  if (mapping::is_null(per_second) || mapping::is_null(edge)) return std::nullopt;
  return PaceRow::Rate{rate_in(per_second), rate_in(edge)};
}
}  // namespace

std::vector<PaceRow> PaceStore::load(const std::string& service) {
  const auto found =
      query_rows(database_,
                 R"(SELECT "owner", "rate", "edge", "share", "refused_at", "held_until",)"
                 R"( "seen_at", "live_until", "waiting",)"
                 R"( "read_rate", "read_edge" FROM "survey_pace" WHERE "service" = {key})"
                 R"( ORDER BY "seen_at" DESC, "owner")",
                 {service});
  std::vector<PaceRow> rows;
  for (const auto& row : found) {
    rows.push_back({text_in(row.at(0)),
                    {rate_in(row.at(1)), rate_in(row.at(2))},
                    rate_or_none(row.at(9), row.at(10)),
                    integer_in(row.at(3)),
                    instant_in(row.at(4)),
                    instant_in(row.at(5)),
                    instant_in(row.at(6)).value_or(Instant{}),
                    instant_in(row.at(7)).value_or(Instant{}),
                    text_in(row.at(8))});
  }
  return rows;
}

// Each statement is a transaction of its own: this instance keeps none waiting for its row while it
// waits for theirs.
void PaceStore::save(const std::string& service, PaceRow row, std::chrono::seconds lives) {
  const Table& table = table_named("survey_pace").table;
  const Instant now = database_.now();
  upsert_rows(
      database_, table,
      {{service, row.owner, in_thousand(row.all.per_second), in_thousand(row.all.edge), row.share,
        or_null(row.refused_at), or_null(row.held_until), now, now + lives,
        text_or_null(bounded(row.waiting)), rate_or_null(row.read, &PaceRow::Rate::per_second),
        rate_or_null(row.read, &PaceRow::Rate::edge)}});
  remove_where(database_, table, R"("service" = {key} AND "live_until" < {instant})",
               {service, now - kGoneKept});
}

void PaceStore::end(const std::string& service, const std::string& owner) {
  run_statement(database_,
                R"(UPDATE "survey_pace" SET "live_until" = {instant})"
                R"( WHERE "service" = {key} AND "owner" = {key})"
                R"( AND "live_until" > {instant})",
                {database_.now(), service, owner, database_.now()});
}

}  // namespace surveybridge::crm
