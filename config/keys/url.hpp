// Addresses that the bridge may use: https, or http to this machine only. Pure.
#pragma once

#include <string>

#include "config/keys/kind.hpp"

namespace surveybridge::config {

// Empty, or the rule that the address breaks, without the address: it may have a password.
std::string broken_rule_of_url(const std::string& url);

Kind<std::string> base_url();   // without query; trailing slashes are dropped
Kind<std::string> token_url();  // as written
Kind<std::string> url_path();   // "/external/api/…"

}  // namespace surveybridge::config
