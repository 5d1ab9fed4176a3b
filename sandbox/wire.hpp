// A reply as bytes of HTTP/1.1. Pure.
#pragma once

#include <string>

#include "sandbox/http.hpp"

namespace sandbox {

std::string write_head(const Reply& reply, bool keep_alive);

}  // namespace sandbox
