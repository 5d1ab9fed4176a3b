// How messages show a text that somebody else wrote: short, on one line, without control
// characters. Pure. This file cannot tell what is secret; a caller with a secret does not show it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace surveybridge::config {

// "text" in double quotes, escaped, cut after 60 characters.
std::string quoted(std::string_view text);

// A dotted path one step longer, quoted where TOML needs it: push.orders."a b".
std::string dotted(const std::string& path, std::string_view key);

// "a", "b" or "c".
std::string listed(const std::vector<std::string>& words);

// A name that goes into SQL, paths or headers: not empty, at most 128 bytes, no control character.
bool is_name(std::string_view text);
bool has_control(std::string_view text);

}  // namespace surveybridge::config
