#include "connectors/crm/report/shape_change.hpp"

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/schema/schema.hpp"

namespace surveybridge::crm {

ShapeChange::ShapeChange(Database& database) : database_(database) {
  database_.begin();
  try {
    const auto words = traits(database_.dialect()).impatience_begins;
    if (!words.empty()) database_.execute({std::string(words), {}});
    lock_schema(database_);
  } catch (...) {
    database_.rollback();
    end_impatience();
    throw;
  }
}

ShapeChange::~ShapeChange() {
  if (!open_) return;
  database_.rollback();
  end_impatience();
}

void ShapeChange::commit() {
  database_.commit();
  open_ = false;
  end_impatience();
}

// A session that is lost is a new one afterwards, which has the usual patience.
void ShapeChange::end_impatience() noexcept {
  const auto words = traits(database_.dialect()).impatience_ends;
  if (words.empty()) return;
  try {
    database_.execute({std::string(words), {}});
  } catch (const DatabaseError&) {
  }
}

}  // namespace surveybridge::crm
