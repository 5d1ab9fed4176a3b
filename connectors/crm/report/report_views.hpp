// Makes the views for reports, and keeps them as the configuration and the columns want them.
#pragma once

#include <string>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/report_shape.hpp"

namespace surveybridge::crm {

// The statements that make the views, in their order.
std::vector<std::string> view_statements(Dialect dialect, const ReportShape& shape,
                                         const ReportColumns& columns);

// Makes the views anew where they differ from what was made last. A view is replaced in one
// transaction where the database can, so that its readers see the old one or the new one. Throws
// DatabaseError(other) where a view may not be made, or where something with the name of a view was
// made by somebody else.
void make_views(Database& database, const ReportShape& shape, const ReportColumns& columns);

// Writes comments on tables, views and columns into the database, where they differ from what was
// written last. A database that refuses that goes without. DatabaseError(busy): later.
void make_comments(Database& database);
std::vector<std::string> comment_statements(Dialect dialect);  // the same as text

inline constexpr const char* kViewsState = "views";

// survey_report_state: what is known by name. Empty: nothing.
std::string report_state(Database& database, const std::string& name);
void set_report_state(Database& database, const std::string& name, const std::string& value);
// The same, but only where it is still `from`.
void move_report_state(Database& database, const std::string& name, const std::string& from,
                       const std::string& to);

}  // namespace surveybridge::crm
