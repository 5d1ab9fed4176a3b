// The ledger's questions: they change nothing.
#include <algorithm>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/ledger/row_change.hpp"
#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/erased_keys.hpp"

namespace surveybridge::crm {
namespace {

const std::string kEntry =
    R"(SELECT "push", "key", "state", "reason", "batch", "customer_id", "attempts", "seen_at",)"
    R"( "changed_at" FROM "survey_push" WHERE )";

std::vector<Entry> entries_where(Database& database, const std::string& condition,
                                 const std::vector<Value>& parameters, int limit) {
  return query_structs<Entry>(database, kEntry + condition, parameters, limit);
}

const std::string kBatch =
    R"(SELECT "id", "push", "owner", "rows", "sent_at", "outcome", "http_status", "detail",)"
    R"( "test", "settled_at", "service", "correlate" FROM "survey_batch" WHERE )";

constexpr std::string_view kDoubt =
    R"(SELECT p."key", p."batch", p."email", p."transaction_date", p."doubt_since",)"
    R"( p."test", b."outcome", b."rows", b."detail",)"
    R"( (SELECT COUNT(DISTINCT e."batch") FROM "survey_push_event" e JOIN)"
    R"( "survey_batch" o ON o."id" = e."batch" WHERE e."push" = p."push" AND)"
    R"( e."key" = p."key" AND e."state" = 'in_doubt' AND o."http_status" = 500),)"
    R"( COALESCE(b."service", p."service"), COALESCE(b."correlate", p."correlate"),)"
    R"( p."attempts" FROM "survey_push" p)"
    R"( LEFT JOIN "survey_batch" b ON b."id" = p."batch")"
    R"( WHERE p."push" = {key} AND )";

Doubt doubt_of(const std::vector<Value>& row) {
  const Instant since = instant_in(row.at(4)).value_or(Instant{});
  Outcome outcome{};
  read_cell(row.at(6), outcome);
  return {text_in(row.at(0)),
          text_in(row.at(1)),
          text_in(row.at(2)),
          instant_in(row.at(3)).value_or(since),
          since,
          boolean_in(row.at(5)),
          outcome == Outcome::refused,
          integer_or_none(row.at(7)) == 1,
          text_in(row.at(8)),
          integer_in(row.at(9)),
          integer_in(row.at(12)),
          !mapping::is_null(row.at(3)),
          text_in(row.at(10)),
          text_in(row.at(11))};
}

}  // namespace

std::vector<Doubt> Ledger::in_doubt(const std::string& push, int limit) {
  std::vector<Doubt> doubts;
  for (const auto& row : query_rows(
           database_,
           std::string(kDoubt) + R"(p."state" = 'in_doubt' ORDER BY p."doubt_since", p."key")",
           {push}, limit))
    doubts.push_back(doubt_of(row));
  return doubts;
}

std::vector<Doubt> Ledger::held(const std::string& push, const std::vector<std::string>& keys) {
  const std::string select = in_dialect(
      database_.dialect(), std::string(kDoubt) + R"(p."key" = {key} AND p."state" = 'held')");
  std::vector<Doubt> doubts;
  for (const auto& key : keys)
    for (const auto& row : database_.query({select, {push, stored_key(database_, key)}}).rows)
      doubts.push_back(doubt_of(row));
  return doubts;
}

bool Ledger::knows_customer(const std::vector<std::string>& pushes, const std::string& key,
                            std::int64_t customer_id) {
  return std::ranges::any_of(pushes,
                             [&](const auto& push) { return find(push, key).has_value(); }) ||
         !of_customer(customer_id, 1).empty();
}

std::vector<Entry> Ledger::list(const std::string& push, State state, int limit) {
  return entries_where(database_,
                       R"("push" = {key} AND "state" = {key} ORDER BY "changed_at", "key")",
                       {push, to_string(state)}, limit);
}

std::vector<Entry> Ledger::in_state(const std::string& push, State state, const std::string& key,
                                    int limit) {
  return entries_where(database_,
                       R"("push" = {key} AND "state" = {key} AND "key" > {key} ORDER BY "key")",
                       {push, to_string(state), key}, limit);
}

std::optional<Entry> Ledger::latest(const std::string& push, State state) {
  return query_struct<Entry>(
      database_, kEntry + R"("push" = {key} AND "state" = {key} ORDER BY "changed_at" DESC)",
      {push, to_string(state)}, 1);
}

std::vector<std::string> Ledger::without_person(const std::string& push, State state,
                                                const std::string& after, int limit) {
  return texts_in(
      query_rows(database_,
                 R"(SELECT "key" FROM "survey_push" WHERE "push" = {key} AND "state" =)"
                 R"( {key} AND "person" IS NULL AND "key" > {key} AND "key" NOT LIKE ')" +
                     std::string(kErasedKey) + R"(%' ORDER BY "key")",
                 {push, to_string(state), after}, limit));
}

std::vector<Entry> Ledger::marked_sent(const std::string& push, const std::string& key, int limit) {
  return entries_where(database_,
                       R"("push" = {key} AND )" + is_from(From::marked_sent) +
                           R"( AND "key" > {key} ORDER BY "key")",
                       {push, key}, limit);
}

std::vector<Ledger::Reason> Ledger::reasons(const std::string& push, State state) {
  const Dialect dialect = database_.dialect();
  const std::string reason = exact(dialect, R"("reason")");
  return query_structs<Reason>(
      database_,
      "SELECT " + reason + R"(, COUNT(*), MIN("changed_at"), MAX("changed_at"))" +
          R"( FROM "survey_push" WHERE "push" = {key} AND "state" = {key} GROUP BY )" + reason +
          " ORDER BY 2 DESC, 1",
      {push, to_string(state)});
}

std::vector<Entry> Ledger::after(const std::string& push, const std::string& key, int limit) {
  return entries_where(database_, R"("push" = {key} AND "key" > {key} ORDER BY "key")", {push, key},
                       limit);
}

std::optional<Entry> Ledger::find(const std::string& push, const std::string& key) {
  return query_struct<Entry>(database_, kEntry + R"("push" = {key} AND "key" = {key})",
                             {push, stored_key(database_, key)});
}

std::vector<Entry> Ledger::of_person(const std::string& person, int limit) {
  return entries_where(database_, R"("person" = {key} ORDER BY "push", "key")", {person}, limit);
}

std::vector<Entry> Ledger::of_customer(std::int64_t id, int limit) {
  return entries_where(database_, R"("customer_id" = {integer} ORDER BY "push", "key")", {id},
                       limit);
}

std::vector<Ledger::Count> Ledger::counts() {
  return query_structs<Count>(database_, R"(SELECT "push", "state", COUNT(*) FROM "survey_push")"
                                         R"( GROUP BY "push", "state" ORDER BY "push", "state")");
}

// Each statement reads an index, or the rows of a state that they soon leave.
std::vector<Ledger::Oldest> Ledger::oldest(const std::string& push, Instant now) {
  std::vector<Oldest> all;
  const auto add = [&](const char* name, State state, const std::string& since,
                       const std::string& condition = "", const std::vector<Value>& values = {}) {
    std::vector<Value> parameters{push, to_string(state)};
    parameters.insert(parameters.end(), values.begin(), values.end());
    const std::string select = "SELECT MIN(\"" + since +
                               R"(") FROM "survey_push" WHERE "push" = {key})"
                               R"( AND "state" = {key})" +
                               condition;
    const auto found = query_value(database_, select, parameters);
    if (const auto at = instant_in(found)) all.push_back({push, name, *at});
  };
  add("pending", State::pending, "changed_at",
      R"( AND ("not_before" IS NULL OR "not_before" <= {instant}))", {now});
  add("delayed", State::pending, "changed_at", R"( AND "not_before" > {instant})", {now});
  add("in_doubt", State::in_doubt, "doubt_since");
  for (const State state : {State::claimed, State::held, State::quarantined})
    add(to_string(state), state, "changed_at");
  return all;
}

