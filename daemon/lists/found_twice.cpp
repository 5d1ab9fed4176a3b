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

}  // namespace surveybridge::daemon
