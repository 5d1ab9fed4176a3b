// Finds the operation for a path and method (docs/SERVICE.md 3 and 4) and runs it.
#pragma once

#include "sandbox/operations/operations.hpp"
#include "sandbox/values/http.hpp"

namespace sandbox {

// Is this the path of customer/add?
bool is_add(std::string_view path);

Outcome route(World world, const Request& request, const Target& target);

// An outcome that is only a status.
Outcome failed(int status);

}  // namespace sandbox
