// A transaction that changes the shape of a table or view for reports. Such a change waits for the
// locks of all readers, and no reader begins while it waits. So it waits for a short time only,
// then throws DatabaseError(busy) and has changed nothing. In SQLite a reader locks out no change.
#pragma once

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

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

}  // namespace surveybridge::crm
