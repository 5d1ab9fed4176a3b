// The paths by which a test from outside turns the stand-in's clock, breaks its answers and looks
// at what it holds: /sandbox/…. They are no part of the service and need no token.
#pragma once

#include <string>
#include <string_view>

#include "sandbox/fault.hpp"
#include "sandbox/store.hpp"
#include "sandbox/tokens.hpp"

namespace sandbox {

struct Controls {
  Store& store;
  Faults& faults;
  Tokens& tokens;
  std::chrono::microseconds& advanced;  // of the clock
  TimePoint now;
  std::int64_t requests, adds;
};

bool is_control(std::string_view path);

// GET  /sandbox/customers                  what is held, as JSON
// GET  /sandbox/state                      counts and the time
// POST /sandbox/fault   {"moment":"after","kind":"reset","path":"customer/add","times":3, …}
//                       or {"fault":"after:reset:customer/add:3"}
// POST /sandbox/clock   {"advance":"3d"}
// POST /sandbox/approve {"BatchId":501}
// POST /sandbox/revoke  all tokens granted so far end
// POST /sandbox/forget  all faults that still wait
Reply control(const Request& request, std::string_view path, Controls controls);

}  // namespace sandbox
