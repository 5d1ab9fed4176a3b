#include "sandbox/service.hpp"

#include <mutex>

#include "sandbox/control/control.hpp"
#include "sandbox/faults/chaos.hpp"
#include "sandbox/faults/throttle.hpp"
#include "sandbox/limits/gate.hpp"
#include "sandbox/operations/bodies.hpp"
#include "sandbox/operations/router.hpp"
#include "sandbox/page.hpp"

namespace sandbox {

// Bytes of a path with its query; a longer one is answered 414.
constexpr std::size_t kLongestTarget = 8192;

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
