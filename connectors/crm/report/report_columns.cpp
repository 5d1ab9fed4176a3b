#include "connectors/crm/report/report_columns.hpp"

#include <algorithm>
#include <tuple>

#include "connectors/crm/dialect/ddl.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/shape_change.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "mapping/report/column_names.hpp"
#include "mapping/report/invitation.hpp"

namespace surveybridge::crm {
namespace {

using Kind = ReportColumn::Kind;

// Occurrences of a question beyond these have no column.
constexpr int kOccurrences = 20;

constexpr std::array<std::string_view, 3> kKinds = {"data", "score", "text"};

std::string kind_text(Kind kind) {
  return std::string(kKinds.at(static_cast<std::size_t>(kind)));
}

Kind kind_in(const Value& cell) {
  const auto found = std::ranges::find(kKinds, text_in(cell));
  if (found == kKinds.end())
    throw DatabaseError(DatabaseError::Kind::other, "survey_report_column has an unknown kind");
  return static_cast<Kind>(found - kKinds.begin());
}

// Names that the view has of itself.
const std::vector<std::string>& fixed_names() {
  static const std::vector<std::string> names = {"customer_id",
                                                 "push",
                                                 "key",
                                                 "stage",
                                                 "stage_at",
                                                 "status_code",
                                                 "status_name",
                                                 "transaction_date",
                                                 "invited_at",
                                                 "opened_at",
                                                 "begun_at",
                                                 "finished_at",
                                                 "closed_at",
                                                 "bounced_at",
                                                 "opted_out_at",
                                                 "seconds_to_answer",
                                                 "completion_time_in_seconds",
                                                 "language",
                                                 "mail_domain",
                                                 "test",
                                                 "second_feedback",
                                                 "original_customer_id",
                                                 "contact_requested",
                                                 "form_status_name",
                                                 "review_status_name",
                                                 "review_approved_date",
                                                 "rating_id"};
  return names;
}

template <class Columns>
bool has(const Columns& columns, Kind kind, std::int64_t source, std::int64_t occurrence) {
  return std::ranges::any_of(columns, [&](const auto& column) {
    return column.kind == kind && column.source == source && column.occurrence == occurrence;
  });
}

std::string label_of(const ReportShape& shape, std::int64_t question) {
  const auto found =
      std::ranges::find(shape.report.questions, question, &config::Report::Question::id);
  return found == shape.report.questions.end() ? "" : found->label;
}

bool is_hidden(const ReportShape& shape, const mapping::DataColumn& column) {
  return std::ranges::any_of(shape.report.hidden, [&](const std::string& name) {
    return mapping::is_called(column, name);
  });
}

std::string repeated(const std::string& name, int occurrence) {
  return name.empty() || occurrence == 1 ? name : name + " " + std::to_string(occurrence);
}

}  // namespace

ReportColumns stored_report_columns(Database& database) {
  ReportColumns columns;
  const auto found =
      query_rows(database, R"(SELECT "position", "name", "kind", "source", "occurrence")"
                           R"( FROM "survey_report_column" ORDER BY "position")");
  for (const auto& row : found) {
    columns.push_back({integer_in(row.at(0)), text_in(row.at(1)), kind_in(row.at(2)),
                       integer_in(row.at(3)), integer_in(row.at(4))});
  }
  return columns;
}

namespace {

// "label text" for a column of texts; "" for "".
std::string with_text(const std::string& name) {
  return name.empty() ? "" : name + " text";
}

std::vector<std::string> names_for(const ReportShape& shape, Kind kind,
                                   const mapping::Answered& answer) {
  const std::string label = repeated(label_of(shape, answer.question), answer.occurrence);
  const std::string words = repeated(std::string(answer.words), answer.occurrence);
  const std::string number =
      repeated("question " + std::to_string(answer.question), answer.occurrence);
  if (kind == Kind::score) return {label, words, number};
  return {with_text(label), with_text(mapping::column_name(words)), with_text(number)};
}

}  // namespace

// Nearly every answer is to a question that is known: names are made for the others only.
std::vector<WantedColumn> columns_needed(const ReportShape& shape, const ReportColumns& known,
                                         const std::vector<mapping::DataColumn>& data_columns,
                                         std::span<const mapping::Record> customers) {
  std::set<std::tuple<Kind, std::int64_t, std::int64_t>> there;
  for (const auto& column : known)
    there.emplace(column.kind, column.source, column.occurrence);
  std::vector<WantedColumn> wanted;
  for (const auto& column : data_columns) {
    if (is_hidden(shape, column) || !there.emplace(Kind::data, column.id, 1).second) continue;
    wanted.push_back({Kind::data,
                      column.id,
                      1,
                      {column.name, column.display_name, "column " + std::to_string(column.id)}});
  }
  const auto want = [&](Kind kind, const mapping::Answered& answer) {
    const std::tuple column(kind, answer.question, answer.occurrence);
    if (there.contains(column)) return;
    there.insert(column);
    wanted.push_back({kind, answer.question, answer.occurrence, names_for(shape, kind, answer)});
  };
  for (const auto& customer : customers) {
    for (const auto& answer : mapping::answered(customer)) {
      if (answer.occurrence > kOccurrences) continue;
      if (answer.score) want(Kind::score, answer);
      if (answer.has_text) want(Kind::text, answer);
    }
  }
  return wanted;
}

ReportColumns shown_columns(const ReportShape& shape, const ReportColumns& columns,
                            const std::vector<mapping::DataColumn>& data_columns) {
  ReportColumns shown;
  for (const auto& column : columns) {
    const auto found = std::ranges::find(data_columns, column.source, &mapping::DataColumn::id);
    const bool hidden =
        column.kind == Kind::data && found != data_columns.end() && is_hidden(shape, *found);
    if (!hidden) shown.push_back(column);
  }
  return shown;
}

ReportColumns add_report_columns(Database& database, const std::vector<WantedColumn>& wanted) {
  const Dialect dialect = database.dialect();
  ShapeChange change(database);
  ReportColumns columns = stored_report_columns(database);
  const std::set<std::string> there = catalogue(database)[invitation_table().name];
  std::vector<std::string> taken = fixed_names();
  std::int64_t position = 0;
  for (const auto& column : columns) {
    taken.push_back(column.name);
    position = column.position;
  }
  std::vector<std::vector<Value>> rows;
  for (const auto& column : wanted) {
    if (has(columns, column.kind, column.source, column.occurrence)) continue;
    if (columns.size() >= kReportColumns) break;
    if (column.kind == Kind::score) {
      const std::string name = score_column(column.source, column.occurrence);
      if (!there.contains(name))
        database.execute(
            {add_column(dialect, invitation_table(), {name, ColumnType::integer}), {}});
    }
    const std::string name = mapping::free_column_name(column.names, taken);
    taken.push_back(name);
    columns.push_back({++position, name, column.kind, column.source, column.occurrence});
    rows.push_back({position, name, kind_text(column.kind), column.source, column.occurrence});
  }
  put(database, insert(dialect, report_column_table()), rows);
  change.commit();
  return columns;
}

}  // namespace surveybridge::crm
