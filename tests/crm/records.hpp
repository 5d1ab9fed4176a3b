// Records for the tests of this room, made from the description, so that a field that is added to
// it is tested too.
#pragma once

#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/record.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {

// A record of any shape with a value that depends on `seed` in every field; its key is `seed`.
// Lists have two items, lists within lists one.
mapping::Record filled(const mapping::Resource& shape, std::int64_t seed);

mapping::Record full_customer(std::int64_t id);  // e-mail "joID@example.test"
mapping::Record bare_customer(std::int64_t id);  // only its Id

// The value of a cell, whatever type the dialect stores it as.
Value as_stored(const mapping::TableColumn& column, const Value& cell);

}  // namespace surveybridge::crm
