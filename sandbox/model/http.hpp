// Requests and replies (http/) under the names that the stand-in uses for them.
#pragma once

#include "http/message.hpp"
#include "http/target.hpp"

namespace sandbox {

using http::header;
using http::Headers;
using http::lower_case;
using http::Parameter;
using http::read_form;
using http::read_target;
using http::Reply;
using http::Request;
using http::same_ignoring_case;
using http::Target;

}  // namespace sandbox
