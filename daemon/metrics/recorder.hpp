// What the daemon tells of its work while it works. Here nobody listens: tests and commands need no
// metrics. registry.hpp counts. Names are those of jobs, pushes, lists and walks, never a key, an
// address or a URL. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

class Recorder {
 public:
  virtual ~Recorder() = default;

  struct RequestEnd {
    std::string_view operation;  // of recorded_transport.hpp
    std::string_view code;       // the HTTP status, or why there is none
    Duration took{0};
    std::size_t sent = 0, received = 0;  // bytes of the bodies, decoded
  };
  virtual void request(const RequestEnd& /*request*/) {}
  // When the service's certificate ends, in seconds since 1970.
  virtual void certificate(std::int64_t /*ends*/) {}
  // A job has waited before its request could leave, or for a session of the database.
  virtual void waited(std::string_view /*cause*/, Duration /*time*/) {}
  // What became of rows of a push; an outcome is a word of row_outcome.hpp.
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
