// What no output of the program may hold, whatever happens: addresses, names, answers, secrets.
// Every test of this room makes its people and its secrets of these words, and whatever the
// program says is searched for them.
#pragma once

#include <string>
#include <vector>

namespace program {

inline constexpr const char* kToken = "t0ken-of-the-bridge";
inline constexpr const char* kDomain = "private.test";  // of every address
inline constexpr const char* kName = "Xanthippe";       // in every name
inline constexpr const char* kRemark = "between us";    // in every answer
inline constexpr const char* kPassword = "s3cret!";     // of the database, see servers.hpp
inline constexpr const char* kPhone = "+31 6 0000";     // begins every number

// Those of the words that `said` holds.
std::vector<std::string> indiscretions(const std::string& said);
// A test failure for each of them.
void expect_discreet(const std::string& said);

}  // namespace program
