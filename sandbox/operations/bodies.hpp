// The format of bodies: of the request, by content type or first byte; of the answer, by the Accept
// header. Pure.
#pragma once

#include "sandbox/body/json.hpp"
#include "sandbox/operations/operations.hpp"
#include "sandbox/values/http.hpp"

namespace sandbox {

enum class Format { json, xml };

// nullopt: a content type that the service does not accept (415).
std::optional<Format> format_of_body(const Request& request);
// JSON if the client accepts anything or says nothing.
Format format_of_answer(const Request& request);

ParseResult read_body(std::string_view body, Format format, const Options& options);

// The reply for an operation's outcome, errors included.
Reply write_outcome(const Outcome& outcome, Format format, const Options& options);

}  // namespace sandbox
