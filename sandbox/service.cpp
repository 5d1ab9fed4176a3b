#include "sandbox/service.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "sandbox/body/body.hpp"
#include "sandbox/model/text.hpp"
#include "sandbox/operations.hpp"
#include "sandbox/show.hpp"

namespace sandbox {
namespace {

const std::string kClient = "sandbox", kSecret = "sandbox-secret";

// The text after "Bearer " or "Basic " in the Authorization header; empty: another scheme.
std::string credentials(const Request& request, std::string_view scheme) {
  const std::string_view value = header(request.headers, "Authorization");
  if (value.size() <= scheme.size() || value[scheme.size()] != ' ') return "";
  if (!same_ignoring_case(value.substr(0, scheme.size()), scheme)) return "";
  return std::string(value.substr(scheme.size() + 1));
}

Reply token_answer(int status, std::string body) {
  Reply reply;
  reply.status = status;
  reply.headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}};
  if (status == 401) reply.headers.emplace_back("WWW-Authenticate", "Basic");
  reply.body = std::move(body);
  return reply;
}

std::string field(const std::vector<Parameter>& form, std::string_view name) {
  for (const Parameter& parameter : form) {
    if (parameter.name == name) return parameter.value;
  }
  return "";
}

bool is_basic(const Request& request, const std::string& user, const std::string& password) {
  return credentials(request, "Basic") == write_base64(user + ":" + password);
}

}  // namespace

// Authentication (docs/SERVICE.md 5): a fixed bearer, tokens of the OAuth 2.0 client-credentials
// endpoint, a bare token in a named header, Basic.
class Tokens {
 public:
  explicit Tokens(const Options& options) : options_(options) {}

  bool admits(const Request& request, TimePoint now) const {
    if (options_.token.empty()) return true;
    if (knows(credentials(request, "Bearer"), now)) return true;
    if (!options_.user.empty() && is_basic(request, options_.user, options_.password)) return true;
    if (options_.token_header.empty()) return false;
    return knows(std::string(header(request.headers, options_.token_header)), now);
  }

  // POST /oauth2/token: the secret in the form or as Basic.
  Reply grant(const Request& request, TimePoint now) {
    const auto form = read_form(request.body);
    if (request.method != "POST" || !form)
      return token_answer(400, R"({"error":"invalid_request"})");
    const bool by_form =
        field(*form, "client_id") == kClient && field(*form, "client_secret") == kSecret;
    if (!by_form && !is_basic(request, kClient, kSecret)) {
      return token_answer(401, R"({"error":"invalid_client"})");
    }
    if (field(*form, "grant_type") != "client_credentials") {
      return token_answer(400, R"({"error":"unsupported_grant_type"})");
    }
    const auto part = fingerprint(fmt::format("{}.{}", options_.seed, ++counter_));
    const std::string token = fmt::format("granted-{}-{:016x}", counter_, part);
    granted_[token] = now + options_.token_lifetime;
    return token_answer(
        200, fmt::format(R"({{"access_token":"{}","token_type":"Bearer","expires_in":{}}})", token,
                         options_.token_lifetime.count()));
  }

  // Ends all tokens, as when a deployment changes its keys.
  void revoke() { granted_.clear(); }

 private:
  const Options& options_;
  std::map<std::string, TimePoint> granted_;  // token, end
  std::uint64_t counter_ = 0;

  bool knows(const std::string& token, TimePoint now) const {
    if (token.empty()) return false;
    const auto granted = granted_.find(token);
    return token == options_.token || (granted != granted_.end() && now < granted->second);
  }
};

// Everything that changes while the stand-in runs, but for its limits.
struct State {
  explicit State(const Options& options) : store(options), tokens(options) {}

  Store store;
  Tokens tokens;
  Faults faults;
  Cursors cursors;
  std::chrono::microseconds advanced{0};  // of the clock
  std::int64_t requests = 0, adds = 0;
  std::int64_t refused = 0, impatient = 0;  // 429s, and requests before the Retry-After was over
};

