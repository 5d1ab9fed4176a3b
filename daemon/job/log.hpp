// The daemon's log. Levels tell what the operator must do: error = act, warn = recovered or will
// recover, info = lifecycle. Keys of transactions may be logged; addresses, names, answers and
// secrets never. Thread-safe.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace surveybridge::daemon {

struct LogEvent;  // log_events.hpp

// What a line is about, for whoever filters lines; empty: nothing of this kind.
struct LogFields {
  std::string job = {};    // "push.orders"; the line begins with it
  std::string key = {};    // of a transaction
  std::string batch = {};  // its id
  const LogEvent* event = nullptr;
};

class Log {
 public:
  enum class Level { info, warn, error };
  virtual ~Log() = default;
  virtual void write(Level level, std::string_view text, const LogFields& fields) = 0;

  void info(std::string_view text, const LogFields& fields = {}) {
    write(Level::info, text, fields);
  }
  void warn(std::string_view text, const LogFields& fields = {}) {
    write(Level::warn, text, fields);
  }
  void error(std::string_view text, const LogFields& fields = {}) {
    write(Level::error, text, fields);
  }
};

enum class LogFormat {
  automatic,  // to the journal with fields, if systemd reads our standard error; else as text
  text,       // to standard error, each line with its time and the offset from UTC
  json,       // to standard error, one object a line (json_line)
};
// A message is one line, whatever its text holds.
std::unique_ptr<Log> open_log(LogFormat format = LogFormat::automatic);

// Does systemd's journal read our standard error?
bool error_is_journal();

// `text` with control characters, also those beyond ASCII, and marks that turn or hide text as
// \xNN, at most 2,000 bytes; of a text that is not UTF-8 every byte above 0x7f too.
std::string one_line(std::string_view text);

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
