// Pieces of SQL that the views for reports share. Pure.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/report_shape.hpp"

namespace surveybridge::crm {

// A text as a literal.
std::string literal(Dialect dialect, const std::string& text);
// The day of an instant in a zone, as an expression: by the zone's offsets, since not every
// database knows zones.
std::string local_day(Dialect dialect, const std::string& instant, const std::string& zone);
std::string as_real(Dialect dialect, const std::string& number);
std::string whole(Dialect dialect, const std::string& sum);  // an integer, whatever the sum is

// "segment_1", … with a prefix, each after a comma.
std::string segments(Dialect dialect, const ReportShape& shape, const std::string& prefix);
// The column "language" behind others: the respondent's, of survey_invitation with the alias i.
std::string language_column(Dialect dialect);
// SELECT … UNION ALL SELECT …: the only list of values that every database has.
std::string list_of_rows(const std::vector<std::string>& selects);
// The columns of `rows` (an alias a with "day" and segments), with period and starts, and on demand
// segment and segment_value: a select in parentheses.
std::string by_period(Dialect dialect, const ReportShape& shape, const std::string& columns,
                      const std::string& rows, bool with_segments);

// Of survey_invitation with the alias i: the transaction's date, or without one the first date that
// is known; and the condition that it counts: no test, no second feedback.
std::string counted_date(Dialect dialect);
std::string counts(Dialect dialect);

// Of survey_push with this alias: the reason without the words of the service, which may quote an
// address.
std::string shown_reason(Dialect dialect, const std::string& alias);

}  // namespace surveybridge::crm