// Applies the limits before the operations. Each request that is accepted has a place, which is
// given back when the reply that holds it is destroyed. Thread-safe: a server destroys replies in
// other threads.
class Gate : public std::enable_shared_from_this<Gate> {
 public:
  explicit Gate(const std::vector<LimitSpec>& specs) : limits_(specs) {}

  Limits::Verdict ask(bool write, TimePoint now) {
    const std::lock_guard lock(mutex_);
    return limits_.ask(write, now);
  }

  // The place of an accepted request. May outlive the Gate.
  std::shared_ptr<void> place(bool write) {
    const auto leave = [gate = shared_from_this(), write](void*) { gate->finish(write); };
    return {static_cast<void*>(this), leave};
  }

 private:
  std::mutex mutex_;
  Limits limits_;

  void finish(bool write) {
    const std::lock_guard lock(mutex_);
    limits_.finish(write);
  }
};

namespace {

// The answers of the request itself, in the form of the customer list.
List given_answers(const Customer& customer, const View& view) {
  Customer silent;
  silent.in.answers = customer.in.answers;
  silent.life.events = {customer.life.events.front()};
  return show_answers(silent, view);
}

Node show_held(const Customer& customer, const View& view) {
  const Imported& in = customer.in;
  Object data;
  for (const DataValue& one : in.data)
    put(data, one.name, show_text(one.value));
  return {object_of({{"id", customer.id},
                     {"email", show_text(in.email)},
                     {"data", std::move(data)},
                     {"transaction_date", show_instant(in.transaction_date, view)},
                     {"phone_number", show_text(in.phone)},
                     {"send_date", show_instant(in.send_date, view)},
                     {"priority", show_integer(in.priority)},
                     {"answers", given_answers(customer, view)}})};
}

// {"customers":[{"id":…,"email":…, …}]}
Object show_all_held(const Store& store, TimePoint now) {
  const WritingStyle style;
  const View view{now, 0, style};
  List list;
  for (const Customer& customer : store.customers())
    list.items.push_back(show_held(customer, view));
  return object_of({{"customers", std::move(list)}});
}

Object show_state(const State& state, TimePoint now) {
  return object_of({{"now", write_date(now, {})},
                    {"requests", state.requests},
                    {"adds", state.adds},
                    {"refused", state.refused},
                    {"impatient", state.impatient},
                    {"customers", static_cast<std::int64_t>(state.store.customers().size())}});
}

Reply control_answer(int status, Object body) {
  Reply reply;
  reply.status = status;
  reply.headers.emplace_back("Content-Type", "application/json; charset=utf-8");
  reply.body = write_json({std::move(body)}, {});
  return reply;
}

Reply refusal(int status, const std::string& why) {
  Object body;
  put(body, "error", why);
  return control_answer(status, std::move(body));
}

void add_fault(Fields& in, const Findings& findings, State& state) {
  auto fault = read_fault(in.text("fault").value_or(""));
  if (!fault) return in.refuse("fault", "must be MOMENT:KIND[:PATH[:TIMES]]");
  fault->body = in.text("body").value_or(fault->body);
  fault->content_type = in.text("content_type").value_or(fault->content_type);
  in.refuse_rest();
  if (findings.empty()) state.faults.add(*fault);
}

void turn_clock(Fields& in, State& state) {
  const auto length = read_duration(in.text("advance").value_or(""));
  if (!length) return in.refuse("advance", "must be a length of time, as 90s or 3d12h");
  state.advanced += *length;
}

Reply post(const Request& request, std::string_view path, State& state) {
  const auto parsed = read_json(request.body.empty() ? "{}" : request.body);
  if (const auto* bad = std::get_if<Malformed>(&parsed)) return refusal(400, bad->message);
  Findings findings;
  Fields in(std::get<Node>(parsed), "request", findings);
  if (path == "/sandbox/fault") {
    add_fault(in, findings, state);
  } else if (path == "/sandbox/clock") {
    turn_clock(in, state);
  } else if (path == "/sandbox/revoke") {
    state.tokens.revoke();
  } else if (path == "/sandbox/cursors") {
    state.cursors.end();
  } else if (path == "/sandbox/forget") {
    state.faults.clear();
  } else {
    return refusal(404, "no such control path");
  }
  if (findings.empty()) in.refuse_rest();
  if (findings.empty()) return control_answer(200, {});
  return refusal(400, findings.all().front().place + ": " + findings.all().front().message);
}

// GET  /sandbox/customers                  what is stored, as JSON
// GET  /sandbox/state                      counts and the time
// POST /sandbox/fault   {"fault":"after:reset:customer/add:3"}; "body" and "content_type" are those
//                       of the answer
// POST /sandbox/clock   {"advance":"3d"}
// POST /sandbox/revoke  ends all tokens granted so far
// POST /sandbox/cursors ends all cursors issued so far
// POST /sandbox/forget  drops all faults that still wait
Reply control(const Request& request, std::string_view path, State& state, TimePoint now) {
  if (request.method == "POST") return post(request, path, state);
  if (request.method != "GET") return refusal(405, "GET or POST");
  if (path == "/sandbox/customers") return control_answer(200, show_all_held(state.store, now));
  if (path == "/sandbox/state") return control_answer(200, show_state(state, now));
  return refusal(404, "no such control path");
}

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

}  // namespace

