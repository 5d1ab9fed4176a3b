// Compares a text with a file of tests/crm/golden/. With BRIDGE_UPDATE_GOLDEN=1 in the environment
// the file is written instead; check the diff.
#pragma once

#include <string>

namespace surveybridge::crm {

void expect_golden(const std::string& file, const std::string& text);

}  // namespace surveybridge::crm
