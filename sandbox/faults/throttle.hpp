// The forms of Retry-After of a 429 that services use. Pure.
#pragma once

#include <vector>

#include "sandbox/limits/limit.hpp"
#include "sandbox/options/options.hpp"
#include "sandbox/values/http.hpp"

namespace sandbox {

// All limits that the options name.
std::vector<LimitSpec> limits_of(const Options& options);

// Writes the state of the tightest limit, under the header names that the options choose.
void put_rate(Headers& headers, const Limits::Verdict& verdict, TimePoint now,
              const Options& options);

// How long the answer tells the client to wait: whole seconds, or the wait itself; 0 if it says
// nothing.
std::chrono::microseconds wait_told(std::chrono::microseconds wait, const Options& options);

void put_wait(Headers& headers, std::chrono::microseconds wait, TimePoint now,
              const Options& options);

}  // namespace sandbox
