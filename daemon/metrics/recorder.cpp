#include "daemon/metrics/recorder.hpp"

namespace surveybridge::daemon {

Recorder& no_recorder() {
  static Recorder silent;
  return silent;
}

}  // namespace surveybridge::daemon
