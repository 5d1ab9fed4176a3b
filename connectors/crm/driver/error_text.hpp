// The part of a database's error that may be shown: its words, without the values of a row that
// they quote. Pure.
#pragma once

#include <string>
#include <string_view>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// One line. Of a statement's error (`sqlstate` not empty) only the first line is kept, because the
// others (DETAIL, CONTEXT) contain values. In a data exception (class 22) and a general error (HY)
// quoted text is removed, in a constraint violation (class 23) text in '…' or (…); names of
// constraints in "…" stay. The message of a trigger is not shown.
std::string shown_error(std::string_view message, std::string_view sqlstate);

// Of a connect that failed. No statement has run, so no value of a row is in it; what is quoted is
// the host or the user.
std::string shown_connect_error(std::string_view message, std::string_view sqlstate);

// Does the error of a connect say that the server does not let this user in, or has no such
// database? Waiting does not help: a person mends the connection text or the server.
bool is_login_refused(std::string_view error);

// The kind of error of an SQLSTATE, for every database.
DatabaseError::Kind kind_of_state(std::string_view sqlstate);

}  // namespace surveybridge::crm
