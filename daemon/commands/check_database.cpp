#include "daemon/commands/check_database.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "connectors/crm/daemon_state/few_store.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/driver/connection_text.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/pulled/arrivals.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/job.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/push/few_look.hpp"
#include "daemon/push/next_rows.hpp"
#include "daemon/push/too_few.hpp"
#include "mapping/field_map/constant.hpp"

namespace surveybridge::daemon {

namespace {

// The beginning and the end of all time that a database stores.
constexpr TimePoint kFirst = std::chrono::sys_days(std::chrono::year(1900) / 1 / 1);
constexpr TimePoint kLast = std::chrono::sys_days(std::chrono::year(2999) / 1 / 1);
// Of MariaDB and MySQL, also for tables that only a session sees (`preview`).
constexpr int kNoRightOnDatabase = 1044;
// Of both: where tables may be created, the one that a trial names is not there.
constexpr int kNoSuchTable = 1146;
// So many rows are read whole, or those of so many bytes.
constexpr int kReadWhole = 500;
constexpr std::size_t kReadWholeBytes = 16 << 20;

// Within a transaction that is never committed.
std::optional<crm::DatabaseError> failure_of(crm::Database& database,
                                             const std::vector<std::string>& statements) {
  try {
    const crm::Transaction never_committed(database);
    for (const auto& sql : statements)
      database.execute({sql, {}});
    return std::nullopt;
  } catch (const crm::DatabaseError& error) {
    if (error.kind != crm::DatabaseError::Kind::other) throw;
    return error;
  }
}

// Statements that need every right to write, and change no row.
std::vector<std::string> writes_of_nothing(const crm::BridgeTable& each, crm::Dialect dialect) {
  const std::string table = crm::quoted(dialect, each.table.name);
  std::vector<std::string> columns;
  for (const auto& column : each.table.columns)
    columns.push_back(crm::quoted(dialect, column.name));
  if (each.numbering != crm::Numbering::ours) columns.erase(columns.begin());
  return {fmt::format("INSERT INTO {0} ({1}) SELECT {1} FROM {0} WHERE 1 = 0", table,
                      fmt::join(columns, ", ")),
          fmt::format("UPDATE {0} SET {1} = {1} WHERE 1 = 0", table, columns.back()),
          fmt::format("DELETE FROM {} WHERE 1 = 0", table)};
}

bool has_whole_schema(crm::Database& database) {
  return crm::missing_schema(database).empty();
}

bool lacks_right(const crm::DatabaseError& failure, crm::Dialect dialect) {
  return failure.code.number == crm::traits(dialect).create_refusal ||
         failure.code.number == kNoRightOnDatabase;
}

// Where a CREATE TABLE cannot be taken back: why tables may not be created, or not be written, as
// far as a table that only the session sees tells. Empty: they may, or that is tried with the
// tables themselves.
std::optional<crm::DatabaseError> refused_creation(crm::Database& database) {
  const auto& words = crm::traits(database.dialect());
  if (words.create_trial.empty()) return std::nullopt;
  const std::string temporary =
      std::string(words.temporary_table) + "survey_trial LIKE survey_no_such_table";
  for (const auto& trial : {std::string(words.create_trial), temporary})
    if (auto failure = failure_of(database, {trial}))
      if (failure->code.number != kNoSuchTable) return failure;
  const std::string like_ours = std::string(words.temporary_table) +
                                "survey_trial (id integer PRIMARY KEY)" +
                                std::string(words.table_options);
  auto failure =
      failure_of(database, {like_ours, "INSERT INTO survey_trial SELECT 1 FROM DUAL WHERE 1 = 0"});
  database.execute({"DROP TEMPORARY TABLE IF EXISTS survey_trial", {}});
  return failure;
}

// MariaDB and MySQL cannot take a CREATE TABLE back: there nothing is tried before the tables are
// there.
bool can_try(crm::Database& database) {
  return crm::traits(database.dialect()).create_trial.empty() || has_whole_schema(database);
}

// "37 sent, 1 quarantined"; empty: rows of this tally would go out.
std::string why_all_stay(const crm::Source::Tally& tally) {
  std::int64_t known = 0;
  std::vector<std::string> states;
  for (const auto& [state, rows] : tally.by_state) {
    if (state == to_string(crm::State::pending)) return "";
    known += rows;
    states.push_back(fmt::format("{} {}", rows, state));
  }
  return tally.keys > known ? "" : fmt::format("{}", fmt::join(states, ", "));
}

// What the administrator types; empty: there is no GRANT. MariaDB and MySQL grant the right to
// create tables for a whole database, with everything in it.
std::string grant_text(crm::Database& database) {
  const std::string grant = crm::grant_to_create(database);
  if (grant.empty()) return "";
  const bool whole_database = !crm::traits(database.dialect()).create_trial.empty();
  return std::string(whole_database ? "; a database for the bridge alone is better ([store], "
                                      "docs/GUIDE.md); for this one "
                                    : "; ") +
         "the database's administrator types: " + grant;
}

}  // namespace

std::vector<std::string> missing_rights(crm::Database& database) {
  std::vector<std::string> missing;
  if (!has_whole_schema(database)) {
    const auto failure = can_try(database)
                             ? failure_of(database, crm::missing_schema_for_a_look(database))
                             : refused_creation(database);
    if (failure) {
      const bool is_right = can_try(database) || lacks_right(*failure, database.dialect());
      missing.push_back(std::string("the bridge's tables cannot be created: ") + failure->what() +
                        (is_right ? grant_text(database) : ""));
    }
  }
  for (const auto& each : crm::present_tables(database)) {
    std::vector<std::string> verbs;
    std::string why;
    for (const auto& sql : writes_of_nothing(each, database.dialect())) {
      const auto failure = failure_of(database, {sql});
      if (!failure) continue;
      verbs.push_back(sql.substr(0, sql.find(' ')));
      if (why.empty()) why = failure->what();
    }
    if (verbs.empty()) continue;
    missing.push_back(fmt::format("the table {} cannot be written ({}): {}", each.table.name,
                                  fmt::join(verbs, ", "), why));
  }
  return missing;
}

namespace {

// Rows that the ledger does not know and that no poll will find, as a sentence; empty: none.
std::optional<std::string> never_sent(crm::Source& source, TimePoint start, TimePoint since) {
  const std::int64_t old = start < since ? source.count(start, since) : 0;
  if (old == 0) return std::nullopt;
  return fmt::format(
      "{} between start and {}: older than look_back, so never sent; a larger look_back would send"
      " them",
      counted(old, "row"), second_text(since));
}

// In memory.
std::unique_ptr<crm::Database> empty_ledger() {
  auto none = crm::open_database(crm::kInMemory);
  crm::make_schema(*none);
  return none;
}

// Without the bridge's tables, and where none can be made for a look: a store in memory knows as
// much as they would.
std::optional<std::string> why_empty_without_tables(const config::Push& push, crm::Database& crm,
                                                    const std::string& zone) {
  const auto none = empty_ledger();
  crm::Source source(crm, *none, crm::source_query(push, zone));
  return why_empty(push, crm, *none, source, zone);
}

}  // namespace

std::optional<std::string> why_empty(const config::Push& push, crm::Database& crm,
                                     crm::Database& database, crm::Source& source,
                                     const std::string& zone) {
  if (!can_try(database)) return why_empty_without_tables(push, crm, zone);
  const crm::Transaction never_committed(database);
  for (const auto& statement : crm::missing_schema_for_a_look(database))
    database.execute({statement, {}});
  const TimePoint now = database.now();
  const TimePoint start = mapping::instant_of(push.start, zone);
  const TimePoint since = found_since(push, zone, database, now);
  const auto rows = [&](TimePoint from, TimePoint to) {
    return from < to ? source.tally(from, to).keys : 0;
  };
  if (start > now) return "start lies in the future: nothing is sent before it";
  if (since < now) {
    const auto tally = source.tally(since, now);
    const std::string known = why_all_stay(tally);
    if (tally.keys > 0 && known.empty()) return never_sent(source, start, since);
    if (tally.keys > 0) {
      const auto later = now < kLast ? source.count(now, kLast) : 0;
      std::string text =
          "nothing waits: the ledger knows every row since " + second_text(since) + ": " + known;
      if (later > 0)
        text += fmt::format("; {} {} later than the database's clock, and not due yet",
                            counted(later, "row"), later == 1 ? "is" : "are");
      if (const auto old = never_sent(source, start, since)) text += "; " + *old;
      return text;
    }
  }
  const auto before = rows(kFirst, start), old = rows(start, since), later = rows(now, kLast);
  if (before + old + later == 0) return std::string(kNoDatedRow);
  return fmt::format(
      "no row lies between {} and {}: {} before start, {} older than look_back, {} "
      "later than the database's clock",
      second_text(since), second_text(now), before, old, later);
}

std::string unreadable_rows(const config::Push& push, crm::Database& crm, const std::string& zone) {
  const auto none = empty_ledger();
  const TimePoint now = crm.now();
  const TimePoint since = std::max(mapping::instant_of(push.start, zone), now - push.look_back);
  if (since >= now) return "";
  const auto rows = crm::Source(crm, *none, crm::source_query(push, zone))
                        .next(since, now, kReadWhole, kReadWholeBytes);
  if (rows.unreadable.empty()) return "";
  const auto& [key, reason] = rows.unreadable.front();
  return fmt::format("{} of the first {} would be quarantined: {}: {}",
                     counted(std::ssize(rows.unreadable), "row"), kReadWhole, key, reason);
}

std::string future_rows(const config::Push& push, crm::Database& crm, const std::string& zone) {
  const auto none = empty_ledger();
  const TimePoint from = std::max(mapping::instant_of(push.start, zone), crm.now());
  const std::int64_t rows =
      crm::Source(crm, *none, crm::source_query(push, zone)).count(from, kLast);
  if (rows == 0) return "";
  return fmt::format(
      "{} {} later than the database's clock in \"{}\": each is sent when its time has come. Where"
      " that is not meant, [crm] time_zone or `when` is wrong",
      counted(rows, "row"), rows == 1 ? "is" : "are", push.when);
}

std::string keyless_rows(const config::Push& push, crm::Database& crm, crm::Source& source,
                         const std::string& zone) {
  return keyless_text(push,
                      source.count_without_key({mapping::instant_of(push.start, zone), crm.now()}));
}

std::string shared_keys(const config::Push& push, crm::Database& crm, crm::Source& source,
                        const std::string& zone) {
  const auto shared = source.shared_keys({mapping::instant_of(push.start, zone), crm.now()});
  if (shared.keys == 0) return "";
  return fmt::format(
      "{} of \"{}\" (key) {} several rows with different \"{}\", one of them {}: a key is one"
      " transaction, so that none of its rows is sent, or only the first",
      counted(shared.keys, "value"), push.key, shared.keys == 1 ? "has" : "have", push.when,
      shared.most);
}

std::string too_few_note(const config::Settings& settings, const config::Push& push,
                         crm::Database& crm, crm::Database& store, crm::Source& source) {
  if (!crm::has_table(store, "survey_arrival")) return "";
  const TimePoint now = crm.now();
  const TimePoint since = found_since(push, settings.crm.time_zone, store, now);
  const std::int64_t waiting = since < now ? source.count(since, now) : 0;
  const auto& zone = settings.crm.time_zone;
  auto found = too_few(push, crm::arrivals(store, "push." + push.name), waiting, zone);
  if (!found) return "";
  const bool knows = crm::has_table(store, "survey_few");
  found->look = where_to_look(push, *found, crm, zone,
                              knows ? crm::few_of(store, push.name) : crm::FewRows{});
  const std::string text = too_few_text(*found, "transaction");
  const auto last = crm::Ledger(store).latest(push.name, crm::State::sent);
  if (!last) return text;
  const bool is_there = !source.by_key({last->key}).empty();
  return fmt::format(
      "{}. \"{}\" was sent last, at {}, and the query {}: compare its conditions with rows of the"
      " CRM; `{}` shows that one",
      text, last->key, second_text(last->changed_at),
      is_there ? "still returns it" : "no longer returns it",
      explain_command(last->key, settings.file));
}

}  // namespace surveybridge::daemon
