// Whose turn it is when something does not work: the service's, the engineer's, a person's. Pure.
#pragma once

#include "connectors/service/outcome.hpp"
#include "daemon/job.hpp"
#include "daemon/process/log.hpp"

namespace surveybridge::daemon {

inline Standing::Fault fault_of(service::Trouble::Kind kind) {
  using Kind = service::Trouble::Kind;
  switch (kind) {
    case Kind::unauthorized:
    case Kind::forbidden:
    case Kind::misplaced:
      return Standing::Fault::configuration;
    case Kind::rejected:
      return Standing::Fault::person;
    case Kind::too_many:
    case Kind::unavailable:
    case Kind::malformed:
    case Kind::stopped:
      break;
  }
  return Standing::Fault::unreachable;
}

inline Log::Level level_of(Standing::Fault fault) {
  const bool act = fault == Standing::Fault::person || fault == Standing::Fault::configuration;
  return act ? Log::Level::error : Log::Level::warn;
}

}  // namespace surveybridge::daemon
