// A fault of a request, ordered by a test. Faults wait in order; each is used
// up by `times` requests that match it. Not thread-safe: Service guards it.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sandbox/model/http.hpp"

namespace sandbox {

struct Fault {
  std::string path;  // matches requests whose path contains it; empty: any
  enum class Moment { before, after } moment = Moment::before;  // of processing
  enum class Kind { status, reset, cut, hang, body } kind = Kind::status;
  int status = 503;  // kind status
  std::string body;  // kinds status and body (200 with this body instead)
  std::string content_type = "text/plain";
  int times = 1;
};

// "MOMENT:KIND[:PATH[:TIMES]]", e.g. "after:reset:customer/add:3" or "before:503"; KIND is reset,
// cut, hang, html (a gateway's page with 200) or a status code. nullopt: not a fault.
std::optional<Fault> read_fault(std::string_view text);

class Faults {
 public:
  void add(Fault fault) { waiting_.push_back(std::move(fault)); }
  void clear() { waiting_.clear(); }

  // The first fault that matches; one of its times is used up.
  std::optional<Fault> take(std::string_view path);

 private:
  std::deque<Fault> waiting_;
};

// What the client gets instead of `reply`. For a fault before processing there is no reply yet.
Reply spoilt(const Fault& fault, Reply reply);

}  // namespace sandbox
