#include "tests/tree/code.hpp"
#include "tests/tree/rules.hpp"

namespace tree {
namespace {

constexpr std::size_t kFileLines = 400;
constexpr std::size_t kFunctionLines = 50;  // a screen
constexpr std::size_t kTestLines = 80;      // a table of cases is easy to read

std::size_t longest_function(const File& file) {
  return starts(file.path, "tests/") ? kTestLines : kFunctionLines;
}

}  // namespace

Breaches long_files(const Tree& tree) {
  Breaches found;
  for (const File& file : tree) {
    const std::size_t lines = lines_of(file.text).size();
    if (is_source(file) && lines > kFileLines)
      found.push_back(at(file, lines, "a file has at most 400 lines"));
  }
  return found;
}

Breaches long_functions(const Tree& tree) {
  Breaches found;
  for (const File& file : tree) {
    if (!is_source(file)) continue;
    for (const Body& body : bodies_of(code_of(file.text)))
      if (body.length > longest_function(file))
        found.push_back(
            at(file, body.line,
               "a function of " + std::to_string(body.length) + " lines does not fit a screen"));
  }
  return found;
}

}  // namespace tree
