// The SQLSTATE with which PostgreSQL refuses a connect: libpq, and psqlodbc with it, tells only the
// words, which are in the server's language.
#pragma once

#include <optional>
#include <string>

namespace surveybridge::crm {

// Asked with a connect of its own. Empty: the server lets us in, nobody answers, or there is
// nothing to ask. `key_values`: postgresql_key_values().
std::optional<std::string> state_of_refusal(const std::string& key_values);

// The same where an ODBC text names a driver of PostgreSQL and a server; empty: it does not.
std::optional<std::string> state_of_odbc_refusal(const std::string& text);

}  // namespace surveybridge::crm
