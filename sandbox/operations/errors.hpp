// The body of a refusal in each shape that services of this kind use. Pure.
#pragma once

#include <optional>

#include "sandbox/operations/bodies.hpp"

namespace sandbox {

std::string_view message_of(int status);

// Content type and body for an outcome with a status above 399.
struct ErrorBody {
  std::string type, text;  // both empty: no body
};
ErrorBody write_error(const Outcome& outcome, Format format, const Options& options);

}  // namespace sandbox
