// The daemon's log. Levels tell what the operator must do: error = act, warn = recovered or will
// recover, info = lifecycle. Keys of transactions may be logged; addresses, names, answers and
// secrets never. Thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace surveybridge::daemon {

class Log {
 public:
  enum class Level { info, warn, error };
  virtual ~Log() = default;
  virtual void write(Level level, std::string_view text) = 0;

  void info(std::string_view text) { write(Level::info, text); }
  void warn(std::string_view text) { write(Level::warn, text); }
  void error(std::string_view text) { write(Level::error, text); }
};

// Writes to the journal with its priorities if systemd reads our standard error, otherwise to
// standard error with the time. Control characters are escaped: a message is one line.
std::unique_ptr<Log> open_log();

// Does systemd's journal read our standard error?
bool error_is_journal();

// `text` with control characters as \xNN, at most 2,000 bytes.
std::string one_line(std::string_view text);

// Reports the same trouble once, and once more when it is over.
class LogThrottle {
 public:
  LogThrottle(Log& log, std::string name) : log_(log), name_(std::move(name)) {}
  void report(Log::Level level, const std::string& text);
  void over();

 private:
  Log& log_;
  std::string name_;
  std::string last_;
};

}  // namespace surveybridge::daemon
