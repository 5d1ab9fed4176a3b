// Reads an error body with any content type: a bounded line and indexes in order.
#include <algorithm>

#include "mapping/codec/codec.hpp"
#include "mapping/values/text.hpp"
#include "tests/fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr const char* kTypes[] = {
      "application/json", "application/problem+json", "text/xml", "text/html", "text/plain", ""};
  constexpr std::size_t kLongest = 501;  // characters of up to four bytes: 500 and an ellipsis
  std::string_view body = fuzz::text_of(bytes, size);
  const char* type = kTypes[fuzz::choice(body, std::size(kTypes))];
  const auto error = surveybridge::mapping::read_error(body, type);
  fuzz::promise(surveybridge::mapping::first_characters(error.message, kLongest) == error.message,
                "a message is bounded");
  fuzz::promise(error.message.find_first_of("\r\n\t") == std::string::npos, "it is one line");
  fuzz::promise(surveybridge::mapping::is_utf8(error.message), "it is UTF-8");
  fuzz::promise(std::adjacent_find(error.customers.begin(), error.customers.end(),
                                   std::greater_equal<>()) == error.customers.end(),
                "indexes ascend");
  return 0;
}
