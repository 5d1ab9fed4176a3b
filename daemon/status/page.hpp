// The status page. Pure. It contains no address, name or answer, because its input has none.
#pragma once

#include <string>
#include <vector>

#include "daemon/status/needs.hpp"
#include "daemon/status/page_session.hpp"
#include "daemon/status/report.hpp"

namespace surveybridge::daemon {

// What the page says of the process.
struct AboutDaemon {
  std::string version, host;
  Duration uptime{0};     // since the start of the process
  std::string file = {};  // its configuration
  bool refused = false;   // what was read for the last reload: the one before is in force
};

// A sentence; of one that answers as of one that is away.
const char* text_of(DatabaseState state);

// One HTML page without scripts that reloads itself every ten seconds: a verdict, what needs a
// person, the jobs, the tables. `report` null: only what is in memory; `database` says why.
std::string page_of(const StatusReport* report, const std::vector<JobState>& jobs,
                    const AboutDaemon& about, DatabaseState database = DatabaseState::away);

}  // namespace surveybridge::daemon
