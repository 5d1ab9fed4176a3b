// Which operation a path and method mean (docs/SERVICE.md 3 and 4), and its outcome.
#pragma once

#include "sandbox/http/http.hpp"
#include "sandbox/operations/operations.hpp"

namespace sandbox {

// Whether this is customer/add by its path.
bool is_add(std::string_view path);

Outcome route(World world, const Request& request, const Target& target);

// An outcome that is a status alone.
Outcome failed(int status);

}  // namespace sandbox
