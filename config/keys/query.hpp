// The SQL of a push: one statement that reads. Looked at only as far as that takes; whether it
// runs is the database's word. Pure.
#pragma once

#include <string>

#include "config/keys/kind.hpp"

namespace surveybridge::config {

// The query without blanks around it and semicolons behind it, or the rule it breaks.
Answer<std::string> read_query(const std::string& text);
Kind<std::string> query();

}  // namespace surveybridge::config
