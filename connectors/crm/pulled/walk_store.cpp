#include "connectors/crm/pulled/walk_store.hpp"

#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

const std::string kWalk =
    R"(SELECT "list", "walk", "window_from", "window_to", "cursor", "watermark", "pages",)"
    R"( "restarts", "finished_at", "ignored", "begun_at", "whole_to", "read_from", "service" FROM "survey_cursor" )";

}  // namespace

StoredWalk load_walk(Database& database, const std::string& list, const std::string& walk) {
  const auto found = query_struct<StoredWalk>(
      database, kWalk + R"(WHERE "list" = {key} AND "walk" = {key})", {list, walk});
  if (found) return *found;
  StoredWalk unknown;
  unknown.list = list;
  unknown.walk = walk;
  return unknown;
}

void save_walk(Database& database, const StoredWalk& walk) {
  upsert_structs<StoredWalk>(database, table_named("survey_cursor").table, {walk});
}

std::vector<StoredWalk> all_walks(Database& database) {
  return query_structs<StoredWalk>(database, kWalk + R"(ORDER BY "list", "walk")");
}

std::vector<std::string> walks_of(Database& database, const std::string& list) {
  return texts_in(query_rows(
      database, R"(SELECT "walk" FROM "survey_cursor" WHERE "list" = {key} ORDER BY "walk")",
      {list}));
}

void drop_walk(Database& database, const std::string& list, const std::string& walk) {
  run_statement(database,
                R"(DELETE FROM "survey_cursor" WHERE "list" = {key})"
                R"( AND "walk" = {key})",
                {list, walk});
}

}  // namespace surveybridge::crm
