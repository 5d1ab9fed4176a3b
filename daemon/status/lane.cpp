#include "daemon/status/lane.hpp"

#include "daemon/status/report_route.hpp"

namespace surveybridge::daemon {

StatusLane lane_of(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (path == "/health") return StatusLane::memory;
  if (path == "/ready") return StatusLane::ready;
  if (path == "/metrics") return StatusLane::metrics;
  return path == ReportRoute::kPath ? StatusLane::report : StatusLane::pages;
}

}  // namespace surveybridge::daemon
