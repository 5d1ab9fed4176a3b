// Random faults, drawn by the seed and the number of the request, so the same seed gives the same
// run. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "sandbox/faults/fault.hpp"

namespace sandbox {

// A fault for a `share` of all requests: lost before or after processing, cut off, refused for a
// while, failed. Never a hang: the client's time-out would decide how long a test takes.
std::optional<Fault> draw_fault(double share, std::uint64_t seed, std::int64_t request);

}  // namespace sandbox
