// The page at /: batches and customers, for a person. Plain HTML without scripts; everything from
// outside is escaped.
#pragma once

#include "sandbox/lists/store.hpp"
#include "sandbox/values/http.hpp"

namespace sandbox {

// "?customer=ID" shows one customer; otherwise the latest batches, and customers after "?after=ID".
Reply show_page(const Store& store, const Target& target, TimePoint now);

}  // namespace sandbox
