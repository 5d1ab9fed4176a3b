// A connection text of PostgreSQL as libpq and SOCI take it. Pure.
#pragma once

#include <string>

namespace surveybridge::crm {

// `text` (key=value or a URI) as key='value' with every value quoted, as SOCI needs it. Defaults of
// our own come first, for the last of two counts: a server that is gone is noticed in a minute.
// Throws DatabaseError(connection), whose text shows no value.
std::string postgresql_key_values(const std::string& text);

}  // namespace surveybridge::crm
