// Words that no output of the program may contain: addresses, names, answers, secrets. The tests of
// this room use these words for their people and secrets, and search all output for them.
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

// The private words in `said`.
std::vector<std::string> private_words_in(const std::string& said);
// A test failure for each of them.
void expect_no_private_words(const std::string& said);

}  // namespace program
