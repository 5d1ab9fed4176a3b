// The events that a program may wait for in the log: each has an id that never changes (MESSAGE_ID
// of the journal) and a name. The wording of its messages may change. docs/RUNBOOK.md lists them.
#pragma once

#include <array>
#include <string_view>

namespace surveybridge::daemon {

struct LogEvent {
  std::string_view message_id;  // 128 bits, hexadecimal
  std::string_view name;        // "event" of a JSON line
  std::string_view meaning;
};

inline constexpr LogEvent kStarted{"3d29493e88ee4158b138b053d8f9351b", "started",
                                   "the daemon has begun its jobs, at its start or after a reload"};
inline constexpr LogEvent kStopped{"712873e467b54b429a078e79c897f25e", "stopped",
                                   "the daemon has ended every job, as it was told"};
inline constexpr LogEvent kRefusedConfiguration{
    "d4e59dbace7d439599290c72c3ebd63b", "configuration refused",
    "a configuration is wrong: at a start the daemon ends, at a reload the old one stays"};
inline constexpr LogEvent kTrouble{"fb17528d3ada412ea74d8d0f1564bc4e", "trouble",
                                   "a job cannot go on; it tries again, or waits for a person"};
inline constexpr LogEvent kWorksAgain{"812365496c334f18808a8d116249a0a0", "works again",
                                      "a job's trouble is over"};
inline constexpr LogEvent kStuck{"837313eb4751494287be988264a17c00", "stuck",
                                 "a job is in one step, or in one statement, for too long"};
inline constexpr LogEvent kQuarantined{"7630cfa1ca3849a6ae520f0c8e1392f0", "quarantined",
                                       "rows cannot be sent and wait for a person"};
inline constexpr LogEvent kHeld{"7c2e082b5c064a68886788bd5436e6fc", "held",
                                "rows that may or may not have arrived wait for a person"};
inline constexpr LogEvent kTwice{"80a33272065748448abb7efbcbe8cdc7", "twice",
                                 "the service lists a transaction more than once"};

inline constexpr std::array kLogEvents{&kStarted,     &kStopped,    &kRefusedConfiguration,
                                       &kTrouble,     &kWorksAgain, &kStuck,
                                       &kQuarantined, &kHeld,       &kTwice};

}  // namespace surveybridge::daemon
