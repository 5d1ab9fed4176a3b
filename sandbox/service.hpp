// The survey service's stand-in: an independent reading of the interface document. It shares
// nothing with mapping/. It can be served over a socket (server.hpp) or called in process: a test
// hands it a request and gets what would have come over the wire. Owner: main or the test.
// Thread-safe: handle() may be called from several threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sandbox {

using TimePoint = std::chrono::sys_time<std::chrono::microseconds>;
using Clock = std::function<TimePoint()>;

struct Request {
  std::string method;  // "GET"
  std::string target;  // path and query, percent-encoded
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

// What reaches the client.
struct Reply {
  // whole: all of it. cut: headers and half of the body, then the connection closes.
  // reset: no byte. hang: nothing until the client gives up.
  enum class Delivery { whole, cut, reset, hang } delivery = Delivery::whole;
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

// Something goes wrong with a request. Faults wait in order; each is used up by `times` requests
// that it fits.
struct Fault {
  std::string path;    // fits requests whose path contains it; empty: any
  std::string method;  // empty: any
  enum class Moment { before, after } moment = Moment::before;  // of processing
  enum class Kind { status, reset, cut, hang, body } kind = Kind::status;
  int status = 503;         // kind status
  std::string retry_after;  // kind status: the header's value; empty: none
  std::string body;         // kinds status and body (200 with this body instead)
  std::string content_type = "text/plain";
  int times = 1;
};

// A customer as the sandbox holds it, for tests that look at the service's side.
struct Held {
  std::int64_t id = 0;
  std::string email;
  std::vector<std::pair<std::string, std::string>> data;  // data column's name, value
  TimePoint transaction_date, created;
  bool test = false;
  int status_code = 0;
};

struct DataColumn {
  std::int64_t id;
  std::string name, display_name;
  bool required = false, archived = false;
};

struct Options {
  std::string token = "sandbox-token";  // the fixed bearer; empty: no authentication at all
  std::string client_id = "sandbox", client_secret = "sandbox-secret";  // of POST /oauth2/token
  std::chrono::seconds token_lifetime{3600};
  std::vector<DataColumn> columns;      // empty: a built-in set with OrderNumber, FirstName, …
  double lives_speed = 1;               // how many times faster than life customers live; 0: still
  std::uint64_t seed = 1;               // decides who answers what
  double requests_per_second = 0;       // 0: no limit; else a token bucket, 429 above it
  int burst = 20;                       // the bucket's size
  std::string retry_after = "seconds";  // with a 429: seconds | date | none | absurd
};

class Service {
 public:
  Service(Options options, Clock clock);
  ~Service();
  Reply handle(const Request& request);

  void inject(Fault fault);
  // The rest of the lives of all customers happens as the clock turns; nothing runs by itself.
  std::vector<Held> customers() const;
  std::int64_t requests() const;  // handled so far, faults included
  std::int64_t adds() const;      // customer/add processed (2xx or not, not faulted before)

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sandbox
