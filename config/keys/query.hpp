// The SQL of a push: one statement that reads. Only that is checked here; the database checks the
// rest. Pure.
#pragma once

#include <string>

#include "config/keys/kind.hpp"

namespace surveybridge::config {

// The query without blanks around it and without semicolons at its end, or the rule that it breaks.
Answer<std::string> read_query(const std::string& text);
Kind<std::string> query();

}  // namespace surveybridge::config
