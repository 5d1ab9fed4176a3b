// SIGTERM and SIGINT as something to wait for. Made in main's thread before any other thread is, so
// that every thread inherits the block and only wait() sees them.
#pragma once

#include <chrono>

namespace surveybridge::daemon {

class Signals {
 public:
  Signals();
  // Waits up to `longest`; true: the process is to stop.
  bool wait(std::chrono::microseconds longest);
};

}  // namespace surveybridge::daemon
