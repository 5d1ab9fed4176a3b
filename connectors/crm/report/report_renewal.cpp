// ReportStore: what could not be kept up to date at its time, and is made up for later.
#include <algorithm>
#include <limits>

#include "connectors/crm/report/report_store.hpp"
#include "connectors/crm/report/report_views.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {
namespace {

// Between two tries to change the shape there are at most so many pages: each try makes those who
// read wait a moment.
constexpr int kPagesMost = 16;

// A gap: pages were stored while the tables for reports could not be kept up to date. It is noted
// in survey_cursor, which the bridge always writes, until all records are taken in again.
std::vector<Value> names_of_gap(const mapping::Resource& root) {
  // No list of a configuration has this name.
  return {std::string("(reports)"), std::string(root.table)};
}

bool has_gap(Database& database, const mapping::Resource& root) {
  return !query_rows(database,
                     R"(SELECT "walk" FROM "survey_cursor" WHERE "list" = {key})"
                     R"( AND "walk" = {key})",
                     names_of_gap(root))
              .empty();
}

}  // namespace

void ReportStore::change_shape(const std::vector<WantedColumn>& wanted) {
  const bool wants = !wanted.empty() && columns_.size() < kReportColumns;
  lacks_columns_ = wants || !history_.has(columns_);
  views_late_ = !views_made_;
  if (!lacks_columns_ && views_made_) return;
  if (pages_to_wait_-- > 0) return;
  try {
    if (wants) {
      columns_ = add_report_columns(database_, wanted);
      load_columns();
      views_made_ = false;
    }
    history_.prepare(database_, columns_);
    lacks_columns_ = false;
    if (!views_made_) make_views(database_, shape_, shown_columns(shape_, columns_, data_columns_));
    make_comments(database_);
    views_made_ = true;
    views_late_ = false;
    pause_ = pages_to_wait_ = 0;
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::busy) throw;
    pause_ = std::clamp(2 * pause_, 1, kPagesMost);
    pages_to_wait_ = pause_;
  }
}

// Customers from the first of these on are to be noted again.
void ReportStore::mark_late(std::span<const mapping::Record> customers) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const auto& customer : customers)
    first = std::min(first, integer_in(mapping::key_of(customer)));
  late_ = true;
  const auto reached = stored_reach();
  if (reached && (reached->empty() || std::stoll(*reached) < first)) return;
  set_reached(std::to_string(first - 1));
}

void ReportStore::give_up(const std::string& problem) {
  problem_ = problem;
  loaded_ = false;
}

void ReportStore::note_gap() {
  if (problem_.empty() || has_gap(database_, root_)) return;
  run_statement(database_,
                R"(INSERT INTO "survey_cursor" ("list", "walk", "cursor", "pages",)"
                R"( "restarts") VALUES ({key}, {key}, '', 0, 0))",
                names_of_gap(root_));
}

// Everything is noted again.
void ReportStore::take_up_gap() {
  if (!has_gap(database_, root_)) return;
  Transaction transaction(database_);
  set_report_state(database_, std::string(root_.table), "");
  run_statement(database_,
                R"(DELETE FROM "survey_cursor" WHERE "list" =)"
                R"( {key} AND "walk" = {key})",
                names_of_gap(root_));
  transaction.commit();
}

}  // namespace surveybridge::crm
