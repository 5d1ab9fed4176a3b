// What the daemon tells of its work while it works. Here nobody listens: tests and commands need no
// metrics. registry.hpp counts. Names are those of jobs, pushes, lists and walks, never a key, an
// address or a URL. Thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// What became of a row of a push.
namespace row_outcome {
inline constexpr std::string_view kSent = "sent", kNotSent = "not_sent", kInDoubt = "in_doubt",
                                  kHeld = "held", kQuarantined = "quarantined",
                                  kSuppressed = "suppressed", kDelayed = "delayed",
                                  kFound = "found";
}  // namespace row_outcome

// Sent, certainly not sent (it goes again), perhaps sent, a person decides; set aside for ever or
// for a time; found at the service after a doubt.
inline constexpr std::array kRowOutcomes = {row_outcome::kSent,        row_outcome::kNotSent,
                                            row_outcome::kInDoubt,     row_outcome::kHeld,
                                            row_outcome::kQuarantined, row_outcome::kSuppressed,
                                            row_outcome::kDelayed,     row_outcome::kFound};

class Recorder {
 public:
  virtual ~Recorder() = default;

  struct RequestEnd {
    std::string_view operation;  // of daemon/pace/transport.hpp
    std::string_view code;       // the HTTP status, or why there is none
    Duration took{0};
    std::size_t sent = 0, received = 0;  // bytes of the bodies, decoded
  };
  virtual void request(const RequestEnd& /*request*/) {}
  // When the service's certificate ends, in seconds since 1970.
  virtual void certificate(std::int64_t /*ends*/) {}
  // A job has waited before its request could leave, or for a session of the database.
  virtual void waited(std::string_view /*cause*/, Duration /*time*/) {}
  // What became of rows of a push; an outcome is a word of row_outcome.
  virtual void rows(std::string_view /*push*/, std::string_view /*outcome*/,
                    std::int64_t /*count*/) {}
  // A page of a list was stored; with so many records.
  virtual void page(std::string_view /*list*/, std::string_view /*walk*/, std::size_t /*records*/) {
  }
  virtual void database_call(std::string_view /*job*/, Duration /*took*/, bool /*failed*/) {}
  // `succeeded`: the job has no trouble after it, or works in spite of it.
  virtual void step(std::string_view /*job*/, Duration /*took*/, bool /*succeeded*/) {}
};

// The one that nobody listens to.
inline Recorder& no_recorder() {
  static Recorder silent;
  return silent;
}

}  // namespace surveybridge::daemon
