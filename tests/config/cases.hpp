// The cases of tests/config/cases: NAME.toml is a configuration, NAME.txt what it comes to.
#pragma once

#include <string>
#include <vector>

namespace surveybridge::config {

std::vector<std::string> case_names();
// The content of NAME.txt.
std::string case_expected(const std::string& name);
// The content of NAME.toml. A first line "# and: service crm" adds short valid versions of those
// sections.
std::string case_text(const std::string& name);

}  // namespace surveybridge::config
