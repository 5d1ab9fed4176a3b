// The survey service's stand-in, written from docs/SERVICE.md. It shares no code with
// mapping/. It is served over a socket (http/server.hpp) or called in process: a test passes
// a request and gets the reply. Thread-safe: handle() may be called from several
// threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/model/fault.hpp"
#include "sandbox/model/http.hpp"
#include "sandbox/model/options.hpp"
#include "sandbox/model/time.hpp"

namespace sandbox {

// A stored customer, for tests that look at the service's side.
struct Held {
  std::int64_t id = 0;
  std::string email;
  std::vector<std::pair<std::string, std::string>> data;  // data column's name, value
  TimePoint transaction_date, created;
  bool test = false;
  int status_code = 0;
  std::int64_t original = 0;  // the customer whose second feedback this is; 0: none
};

class Service {
 public:
  Service(Options options, Clock clock);
  ~Service();
  Reply handle(const Request& request);

  void inject(Fault fault);
  // All customers at the clock's present time; events depend on the clock only.
  std::vector<Held> customers() const;
  std::int64_t requests() const;  // handled so far, also faults; control paths do not count
  std::int64_t adds() const;      // customer/add processed (2xx or not, not faulted before)

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sandbox
