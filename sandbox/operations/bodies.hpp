// Bodies in the client's format: what it sent, by content type or first byte; what it gets, by its
// Accept header. Pure.
#pragma once

#include "sandbox/body/json.hpp"
#include "sandbox/http/http.hpp"
#include "sandbox/operations/operations.hpp"

namespace sandbox {

enum class Format { json, xml };

// nullopt: a content type that the service does not take (415).
std::optional<Format> format_of_body(const Request& request);
// JSON where the client does not say or takes anything.
Format format_of_answer(const Request& request);

ParseResult read_body(std::string_view body, Format format, const Options& options);

// The reply for what an operation said, errors included.
Reply write_outcome(const Outcome& outcome, Format format, const Options& options);

}  // namespace sandbox
