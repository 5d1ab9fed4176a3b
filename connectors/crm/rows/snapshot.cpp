#include "connectors/crm/rows/snapshot.hpp"

#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {

Snapshot::Snapshot(Database& database) : database_(database) {
  tell(traits(database_.dialect()).snapshots_begin);
  database_.begin();
}

Snapshot::~Snapshot() {
  database_.rollback();
  try {
    tell(traits(database_.dialect()).snapshots_end);
  } catch (const DatabaseError&) {
    // The session is lost, and the next one does not have its settings.
  }
}

void Snapshot::tell(std::string_view statement) {
  if (!statement.empty()) database_.execute({std::string(statement), {}});
}

}  // namespace surveybridge::crm
