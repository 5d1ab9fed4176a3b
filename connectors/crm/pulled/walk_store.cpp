#include "connectors/crm/pulled/walk_store.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

// All columns, in the order of walk_in().
std::string select(Dialect dialect, const std::string& rest) {
  return in_dialect(dialect,
                    R"(SELECT "list", "walk", "window_from", "window_to", "cursor", "watermark",)"
                    R"( "pages", "restarts", "finished_at", "ignored", "begun_at", "whole_to")"
                    R"( FROM "survey_cursor" )" +
                        rest);
}

StoredWalk walk_in(const std::vector<Value>& row) {
  return {.list = text_in(row.at(0)),
          .walk = text_in(row.at(1)),
          .window_from = instant_in(row.at(2)),
          .window_to = instant_in(row.at(3)),
          .cursor = text_in(row.at(4)),
          .watermark = instant_in(row.at(5)),
          .pages = integer_in(row.at(6)),
          .restarts = integer_in(row.at(7)),
          .finished_at = instant_in(row.at(8)),
          .ignored = text_in(row.at(9)),
          .begun_at = instant_in(row.at(10)),
          .whole_to = instant_in(row.at(11))};
}

}  // namespace

StoredWalk load_walk(Database& database, const std::string& list, const std::string& walk) {
  const auto found = database.query(
      {select(database.dialect(), R"(WHERE "list" = {key} AND "walk" = {key})"), {list, walk}});
  if (!found.rows.empty()) return walk_in(found.rows.front());
  StoredWalk unknown;
  unknown.list = list;
  unknown.walk = walk;
  return unknown;
}

void save_walk(Database& database, const StoredWalk& walk) {
  put(database, upsert(database.dialect(), cursor_table()),
      {{walk.list, walk.walk, or_null(walk.window_from), or_null(walk.window_to), walk.cursor,
        or_null(walk.watermark), walk.pages, walk.restarts, or_null(walk.finished_at),
        text_or_null(walk.ignored), or_null(walk.begun_at), or_null(walk.whole_to)}});
}

std::vector<StoredWalk> all_walks(Database& database) {
  std::vector<StoredWalk> walks;
  const Statement statement{select(database.dialect(), R"(ORDER BY "list", "walk")"), {}};
  for (const auto& row : database.query(statement).rows)
    walks.push_back(walk_in(row));
  return walks;
}

std::vector<std::string> walks_of(Database& database, const std::string& list) {
  const auto found = query_rows(
      database, R"(SELECT "walk" FROM "survey_cursor" WHERE "list" = {key} ORDER BY "walk")",
      {list});
  std::vector<std::string> walks;
  for (const auto& row : found)
    walks.push_back(text_in(row.at(0)));
  return walks;
}

void drop_walk(Database& database, const std::string& list, const std::string& walk) {
  run_statement(database,
                R"(DELETE FROM "survey_cursor" WHERE "list" = {key})"
                R"( AND "walk" = {key})",
                {list, walk});
}

}  // namespace surveybridge::crm
