// The names by which requests are counted: a few words, never a URL or a text of the service. Pure.
#pragma once

#include <string>
#include <string_view>

#include "config/settings.hpp"
#include "connectors/service/transport.hpp"

namespace surveybridge::daemon {

// "add", "columns", "statuses", "token", the name of a list ("customers"), or "other".
std::string_view operation_of(std::string_view url, const config::Service& service);

// The status ("200"), or "connection", "timeout", "incomplete", "too_large", "stopped"; "other" for
// a number that is no HTTP status.
std::string code_of(const service::Exchange& exchange);

}  // namespace surveybridge::daemon
