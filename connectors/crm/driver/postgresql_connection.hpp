// A connection text of PostgreSQL as libpq and SOCI take it. Pure.
#pragma once

#include <map>
#include <string>

namespace surveybridge::crm {

// What libpq reads in `text` (key=value or a URI), by its keys. Throws DatabaseError(connection),
// whose text shows no value.
std::map<std::string, std::string> postgresql_options(const std::string& text);

// The same as key='value' with every value quoted, as SOCI needs it. Defaults of
// our own come first, for the last of two counts: a server that is gone is noticed in a minute.
// Throws as above.
std::string postgresql_key_values(const std::string& text);

}  // namespace surveybridge::crm
