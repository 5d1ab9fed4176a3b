// cluster_tests [--seed=N] [--rounds=N] [--unprotected]: besides the options of the test library.
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/cluster/options.hpp"

namespace cluster {

Options& options() {
  static Options all;
  return all;
}

namespace {

template <class Number>
bool read_number(std::string_view text, std::string_view name, Number& number) {
  if (!text.starts_with(name)) return false;
  text.remove_prefix(name.size());
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size();
}

bool read_option(std::string_view text) {
  if (text == "--unprotected") {
    options().is_protected = false;
    return true;
  }
  return read_number(text, "--seed=", options().seed) ||
         read_number(text, "--rounds=", options().rounds);
}

}  // namespace
}  // namespace cluster

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  for (int i = 1; i < count; ++i) {
    if (cluster::read_option(words[i])) continue;
    std::cerr << "usage: cluster_tests [--seed=N] [--rounds=N] [--unprotected], not " << words[i]
              << "\n";
    return 2;
  }
  return RUN_ALL_TESTS();
}
