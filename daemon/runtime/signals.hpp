// SIGTERM and SIGINT as something to wait for; SIGPIPE is ignored. Made in main's thread before any
// other thread, so that every thread inherits the block and only wait() sees them.
#pragma once

#include <chrono>

namespace surveybridge::daemon {

class Signals {
 public:
  Signals();
  // Waits up to `longest`; true: the process is to stop.
  bool wait(std::chrono::microseconds longest);
};

// For the daemon, which SIGHUP asks to read its configuration again: it cannot do that yet, and
// must not end instead. A command ends with its terminal.
void ignore_hangup();

}  // namespace surveybridge::daemon
