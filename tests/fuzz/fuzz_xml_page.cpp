// Reads a page of any list as XML.
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/pages.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  fuzz::read_as_page(fuzz::text_of(bytes, size), "application/xml",
                     surveybridge::mapping::Format::xml);
  return 0;
}
