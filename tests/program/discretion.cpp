#include "tests/program/discretion.hpp"

#include <gtest/gtest.h>

namespace program {

std::vector<std::string> indiscretions(const std::string& said) {
  std::vector<std::string> found;
  for (const char* word : {kToken, kDomain, kName, kRemark, kPassword, kPhone}) {
    if (said.find(word) != std::string::npos) found.emplace_back(word);
  }
  return found;
}

void expect_discreet(const std::string& said) {
  for (const std::string& word : indiscretions(said))
    ADD_FAILURE() << "the program said \"" << word << "\":\n" << said;
}

}  // namespace program
