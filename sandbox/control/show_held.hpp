// The stored customers, for a test from outside: every field as it was stored, with names of its
// own. Pure.
#pragma once

#include "sandbox/lists/store.hpp"
#include "sandbox/values/node.hpp"

namespace sandbox {

// {"customers":[{"id":…,"email":…,"data":{"OrderNumber":"…"},"transaction_date":…, …}]}
Object show_all_held(const Store& store, TimePoint now);

}  // namespace sandbox