bool Ledger::none_set_aside(const std::string& push, const std::string& reason) {
  return !has_row(database_,
                  R"(SELECT "key" FROM "survey_push" WHERE "push" = {key})"
                  R"( AND "state" = 'quarantined' AND "reason" LIKE {text} ORDER BY "key")",
                  {push, reason + "%"});
}

std::vector<Ledger::Mendable> Ledger::mendable(const std::string& push,
                                               const std::vector<std::string>& keys,
                                               Instant listed_until) {
  const Instant now = database_.now();
  std::vector<Mendable> rows;
  for (const auto& [key, row] : rows_of_keys(
           database_,
           R"(SELECT "key", "digest", "seen_at", "changed_at", "attempts" FROM "survey_push")",
           keys,
           R"( AND "push" = {key} AND "digest" IS NOT NULL AND )" +
               is_from(From::quarantine_or_suppression),
           {push})) {
    const Instant changed = instant_in(row.at(3)).value_or(now);
    const bool was_sent = integer_in(row.at(4)) > 0;
    if (was_sent && changed >= listed_until) continue;
    const auto known = changed - instant_in(row.at(2)).value_or(changed);
    const auto longest = was_sent ? kSentAgainMax : kTriedAgainMax;
    const bool waits =
        now >= changed && now - changed < std::min<Instant::duration>(known, longest);
    if (!waits) rows.push_back({key, text_in(row.at(1))});
  }
  return rows;
}

