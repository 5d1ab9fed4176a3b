// The lanes of the status server: answers of one lane are made one after the other, in a thread of
// their own, and wait for no other lane.
#pragma once

#include <string_view>

namespace surveybridge::daemon {

enum class StatusLane {
  memory,  // needs nothing but memory: is answered at once, in the server's thread
  ready,
  metrics,
  pages,
  report,
};

// By the path of a request: "/health", "/quarantine?page=2".
StatusLane lane_of(std::string_view target);

}  // namespace surveybridge::daemon
