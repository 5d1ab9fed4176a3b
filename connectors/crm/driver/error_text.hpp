// The one place where a server's text becomes text of ours: for the log, the status page and
// standard error. A server writes in its own language and quotes values of rows in many ways, so
// what may be shown is decided by the error's code and by the statement, never by its words. Pure.
#pragma once

#include <string>
#include <string_view>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// Of a statement's error. One line. Where the code says that the error is about values of a row, or
// raised by a trigger, a sentence of ours and the names that the statement has too; else the words
// of the text's first line, without what is quoted, a number or an address, unless the statement
// has it.
std::string shown_error(std::string_view message, const ErrorCode& code,
                        std::string_view statement = {});

// Of a connect that failed. No statement has run, so no value of a row is in it; what is quoted is
// the host or the user.
std::string shown_connect_error(std::string_view message, const ErrorCode& code);

// Does the error of a connect say that the server does not let this user in or has no such
// database, or that there is no such ODBC driver? Waiting does not help: a person mends the
// connection text, the server or this machine.
bool is_login_refused(const DatabaseError& error);

// May the error come from a value of one row, so that the statement succeeds for other rows? SQLite
// tells it from a wrong statement by no number.
bool may_be_of_a_value(const DatabaseError& error);

// The kind of error of an SQLSTATE, for every database.
DatabaseError::Kind kind_of_state(std::string_view sqlstate);

}  // namespace surveybridge::crm
