// How a 429 tells when to come back: the forms of Retry-After that services are seen to use. Pure.
#pragma once

#include <vector>

#include "sandbox/http/http.hpp"
#include "sandbox/limits/limit.hpp"
#include "sandbox/options/options.hpp"

namespace sandbox {

// All limits the options name.
std::vector<LimitSpec> limits_of(const Options& options);

// What is left of the tightest limit, under the names the options choose.
void put_rate(Headers& headers, const Limits::Verdict& verdict, TimePoint now,
              const Options& options);

// How long the answer asks to stay away: whole seconds, or the wait itself; 0 where it says
// nothing.
std::chrono::microseconds wait_told(std::chrono::microseconds wait, const Options& options);

void put_wait(Headers& headers, std::chrono::microseconds wait, TimePoint now,
              const Options& options);

}  // namespace sandbox
