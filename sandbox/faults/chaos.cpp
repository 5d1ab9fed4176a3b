#include "sandbox/faults/chaos.hpp"

#include <array>

#include "sandbox/model/life.hpp"

namespace sandbox {

std::optional<Fault> draw_fault(double share, std::uint64_t seed, std::int64_t request) {
  constexpr std::array<const char*, 9> kKinds = {"before:reset", "after:reset", "after:cut",
                                                 "before:500",   "after:500",   "before:503",
                                                 "after:503",    "after:504",   "before:408"};
  constexpr std::uint64_t kStrikes = 101, kWhich = 102;
  if (chance(seed, request, kStrikes) >= share) return std::nullopt;
  const double drawn = chance(seed, request, kWhich) * static_cast<double>(kKinds.size());
  return read_fault(kKinds[static_cast<std::size_t>(drawn)]);
}

}  // namespace sandbox
