#include "sandbox/service.hpp"

#include <array>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "sandbox/control/control.hpp"
#include "sandbox/limits/gate.hpp"
#include "sandbox/limits/limit.hpp"
#include "sandbox/model/life.hpp"
#include "sandbox/operations/bodies.hpp"
#include "sandbox/operations/operations.hpp"
#include "sandbox/operations/tokens.hpp"
#include "sandbox/options/options.hpp"
#include "sandbox/page.hpp"
#include "sandbox/values/http.hpp"

namespace sandbox {
namespace {

using namespace std::chrono_literals;

// Bytes of a path with its query; a longer one is answered 414.
constexpr std::size_t kLongestTarget = 8192;

// The value of Retry-After; "": none.
std::string wait_text(std::chrono::microseconds wait, TimePoint now, const std::string& form) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait);
  if (form == "seconds") return std::to_string(seconds.count());
  if (form == "decimals")
    return fmt::format("{:.3f}", static_cast<double>(wait.count()) / 1e6 + 0.0005);
  if (form == "date") return write_http_date(now + wait + 999999us);
  if (form == "absurd") return "2147483647";
  return "";
}

// All limits that the options name.
std::vector<LimitSpec> limits_of(const Options& options) {
  std::vector<LimitSpec> all = options.limits;
  if (options.requests_per_second > 0) {
    LimitSpec bucket;
    bucket.count = std::max(1, options.burst);
    bucket.per_second = options.requests_per_second;
    all.push_back(bucket);
  }
  return all;
}

// Writes the state of the tightest limit, under the header names that the options choose.
void put_rate(Headers& headers, const Limits::Verdict& verdict, TimePoint now,
              const Options& options) {
  using Kind = Options::RateHeaders;
  if (options.rate_headers == Kind::none || verdict.limit == 0) return;
  const std::string prefix = options.rate_headers == Kind::ratelimit     ? "RateLimit-"
                             : options.rate_headers == Kind::x_ratelimit ? "X-RateLimit-"
                                                                         : "X-Rate-Limit-";
  const auto reset = std::chrono::ceil<std::chrono::seconds>(verdict.reset);
  const auto since_1970 = std::chrono::ceil<std::chrono::seconds>(now.time_since_epoch()) + reset;
  const bool absolute = options.rate_headers == Kind::x_ratelimit;
  headers.emplace_back(prefix + "Limit", std::to_string(verdict.limit));
  headers.emplace_back(prefix + "Remaining", std::to_string(verdict.remaining));
  headers.emplace_back(prefix + "Reset", std::to_string((absolute ? since_1970 : reset).count()));
}

// How long the answer tells the client to wait: whole seconds, or the wait itself; 0 if it says
// nothing.
std::chrono::microseconds wait_told(std::chrono::microseconds wait, const Options& options) {
  if (options.retry_after == "none") return 0us;
  return options.retry_after == "decimals" ? wait : std::chrono::ceil<std::chrono::seconds>(wait);
}

void put_wait(Headers& headers, std::chrono::microseconds wait, TimePoint now,
              const Options& options) {
  const std::string text = wait_text(wait, now, options.retry_after);
  if (!text.empty()) headers.emplace_back("Retry-After", text);
}

// A fault for a `share` of all requests: lost before or after processing, cut off, refused for a
// while, failed. The same seed draws the same faults. Never a hang: the client's time-out would
// decide how long a test takes.
std::optional<Fault> draw_fault(double share, std::uint64_t seed, std::int64_t request) {
  constexpr std::array<const char*, 9> kKinds = {"before:reset", "after:reset", "after:cut",
                                                 "before:500",   "after:500",   "before:503",
                                                 "after:503",    "after:504",   "before:408"};
  constexpr std::uint64_t kStrikes = 101, kWhich = 102;
  if (chance(seed, request, kStrikes) >= share) return std::nullopt;
  const double drawn = chance(seed, request, kWhich) * static_cast<double>(kKinds.size());
  return read_fault(kKinds[static_cast<std::size_t>(drawn)]);
}

}  // namespace

