// Compares a secret with what somebody offers for it. Pure. How long it takes depends on their
// lengths only, so that nobody learns the secret letter by letter.
#pragma once

#include <string_view>

namespace surveybridge::mapping {

bool same_secret(std::string_view secret, std::string_view offered);

}  // namespace surveybridge::mapping
