// The only source of random numbers: the same seed gives the same run. One for each job.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace surveybridge::daemon {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  // Uniform in [0, 1).
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  // 32 hexadecimal digits.
  std::string id() { return hex(engine_()) + hex(engine_()); }
  std::uint64_t seed() { return engine_(); }

 private:
  static std::string hex(std::uint64_t bits) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out(16, '0');
    for (auto& c : out) {
      c = kHex[bits & 15];
      bits >>= 4;
    }
    return out;
  }
  std::mt19937_64 engine_;
};

}  // namespace surveybridge::daemon
