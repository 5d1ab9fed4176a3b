// A message of the log, as the journal and as other readers take it. Pure.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

// "push.orders: 3 rows quarantined"
std::string line_of(std::string_view text, const LogFields& fields);

// "NAME=value" for sd_journal_sendv: MESSAGE, PRIORITY, SYSLOG_IDENTIFIER, and as far as they are
// known SURVEYBRIDGE_JOB, SURVEYBRIDGE_KEY, SURVEYBRIDGE_BATCH and MESSAGE_ID.
std::vector<std::string> journal_fields(Log::Level level, std::string_view text,
                                        const LogFields& fields);

// {"time":"2026-11-22T20:15:03.123Z","level":"warn","message":"…","job":"push.orders",…}: members
// "job", "key", "batch", "event" and "message_id" only where they are known. "level" is info, warn
// or error.
std::string json_line(std::chrono::sys_time<std::chrono::milliseconds> at, Log::Level level,
                      std::string_view text, const LogFields& fields);

}  // namespace surveybridge::daemon
