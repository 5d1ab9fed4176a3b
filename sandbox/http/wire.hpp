// A reply as bytes of HTTP/1.1. Pure.
#pragma once

#include <string>

#include "sandbox/http/http.hpp"

namespace sandbox {

// The whole reply, in chunks if it says so; a reply that is cut ends in the middle.
std::string write_reply(const Reply& reply, bool keep_alive);

}  // namespace sandbox