struct Service::Impl {
  Impl(Options given, Clock clock_given)
      : options(std::move(given)),
        clock(std::move(clock_given)),
        columns(options.columns.empty() ? built_in_columns() : options.columns),
        gate(std::make_shared<Gate>(options.limits)),
        state(options) {}

  const Options options;
  const Clock clock;
  const std::vector<DataColumn> columns;
  const std::shared_ptr<Gate> gate;
  mutable std::mutex mutex;  // guards everything below
  State state;
  TimePoint told_to_wait{};  // the latest Retry-After

  TimePoint now() const { return clock() + state.advanced; }

  Reply handle(const Request& request) {
    const TimePoint at = now();
    state.store.settle(at);
    const auto target = read_target(request.target);
    if (target && target->path.starts_with("/sandbox/"))
      return control(request, target->path, state, at);
    return answer(request, target, at);
  }

  Reply answer(const Request& request, const std::optional<Target>& target, TimePoint at) {
    ++state.requests;
    const auto fault = state.faults.take(target ? target->path : "");
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
    if (target.path == "/oauth2/token") return state.tokens.grant(request, at);
    if (!state.tokens.admits(request, at)) {
      Reply reply = say(failed(401), request);
      reply.headers.emplace_back("WWW-Authenticate", "Bearer");
      return reply;
    }
    const bool write = request.method != "GET";
    if (at < told_to_wait) ++state.impatient;
    const auto verdict = gate->ask(write, at);
    if (is_add(target.path) && write && verdict.allowed) ++state.adds;
    const World world{options, columns, state.store, state.cursors, at};
    Reply reply = say(verdict.allowed ? route(world, request, target) : failed(429), request);
    if (verdict.allowed) reply.place = gate->place(write);
    if (!verdict.allowed) {
      ++state.refused;
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
  impl_->state.faults.add(std::move(fault));
}

std::vector<Held> Service::customers() const {
  const std::lock_guard lock(impl_->mutex);
  const TimePoint now = impl_->now();
  impl_->state.store.settle(now);
  std::vector<Held> all;
  for (const Customer& customer : impl_->state.store.customers()) {
    Held& held = all.emplace_back();
    held.id = customer.id;
    held.email = customer.in.email.value_or("");
    for (const DataValue& data : customer.in.data) {
      held.data.emplace_back(data.name, data.value.value_or(""));
    }
    held.transaction_date = customer.in.transaction_date;
    held.created = customer.created;
    held.test = impl_->state.store.batch_of(customer).test;
    held.status_code = static_cast<int>(customer.life.status(now));
    held.original = customer.original;
  }
  return all;
}

std::int64_t Service::requests() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->state.requests;
}

std::int64_t Service::adds() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->state.adds;
}

}  // namespace sandbox
