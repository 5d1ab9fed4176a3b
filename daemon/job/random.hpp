// The only source of random numbers: the same seed gives the same run. One for each job.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include <fmt/format.h>

namespace surveybridge::daemon {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  // Uniform in [0, 1).
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  // 32 hexadecimal digits.
  std::string id() {
    const auto first = engine_(), second = engine_();
    return fmt::format("{:016x}{:016x}", first, second);
  }
  std::uint64_t seed() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace surveybridge::daemon
