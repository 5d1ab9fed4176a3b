// Requests to the HTTP server, in pieces: nothing that comes throws, and the same bytes in one
// piece are the same requests.
#include <string>
#include <vector>

#include "http/request_reader.hpp"
#include "http/target.hpp"
#include "tests/fuzz/input.hpp"

namespace {

using http::RequestReader;

// What was read, until more is needed or the connection ends.
std::vector<std::string> requests_in(std::string_view bytes, std::size_t piece) {
  RequestReader reader{http::Bounds{}};
  std::vector<std::string> read;
  while (!bytes.empty()) {
    reader.feed(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    for (;;) {
      auto next = reader.next();
      if (auto* whole = std::get_if<RequestReader::Whole>(&next)) {
        http::read_target(whole->request.target);
        http::read_form(whole->request.body);
        read.push_back(whole->request.method + " " + whole->request.target + whole->request.body);
        continue;
      }
      if (std::holds_alternative<RequestReader::More>(next)) break;
      return read;
    }
  }
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  const std::size_t piece = 1 + fuzz::choice(text, 64);
  const auto pieces = requests_in(text, piece), whole = requests_in(text, text.size() + 1);
  fuzz::promise(pieces == whole, "pieces do not matter");
  return 0;
}
