// SQL of the steps from a transaction to a finished survey (docs/REPORTS.md). Pure.
#pragma once

#include <string>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/report_shape.hpp"

namespace surveybridge::crm {

// A select in parentheses with one row for each invitation that counts and for each transaction of
// the ledger of which no customer is stored: not sent, not pulled yet, or removed since by `forget`
// or `keep`. Each transaction of the ledger is in exactly one row, unless it is a test. Columns:
// push, day, segment_1 …, state, known (1: a customer is stored, which has segments), and a column
// of 0 or 1 for each step (invited, opened, begun, finished, closed, opted_out, bounced, due,
// due_finished, never_invited). `with_language`: and the customer's language.
std::string funnel_rows(Dialect dialect, const ReportShape& shape, bool with_language = false);
std::string funnel_view(Dialect dialect, const ReportShape& shape);

}  // namespace surveybridge::crm
