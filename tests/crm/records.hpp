// Records for the tests of this room, made by walking the description, so that a field that is
// added to it is stored and read back by the tests too.
#pragma once

#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/record.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {

// A record of any shape whose every field holds something that depends on `seed`; its key is
// `seed`. Lists hold two items, lists within lists one.
mapping::Record filled(const mapping::Resource& shape, std::int64_t seed);

mapping::Record full_customer(std::int64_t id);  // e-mail "joID@example.test"
mapping::Record bare_customer(std::int64_t id);  // its Id and nothing else

// What a cell means, whatever the dialect stores its type as.
Value as_stored(const mapping::TableColumn& column, const Value& cell);

}  // namespace surveybridge::crm
