#include "sandbox/service.hpp"

#include <cmath>
#include <mutex>

#include "sandbox/bodies.hpp"
#include "sandbox/control.hpp"
#include "sandbox/limit.hpp"
#include "sandbox/show.hpp"
#include "sandbox/throttle.hpp"

namespace sandbox {
namespace {

constexpr std::string_view kAdd = "/external/api/v3/customer/add";
constexpr std::string_view kCustomers = "/external/api/v3/customer";
constexpr std::string_view kRatings = "/external/api/v3/rating";
constexpr std::string_view kBouncers = "/external/api/v3/customer/getbouncers";
constexpr std::string_view kStatuses = "/external/api/v3/customer/getcustomerstatuses";
constexpr std::string_view kColumnsV1 = "/external/api/v1/customerdatacolumn";
constexpr std::string_view kColumnsV3 = "/external/api/v3/customerdatacolumn";

std::optional<ListKind> list_at(std::string_view path) {
  if (path == kCustomers) return ListKind::customers;
  if (path == kRatings) return ListKind::ratings;
  if (path == kBouncers) return ListKind::bouncers;
  return std::nullopt;
}

bool is_operation(std::string_view path) {
  return path == kAdd || path == kStatuses || path == kColumnsV1 || path == kColumnsV3 ||
         list_at(path);
}

Outcome failed(int status) {
  return {status, "", std::nullopt, {}};
}

}  // namespace

struct Service::Impl {
  Impl(Options given, Clock clock_given)
      : options(std::move(given)),
        clock(std::move(clock_given)),
        columns(options.columns.empty() ? built_in_columns() : options.columns),
        store(options),
        tokens(options),
        limits(limits_of(options)) {}

  Options options;
  Clock clock;
  std::vector<DataColumn> columns;
  mutable std::mutex mutex;  // guards all below
  Store store;
  Tokens tokens;
  Faults faults;
  Limits limits;
  std::chrono::microseconds advanced{0};
  std::int64_t requests = 0, adds = 0;

  TimePoint now() const { return clock() + advanced; }

  Reply handle(const Request& request) {
    const TimePoint at = now();
    store.settle(at);
    const auto target = read_target(request.target);
    if (target && is_control(target->path)) {
      return control(request, target->path, {store, faults, tokens, advanced, at, requests, adds});
    }
    ++requests;
    const std::string path = target ? target->path : "";
    const auto fault = faults.take(request.method, path);
    if (fault && fault->moment == Fault::Moment::before) return spoilt(*fault, {});
    Reply reply = target ? serve(request, *target, at) : say(failed(400), request);
    return fault ? spoilt(*fault, std::move(reply)) : reply;
  }

  Reply serve(const Request& request, const Target& target, TimePoint at) {
    if (target.path == "/oauth2/token") return tokens.grant(request, at);
    if (!tokens.admits(request, at)) {
      Reply reply = say(failed(401), request);
      reply.headers.emplace_back("WWW-Authenticate", "Bearer");
      return reply;
    }
    const bool write = request.method != "GET";
    const auto verdict = limits.ask(write, at);
    if (!verdict.allowed) {
      Reply reply = say(failed(429), request);
      put_wait(reply.headers, verdict.wait, at, options);
      return reply;
    }
    Reply reply = say(operate(request, target, at), request);
    limits.finish(write);
    return reply;
  }

  Outcome operate(const Request& request, const Target& target, TimePoint at) {
    if (!is_operation(target.path)) return failed(404);
    if (request.method != (target.path == kAdd ? "POST" : "GET")) return failed(405);
    const World world{options, columns, store};
    if (target.path == kAdd) return add(world, request, target, at);
    if (const auto kind = list_at(target.path)) return list_page(world, *kind, target.query, at);
    if (target.path == kStatuses) return {200, "GetCustomerStatusesResponse", show_statuses(), {}};
    return {200, "GetCustomerDataColumnsResponse", show_columns(columns), {}};
  }

  Outcome add(World world, const Request& request, const Target& target, TimePoint at) {
    ++adds;
    Outcome refused = failed(400);
    if (options.strict && !target.query.empty()) {
      refused.findings.add(target.query.front().name, "no such parameter");
      return refused;
    }
    const auto format = format_of_body(request);
    if (!format) return failed(415);
    const auto parsed = read_body(request.body, *format);
    if (const auto* node = std::get_if<Node>(&parsed)) return add_customers(world, *node, at);
    refused.findings.add("request", std::get<Malformed>(parsed).message);
    return refused;
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
