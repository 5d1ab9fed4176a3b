#include "daemon/runtime/notify.hpp"

#include <cstdint>

#include <systemd/sd-daemon.h>

#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

void notify_ready() {
  sd_notify(0, "READY=1");
}

void notify_status(const std::string& text) {
  sd_notify(0, ("STATUS=" + one_line(text)).c_str());
}

void notify_stopping() {
  sd_notify(0, "STOPPING=1");
}

void notify_alive() {
  sd_notify(0, "WATCHDOG=1");
}

std::optional<std::chrono::microseconds> watchdog_interval() {
  std::uint64_t microseconds = 0;
  if (sd_watchdog_enabled(0, &microseconds) <= 0) return std::nullopt;
  return std::chrono::microseconds{microseconds};
}

}  // namespace surveybridge::daemon