struct Service::Impl {
  Impl(Options given, Clock clock_given)
      : options(std::move(given)),
        clock(std::move(clock_given)),
        columns(options.columns.empty() ? built_in_columns() : options.columns),
        store(options),
        tokens(options),
        gate(std::make_shared<Gate>(limits_of(options))) {}

  const Options options;
  const Clock clock;
  const std::vector<DataColumn> columns;
  mutable std::mutex mutex;  // guards everything below
  Store store;
  Tokens tokens;
  Faults faults;
  std::shared_ptr<Gate> gate;
  Turned turned;
  std::int64_t requests = 0, adds = 0, refused = 0, impatient = 0;
  TimePoint told_to_wait{};  // the latest Retry-After

  TimePoint now() const { return clock() + turned.advanced; }

  Reply handle(const Request& request) {
    const TimePoint at = now();
    store.settle(at);
    const auto target = read_target(request.target);
    if (target && target->path == "/") return show_page(store, *target, at);
    if (target && is_control(target->path)) {
      return control(request, target->path,
                     {store, faults, tokens, gate, turned, at, requests, adds, refused, impatient});
    }
    return answer(request, target, at);
  }

  Reply answer(const Request& request, const std::optional<Target>& target, TimePoint at) {
    ++requests;
    auto fault = faults.take(request.method, target ? target->path : "");
    if (!fault) fault = draw_fault(options.chaos, options.seed, requests);
    Reply reply;
    const bool before = fault && fault->moment == Fault::Moment::before;
    if (!before) reply = target ? serve(request, *target, at) : say(failed(400), request);
    if (fault) reply = spoilt(*fault, std::move(reply));
    reply.gzip = options.gzip;
    reply.chunked = options.chunked;
    reply.delay = options.latency;
    return reply;
  }

  Reply serve(const Request& request, const Target& target, TimePoint at) {
    if (request.target.size() > kLongestTarget) return say(failed(414), request);
    if (target.path == "/oauth2/token") return tokens.grant(request, at);
    if (!tokens.admits(request, at)) {
      Reply reply = say(failed(401), request);
      reply.headers.emplace_back("WWW-Authenticate", "Bearer");
      return reply;
    }
    const bool write = request.method != "GET";
    if (at < told_to_wait) ++impatient;
    const auto verdict = gate->ask(write, at);
    if (is_add(target.path) && write && verdict.allowed) ++adds;
    const World world{options, columns, store, at, turned.cursors_since};
    Reply reply = say(verdict.allowed ? route(world, request, target) : failed(429), request);
    if (verdict.allowed) reply.place = gate->place(write);
    if (!verdict.allowed) {
      ++refused;
      put_wait(reply.headers, verdict.wait, at, options);
      told_to_wait = std::max(told_to_wait, at + wait_told(verdict.wait, options));
    }
    put_rate(reply.headers, verdict, at, options);
    return reply;
  }

  Reply say(const Outcome& outcome, const Request& request) const {
    return write_outcome(outcome, format_of_answer(request), options);
  }
};

Service::Service(Options options, Clock clock)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(clock))) {}

Service::~Service() = default;

Reply Service::handle(const Request& request) {
  const std::lock_guard lock(impl_->mutex);
  return impl_->handle(request);
}

void Service::inject(Fault fault) {
  const std::lock_guard lock(impl_->mutex);
  impl_->faults.add(std::move(fault));
}

std::vector<Held> Service::customers() const {
  const std::lock_guard lock(impl_->mutex);
  const TimePoint now = impl_->now();
  impl_->store.settle(now);
  std::vector<Held> all;
  for (const Customer& customer : impl_->store.customers()) {
    Held& held = all.emplace_back();
    held.id = customer.id;
    held.email = customer.in.email.value_or("");
    for (const DataValue& data : customer.in.data) {
      held.data.emplace_back(data.name, data.value.value_or(""));
    }
    held.transaction_date = customer.in.transaction_date;
    held.created = customer.created;
    held.test = impl_->store.batch_of(customer).test;
    held.status_code = static_cast<int>(customer.life.status(now));
    held.original = customer.original;
  }
  return all;
}

std::int64_t Service::requests() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->requests;
}

std::int64_t Service::adds() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->adds;
}

}  // namespace sandbox
