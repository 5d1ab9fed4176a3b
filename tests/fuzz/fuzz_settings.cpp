// Reads a configuration: settings, or problems with place and rule.
#include "config/sections/load.hpp"
#include "config/settings.hpp"
#include "tests/fuzz/input.hpp"

namespace {

using namespace surveybridge::config;

int lines_of(std::string_view text) {
  int lines = 1;
  for (const char c : text)
    if (c == '\n') ++lines;
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::text_of(bytes, size);
  const auto parsed = parse(text, "bridge.toml");
  const auto* problems = std::get_if<std::vector<Problem>>(&parsed);
  if (problems == nullptr) return 0;
  fuzz::promise(!problems->empty(), "no settings, then problems");
  for (const Problem& problem : *problems) {
    fuzz::promise(!problem.rule.empty(), "a problem says what it is");
    fuzz::promise(problem.place.line <= lines_of(text), "a problem is at a line of the text");
  }
  return 0;
}
