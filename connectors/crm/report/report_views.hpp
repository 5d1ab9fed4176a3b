// Makes the views for reports and the comments on them, and keeps them as the configuration and the
// columns want them.
#pragma once

#include <string>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/report_columns.hpp"

namespace surveybridge::crm {

// A transaction that changes the shape of a table or view for reports. Such a change waits for the
// locks of all readers, and no reader begins while it waits. So it waits for a short time only,
// then throws DatabaseError(busy) and has changed nothing. In SQLite a reader locks out no change.
class ShapeChange {
 public:
  // Keeps other instances from changing a shape until it ends.
  explicit ShapeChange(Database& database);
  ~ShapeChange();
  ShapeChange(const ShapeChange&) = delete;
  ShapeChange& operator=(const ShapeChange&) = delete;
  void commit();

 private:
  void restore_lock_wait() noexcept;

  Database& database_;
  bool open_ = true;
};

// Makes the views anew where they differ from what was made last. A view is replaced in one
// transaction where the database can, so that its readers see the old one or the new one. Throws
// DatabaseError(other) where a view may not be made, or where something with the name of a view was
// made by somebody else.
void make_views(Database& database, const ReportShape& shape, const ReportColumns& columns);

// Writes comments on tables, views and columns into the database, where they differ from what was
// written last. A database that refuses that goes without. DatabaseError(busy): later.
void make_comments(Database& database);

// survey_report_state: what is known by name. Empty: nothing.
std::string report_state(Database& database, const std::string& name);
void set_report_state(Database& database, const std::string& name, const std::string& value);
// The same, but only where it is still `from`.
void move_report_state(Database& database, const std::string& name, const std::string& from,
                       const std::string& to);

}  // namespace surveybridge::crm
