// Messages to systemd (sd_notify): ready, status, stopping, alive. Does nothing without systemd.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace surveybridge::daemon {

void notify_ready();
void notify_reloading();  // until notify_ready()
void notify_status(const std::string& text);
void notify_stopping();
void notify_alive();
// How often systemd expects a sign of life (WATCHDOG_USEC); empty: never.
std::optional<std::chrono::microseconds> watchdog_interval();

}  // namespace surveybridge::daemon
