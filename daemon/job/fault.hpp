// Who must act on a failure: nobody (the service is tried again), the engineer, or a person. Pure.
#pragma once

#include <string_view>

#include "connectors/service/outcome.hpp"
#include "daemon/job/job.hpp"
#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

inline JobStatus::Fault fault_of(service::Trouble::Kind kind) {
  using Kind = service::Trouble::Kind;
  switch (kind) {
    case Kind::unauthorized:
    case Kind::forbidden:
    case Kind::misplaced:
      return JobStatus::Fault::configuration;
    case Kind::rejected:
      return JobStatus::Fault::person;
    case Kind::too_many:
      return JobStatus::Fault::throttled;
    case Kind::unavailable:
    case Kind::malformed:
    case Kind::stopped:
      break;
  }
  return JobStatus::Fault::unreachable;
}

// May a later attempt succeed though nobody changes anything?
inline bool is_temporary(JobStatus::Fault fault) {
  return fault == JobStatus::Fault::unreachable || fault == JobStatus::Fault::throttled;
}

// How the trouble begins that the database has caused.
inline constexpr std::string_view kOfDatabase = "database: ";

// How a trouble goes on that names a row by its key, to its end. Messages of [alert] leave that
// out.
inline constexpr std::string_view kLikeKey = ", like \"";

inline bool is_of_database(const JobStatus& status) {
  return status.trouble.starts_with(kOfDatabase);
}

inline Log::Level level_of(JobStatus::Fault fault) {
  const bool act = fault == JobStatus::Fault::person || fault == JobStatus::Fault::configuration;
  return act ? Log::Level::error : Log::Level::warn;
}

}  // namespace surveybridge::daemon
