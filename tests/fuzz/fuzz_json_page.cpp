// Reads a page of any list as JSON.
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/pages.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::read_as_page(fuzz::text_of(bytes, size), "application/json",
                     surveybridge::mapping::Format::json);
  return 0;
}
