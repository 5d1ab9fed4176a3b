// The status page. Pure. It contains no address, name or answer, because its input has none.
#pragma once

#include <string>

#include "daemon/status/needs.hpp"
#include "daemon/status/page_session.hpp"
#include "daemon/status/report.hpp"

namespace surveybridge::daemon {

// A sentence; of one that answers as of one that is away.
const char* state_sentence(DatabaseState state);

// One HTML page without scripts that reloads itself every ten seconds: a verdict, what needs a
// person, the jobs, the tables. `report` null: only what is in memory; `database` says why.
std::string page_of(const StatusReport* report, const DaemonState& daemon,
                    DatabaseState database = DatabaseState::away);

}  // namespace surveybridge::daemon
