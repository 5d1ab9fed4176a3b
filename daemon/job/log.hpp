// Where the daemon says what happens. Levels by what the operator must do: error = act, warn =
// recovered or will recover, info = lifecycle. Keys of transactions may be said; addresses, names,
// answers and secrets never. Thread-safe.
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

// To the journal with its priorities when systemd reads our standard error, else to standard error
// with the time. Control characters are escaped: a line is one line.
std::unique_ptr<Log> open_log();

// `text` with control characters as \xNN, at most 2,000 bytes.
std::string one_line(std::string_view text);

// Says the same trouble once, not every second, and once more when it is over.
class LogThrottle {
 public:
  LogThrottle(Log& log, std::string name) : log_(log), name_(std::move(name)) {}
  void settle_listed(Log::Level level, const std::string& text);
  void over();

 private:
  Log& log_;
  std::string name_;
  std::string last_;
};

}  // namespace surveybridge::daemon
