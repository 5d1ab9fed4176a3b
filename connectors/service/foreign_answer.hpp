// Whether a 2xx answer to an add is plausibly the service's own. A sign-in page, a proxy's page or
// a file says nothing about whether the add was processed. Pure.
#pragma once

#include <string>
#include <string_view>

#include "connectors/service/transport.hpp"

namespace surveybridge::service {

// Why the answer is not plausibly the service's: "HTTP 200 with text/html is not an answer of this
// service"; empty: it is. `base_url`: the service's, for `Location`; empty: not compared. An empty
// body is plausible with any content type. Nothing of the body and headers is repeated, but the
// host that `Location` names.
std::string why_foreign(const Response& response, std::string_view base_url);

}  // namespace surveybridge::service
