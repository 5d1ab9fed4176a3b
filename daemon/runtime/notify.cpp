#include "daemon/runtime/notify.hpp"

#include <cstdint>
#include <ctime>

#include <systemd/sd-daemon.h>

#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

void notify_ready() {
  sd_notify(0, "READY=1");
}

void notify_reloading() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto microseconds = static_cast<std::int64_t>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
  sd_notify(0, ("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds)).c_str());
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
