// Reads waits from headers, one on each line, in a fixed order.
#include "connectors/service/retry_after.hpp"
#include "tests/fuzz/input.hpp"

namespace {

using namespace surveybridge::service;

constexpr const char* kNames[] = {"retry-after", "date", "x-ratelimit-remaining",
                                  "x-ratelimit-reset"};
const surveybridge::mapping::Instant kNow{std::chrono::seconds{1'800'000'000}};

Response response_of(std::string_view text) {
  Response response;
  for (const char* name : kNames) {
    const auto end = text.find('\n');
    response.headers.emplace_back(name, text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return response;
}

void check(std::optional<Wait> wait) {
  fuzz::promise(!wait || (*wait >= Wait{0} && *wait <= kWaitMax), "a wait is bounded");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::text_of(bytes, size);
  check(read_retry_after(text, kNow));
  check(wait_of(response_of(text), kNow));
  return 0;
}
