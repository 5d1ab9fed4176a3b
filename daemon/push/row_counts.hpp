// Tells the metrics what became of rows of a push.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/metrics/recorder.hpp"

namespace surveybridge::daemon {

// Verdicts that the ledger has stored. `sent`: the word for rows that are at the service.
void count_rows(Recorder& recorder, const std::string& push,
                const std::vector<crm::Ledger::Verdict>& verdicts,
                std::string_view sent = row_outcome::kSent);

}  // namespace surveybridge::daemon
