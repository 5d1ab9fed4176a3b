// When a promise is broken, a fuzzer prints it and aborts, so that libFuzzer keeps the input. Each
// fuzzer is one file with one function of the product and its promises for any bytes; its corpus is
// in corpus/ under the fuzzer's name.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace fuzz {

inline std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

inline void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

// The first byte chooses one of `count`; the rest is the text.
inline std::size_t choice(std::string_view& text, std::size_t count) {
  if (text.empty()) return 0;
  const auto chosen = static_cast<unsigned char>(text.front()) % count;
  text.remove_prefix(1);
  return chosen;
}

}  // namespace fuzz
