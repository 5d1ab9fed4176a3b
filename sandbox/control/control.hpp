// The paths by which a test from outside turns the stand-in's clock, breaks its answers and looks
// at what it holds: /sandbox/…. They are no part of the service and need no token.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sandbox/body/fields.hpp"
#include "sandbox/faults/fault.hpp"
#include "sandbox/limits/gate.hpp"
#include "sandbox/lists/store.hpp"
#include "sandbox/operations/tokens.hpp"

namespace sandbox {

// What control paths turn.
struct Turned {
  std::chrono::microseconds advanced{0};  // of the clock
  TimePoint cursors_since{};              // cursors given before are forgotten
};

struct Controls {
  Store& store;
  Faults& faults;
  Tokens& tokens;
  std::shared_ptr<Gate>& gate;
  Turned& turned;
  TimePoint now;
  std::int64_t requests, adds;
  std::int64_t refused, impatient;  // 429s, and requests that came inside one's Retry-After
};

bool is_control(std::string_view path);

// GET  /sandbox/customers                  what is held, as JSON
// GET  /sandbox/state                      counts and the time
// POST /sandbox/fault   {"moment":"after","kind":"reset","path":"customer/add","times":3, …}
//                       or {"fault":"after:reset:customer/add:3"}
// POST /sandbox/clock   {"advance":"3d"}
// POST /sandbox/approve {"BatchId":501}
// POST /sandbox/limits  {"limits":["bucket:10/s"]}, instead of those before
// POST /sandbox/revoke  all tokens granted so far end
// POST /sandbox/cursors all cursors given so far expire
// POST /sandbox/forget  all faults that still wait
Reply control(const Request& request, std::string_view path, Controls controls);

// The fault that the body of POST /sandbox/fault describes; with findings it counts for nothing.
Fault read_fault_members(Fields& in);

}  // namespace sandbox
