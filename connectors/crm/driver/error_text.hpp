// What may be shown of a database's error: its words, not the values of a row that they quote.
// Pure.
#pragma once

#include <string>
#include <string_view>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// One line. Of a statement's error (`sqlstate` not empty) only the first line is kept: the others
// (DETAIL, CONTEXT) hold values. In a data exception (class 22) and a general error (HY) what is
// quoted is blanked out, in a constraint violation (class 23) what is in '…' or (…); the names of
// constraints in "…" stay. What a trigger says is its own and not shown.
std::string shown_error(std::string_view message, std::string_view sqlstate);

// The kind that an SQLSTATE means in every database.
DatabaseError::Kind kind_of_state(std::string_view sqlstate);

}  // namespace surveybridge::crm
