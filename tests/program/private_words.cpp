#include "tests/program/private_words.hpp"

#include <gtest/gtest.h>

namespace program {

std::vector<std::string> private_words_in(const std::string& said) {
  std::vector<std::string> found;
  for (const char* word : {kToken, kDomain, kName, kRemark, kPassword, kPhone}) {
    if (said.find(word) != std::string::npos) found.emplace_back(word);
  }
  return found;
}

void expect_no_private_words(const std::string& said) {
  for (const std::string& word : private_words_in(said))
    ADD_FAILURE() << "the program said \"" << word << "\":\n" << said;
}

}  // namespace program
