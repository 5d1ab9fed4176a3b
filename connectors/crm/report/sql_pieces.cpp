#include "connectors/crm/report/sql_pieces.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/sql_parts.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/schema/ledger_words.hpp"
#include "mapping/report/column_names.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

// The years whose changes of the clock are known to the views. Before and after them the nearest
// offset counts.
constexpr int kFirstYear = 2010, kLastYear = 2040;

constexpr std::string_view kEverybody = "all";  // the segment of everybody

// Names of segments as the views write them, in the order of the columns segment_1, …
std::vector<std::string> segment_names(const ReportShape& shape) {
  std::vector<std::string> names = {std::string(kEverybody)};
  for (const auto& column : shape.report.segments)
    names.push_back(mapping::free_column_name({column, "segment"}, names));
  names.erase(names.begin());
  return names;
}

std::string periods(Dialect dialect) {
  return list_of_rows({in_dialect(dialect, R"('week' AS "period")"), "'month'"}) + " p";
}

std::string segment_list(Dialect dialect, const ReportShape& shape) {
  std::vector<std::string> rows = {in_dialect(dialect, R"('all' AS "segment")")};
  for (const auto& name : segment_names(shape))
    rows.push_back(literal(dialect, name));
  return list_of_rows(rows) + " s";
}

// The first day of the period that a row is in.
std::string starts(Dialect dialect, const ReportShape& shape, const std::string& day) {
  const auto& of = traits(dialect);
  return in_dialect(dialect, R"(CASE p."period" WHEN 'week' THEN )") +
         of.week_of(day, static_cast<int>(shape.report.week_starts)) + " ELSE " + of.month_of(day) +
         " END";
}

std::string segment_value(Dialect dialect, const ReportShape& shape, const std::string& prefix) {
  std::string text = in_dialect(dialect, R"(CASE s."segment" WHEN 'all' THEN 'all')");
  std::size_t number = 0;
  for (const auto& name : segment_names(shape)) {
    text += " WHEN " + literal(dialect, name) + " THEN COALESCE(" + prefix +
            quoted(dialect, "segment_" + std::to_string(++number)) + ", '')";
  }
  return exact(dialect, text + " END");
}

}  // namespace

std::string literal(Dialect dialect, const std::string& text) {
  return literal_by(traits(dialect), text);
}

std::string local_day(Dialect dialect, const std::string& instant, const std::string& zone) {
  const auto& of = traits(dialect);
  const auto offsets = mapping::offsets_of(zone, kFirstYear, kLastYear);
  std::string east = std::to_string(offsets.front().east.count());
  if (offsets.size() > 1) {
    std::string cases = "(CASE";
    for (auto one = offsets.rbegin(); one + 1 != offsets.rend(); ++one) {
      cases += " WHEN " + instant + " >= '" + of.instant_text(one->since) + "' THEN " +
               std::to_string(one->east.count());
    }
    east = cases + " ELSE " + east + " END)";
  }
  return of.day_of(instant, east);
}

std::string as_real(Dialect dialect, const std::string& number) {
  return "CAST(" + number + " AS " + std::string(traits(dialect).real_type) + ")";
}

std::string whole(Dialect dialect, const std::string& sum) {
  return "CAST(" + sum + " AS " + std::string(traits(dialect).whole_number) + ")";
}

std::string segments(Dialect dialect, const ReportShape& shape, const std::string& prefix) {
  std::string text;
  for (std::size_t i = 1; i <= shape.report.segments.size(); ++i)
    text += ", " + prefix + quoted(dialect, "segment_" + std::to_string(i));
  return text;
}

std::string language_column(Dialect dialect) {
  return in_dialect(dialect, R"(, (SELECT c."language" FROM "survey_customer" c)"
                             R"( WHERE c."id" = i."customer_id") AS "language")");
}

std::string list_of_rows(const std::vector<std::string>& selects) {
  return fmt::format("(SELECT {})", fmt::join(selects, " UNION ALL SELECT "));
}

std::string by_period(Dialect dialect, const ReportShape& shape, const std::string& columns,
                      const std::string& rows, bool with_segments) {
  std::string text = "(SELECT " + columns + in_dialect(dialect, R"(, p."period", )") +
                     starts(dialect, shape, in_dialect(dialect, R"(a."day")")) +
                     in_dialect(dialect, R"( AS "starts")");
  if (with_segments) {
    text += in_dialect(dialect, R"(, s."segment", )") + segment_value(dialect, shape, "a.") +
            in_dialect(dialect, R"( AS "segment_value")");
  }
  text += " FROM " + rows + " a CROSS JOIN " + periods(dialect);
  if (with_segments) text += " CROSS JOIN " + segment_list(dialect, shape);
  return text + ")";
}

std::string counted_date(Dialect dialect) {
  return in_dialect(dialect, R"(COALESCE(i."transaction_date", i."invited_at", i."finished_at",)"
                             R"( i."last_activity"))");
}

std::string counts(Dialect dialect) {
  return in_dialect(dialect, R"(i."test" = 0 AND i."second_feedback" = 0)");
}

std::string shown_reason(Dialect dialect, const std::string& alias) {
  const std::string reason = alias + "." + quoted(dialect, "reason");
  const std::string words(kRefusedByService);
  return "CASE WHEN " + reason + " LIKE '%" + words + ": %' THEN '" + words + "' ELSE " + reason +
         " END";
}

}  // namespace surveybridge::crm
