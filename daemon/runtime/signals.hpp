// SIGTERM, SIGINT and for the daemon SIGHUP as something to wait for; SIGPIPE is ignored. Made in
// main's thread before any other thread, so that every thread inherits the block and only wait()
// sees them.
#pragma once

#include <chrono>

namespace surveybridge::daemon {

class Signals {
 public:
  // A command ends with its terminal; the daemon is asked by SIGHUP to read its configuration.
  enum class For { command, daemon };
  enum class Told { nothing, stop, reload };

  explicit Signals(For whom = For::command);
  // Waits up to `longest` for what the process is told.
  Told told(std::chrono::microseconds longest);
  // The same for a command; true: the process is to stop.
  bool wait(std::chrono::microseconds longest) { return told(longest) == Told::stop; }

 private:
  For whom_;
};

}  // namespace surveybridge::daemon
