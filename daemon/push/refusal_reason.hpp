// The reason of a row that the service refused. It ends with the service's words, which may quote
// the row; whoever shows reasons to more than the person at the row's command cuts them off. Pure.
#pragma once

#include <string>
#include <string_view>

#include "connectors/crm/schema/ledger_words.hpp"

namespace surveybridge::daemon {

using crm::kRefusedByService;

std::string refusal_reason(std::string_view words);
std::string without_service_words(std::string_view reason);

}  // namespace surveybridge::daemon
