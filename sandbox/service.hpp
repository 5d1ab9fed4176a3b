// The survey service's stand-in: an independent reading of docs/SERVICE.md. It shares
// nothing with mapping/. It can be served over a socket (server.hpp) or called in process: a test
// hands it a request and gets what would have come over the wire. Owner: main or the test.
// Thread-safe: handle() may be called from several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/faults/fault.hpp"
#include "sandbox/http/http.hpp"
#include "sandbox/options/options.hpp"
#include "sandbox/values/time.hpp"

namespace sandbox {

// A customer as the sandbox holds it, for tests that look at the service's side.
struct Held {
  std::int64_t id = 0;
  std::string email;
  std::vector<std::pair<std::string, std::string>> data;  // data column's name, value
  TimePoint transaction_date, created;
  bool test = false;
  int status_code = 0;
  std::int64_t original = 0;  // not 0: the service's own second feedback on that customer
};

class Service {
 public:
  Service(Options options, Clock clock);
  ~Service();
  Reply handle(const Request& request);

  void inject(Fault fault);
  // The rest of the lives of all customers happens as the clock turns; nothing runs by itself.
  std::vector<Held> customers() const;
  std::int64_t requests() const;  // handled so far, faults included; control paths are not
  std::int64_t adds() const;      // customer/add processed (2xx or not, not faulted before)

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sandbox
