#include "connectors/crm/report/shape_change.hpp"

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/schema/schema.hpp"

namespace surveybridge::crm {

ShapeChange::ShapeChange(Database& database) : database_(database) {
  const std::string lock = schema_lock(database_);
  database_.begin();
  try {
    const auto words = traits(database_.dialect()).short_lock_wait;
    if (!words.empty()) database_.execute({std::string(words), {}});
    lock_schema(database_, lock);
  } catch (...) {
    database_.rollback();
    restore_lock_wait();
    throw;
  }
}

ShapeChange::~ShapeChange() {
  if (!open_) return;
  database_.rollback();
  restore_lock_wait();
}

void ShapeChange::commit() {
  database_.commit();
  open_ = false;
  restore_lock_wait();
}

// Where the session is lost, the next one waits for locks as usual.
void ShapeChange::restore_lock_wait() noexcept {
  const auto words = traits(database_.dialect()).usual_lock_wait;
  if (words.empty()) return;
  try {
    database_.execute({std::string(words), {}});
  } catch (const DatabaseError&) {
  }
}

}  // namespace surveybridge::crm
