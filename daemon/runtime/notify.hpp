// What systemd hears from us (sd_notify): ready, status, stopping, alive. Silent without systemd.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace surveybridge::daemon {

void notify_ready();
void notify_status(const std::string& text);
void notify_stopping();
void notify_alive();
// How often systemd wants to hear that we live (WATCHDOG_USEC); empty: never.
std::optional<std::chrono::microseconds> watchdog_interval();

}  // namespace surveybridge::daemon
