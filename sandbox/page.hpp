// The page at /: batches, customers and their lives, for a person. Plain HTML without scripts; all
// that came from outside is escaped.
#pragma once

#include "sandbox/http/http.hpp"
#include "sandbox/http/target.hpp"
#include "sandbox/lists/store.hpp"

namespace sandbox {

// "?customer=ID" shows one life; else the latest batches, and customers "?after=ID" on.
Reply show_page(const Store& store, const Target& target, TimePoint now);

}  // namespace sandbox