bool Ledger::may_have_mendable(const std::string& push, Instant since, int most) {
  const auto may_be_one = [&](State state) {
    const auto rows = query_rows(database_,
                                 R"(SELECT "digest" FROM "survey_push" WHERE "push" = {key})"
                                 R"( AND "state" = {key} AND "changed_at" >= {instant})"
                                 R"( ORDER BY "changed_at" DESC)",
                                 {push, to_string(state), since}, most);
    return rows.size() >= static_cast<std::size_t>(most) ||
           std::ranges::any_of(rows, [](const auto& row) { return !mapping::is_null(row.at(0)); });
  };
  return may_be_one(State::quarantined) || may_be_one(State::suppressed);
}

// A row that has come into doubt, or was sent, counts from its claim.
std::map<std::string, std::int64_t> Ledger::taken(const std::string& push,
                                                  const std::vector<std::string>& quotas,
                                                  Instant since) {
  std::map<std::string, std::int64_t> taken;
  for (const auto& row :
       rows_with_keys(database_,
                      R"(SELECT "quota", COUNT(*) FROM "survey_push" p LEFT JOIN "survey_batch" b)"
                      R"( ON b."id" = p."batch")",
                      {"quota", ColumnType::key_text}, {quotas.begin(), quotas.end()},
                      R"( AND p."push" = {key} AND p."changed_at" >= {instant} AND p."state" IN)"
                      R"( ('claimed', 'sent', 'in_doubt', 'held') AND)"
                      R"( COALESCE(b."sent_at", p."changed_at") >= {instant} GROUP BY "quota")",
                      {push, since, since}))
    taken[text_in(row.at(0))] = integer_in(row.at(1));
  return taken;
}

std::int64_t Ledger::count(const std::string& push, State state) {
  return integer_in(query_value(
      database_, R"(SELECT COUNT(*) FROM "survey_push" WHERE "push" = {key} AND "state" = {key})",
      {push, to_string(state)}));
}

std::int64_t Ledger::count_due(const std::string& push, Instant at) {
  return integer_in(query_value(database_,
                                R"(SELECT COUNT(*) FROM "survey_push" WHERE "push" = {key} AND)"
                                R"( "state" = 'pending' AND ("not_before" IS NULL OR)"
                                R"( "not_before" <= {instant}))",
                                {push, at}));
}

std::vector<Ledger::Batch> Ledger::batches(const std::string& push, int limit) {
  return query_structs<Batch>(
      database_, kBatch + R"("push" = {key} ORDER BY "sent_at" DESC, "id" DESC)", {push}, limit);
}

std::optional<Ledger::Batch> Ledger::batch(const std::string& id) {
  return query_struct<Batch>(database_, kBatch + R"("id" = {key})", {id});
}

std::map<State, std::int64_t> Ledger::states_of_batch(const std::string& id) {
  std::map<State, std::int64_t> states;
  for (const auto& row : query_rows(database_,
                                    R"(SELECT "state", COUNT(*) FROM "survey_push")"
                                    R"( WHERE "batch" = {key} GROUP BY "state")",
                                    {id}))
    states[state_in(row.at(0))] = integer_in(row.at(1));
  return states;
}

}  // namespace surveybridge::crm
