// A transaction that changes the shape of a table or view for reports. Such a change waits for
// everybody who reads there, and nobody begins to read while it waits; so it has hardly any
// patience: DatabaseError(busy), and nothing has changed. In SQLite readers hold nobody up.
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
  void end_impatience() noexcept;

  Database& database_;
  bool open_ = true;
};

}  // namespace surveybridge::crm
