// The paths /sandbox/… with which a test from outside moves the stand-in's clock, orders faults and
// reads what it stores. They are no part of the service and need no token.
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

// What the control paths change.
struct Turned {
  std::chrono::microseconds advanced{0};  // of the clock
  TimePoint cursors_since{};              // cursors issued before this are unknown
};

struct Controls {
  Store& store;
  Faults& faults;
  Tokens& tokens;
  std::shared_ptr<Gate>& gate;
  Turned& turned;
  TimePoint now;
  std::int64_t requests, adds;
  std::int64_t refused, impatient;  // 429s, and requests sent before the Retry-After was over
};

bool is_control(std::string_view path);

// GET  /sandbox/customers                  what is stored, as JSON
// GET  /sandbox/state                      counts and the time
// POST /sandbox/fault   {"moment":"after","kind":"reset","path":"customer/add","times":3, …}
//                       or {"fault":"after:reset:customer/add:3"}
// POST /sandbox/clock   {"advance":"3d"}
// POST /sandbox/approve {"BatchId":501}
// POST /sandbox/limits  {"limits":["bucket:10/s"]}, replaces the limits
// POST /sandbox/revoke  ends all tokens granted so far
// POST /sandbox/cursors ends all cursors issued so far
// POST /sandbox/forget  drops all faults that still wait
Reply control(const Request& request, std::string_view path, Controls controls);

// The fault that the body of POST /sandbox/fault describes; not used if there are findings.
Fault read_fault_members(Fields& in);

}  // namespace sandbox
