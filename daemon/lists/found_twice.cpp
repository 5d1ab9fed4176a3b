#include "daemon/lists/found_twice.hpp"

#include "daemon/job/command_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/job/log_events.hpp"

namespace surveybridge::daemon {

void tell_found_twice(Log& log, const std::string& job, const std::string& push,
                      std::int64_t transactions, const std::string& first,
                      const std::string& file) {
  log.error(counted(transactions, "transaction") + " of push \"" + push +
                "\" at the service MORE THAN ONCE; the first: see `" +
                explain_command(first, file) + "`",
            {.job = job, .key = first, .event = &kTwice});
}

void tell_sightings(Log& log, const std::string& job, const std::string& push,
                    const crm::Ledger::SightingResult& result, const std::string& file) {
  if (result.arrived > 0) {
    log.error(counted(result.arrived, "transaction") + " of push \"" + push +
                  "\" were thought unsent and are at the service after all; the first:"
                  " see `" +
                  explain_command(result.first_arrived, file) + "`",
              {.job = job, .key = result.first_arrived});
  }
  if (result.doubts > 0)
    log.info(counted(result.doubts, "row") + " in doubt had arrived", {.job = job});
  if (result.twice > 0) tell_found_twice(log, job, push, result.twice, result.first_twice, file);
}

}  // namespace surveybridge::daemon
