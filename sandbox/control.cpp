#include "sandbox/control.hpp"

#include "sandbox/fields.hpp"
#include "sandbox/json.hpp"
#include "sandbox/show_held.hpp"

namespace sandbox {
namespace {

Reply answer(int status, Object body) {
  Reply reply;
  reply.status = status;
  reply.headers.emplace_back("Content-Type", "application/json; charset=utf-8");
  reply.body = write_json({std::move(body)}, {});
  return reply;
}

Reply refuse(int status, const std::string& why) {
  Object body;
  put(body, "error", why);
  return answer(status, std::move(body));
}

Reply refuse(const Findings& findings) {
  return refuse(400, findings.all().front().place + ": " + findings.all().front().message);
}

Reply done() {
  return answer(200, {});
}

std::optional<Fault::Kind> kind_named(const std::string& name) {
  if (name == "status") return Fault::Kind::status;
  if (name == "reset") return Fault::Kind::reset;
  if (name == "cut") return Fault::Kind::cut;
  if (name == "hang") return Fault::Kind::hang;
  if (name == "body") return Fault::Kind::body;
  return std::nullopt;
}

void read_kind(Fields& in, Fault& fault) {
  const auto kind = kind_named(in.text("kind").value_or("status"));
  if (!kind) return in.refuse("kind", "must be status, reset, cut, hang or body");
  fault.kind = *kind;
}

void read_numbers(Fields& in, Fault& fault) {
  const std::int64_t status = in.integer("status").value_or(fault.status);
  if (status < 200 || status > 599) in.refuse("status", "must be from 200 to 599");
  fault.status = static_cast<int>(status);
  const std::int64_t times = in.integer("times").value_or(1);
  if (times < 1 || times > 1000000) in.refuse("times", "must be from 1 to 1000000");
  fault.times = static_cast<int>(times);
}

Fault read_members(Fields& in) {
  Fault fault;
  fault.path = in.text("path").value_or("");
  fault.method = in.text("method").value_or("");
  const std::string moment = in.text("moment").value_or("before");
  if (moment != "before" && moment != "after") in.refuse("moment", "must be before or after");
  fault.moment = moment == "after" ? Fault::Moment::after : Fault::Moment::before;
  read_kind(in, fault);
  read_numbers(in, fault);
  fault.retry_after = in.text("retry_after").value_or("");
  fault.body = in.text("body").value_or("");
  fault.content_type = in.text("content_type").value_or(fault.content_type);
  return fault;
}

Fault read_fault_body(Fields& in) {
  const Text line = in.text("fault");
  if (!line) return read_members(in);
  const auto fault = read_fault(*line);
  if (!fault) in.refuse("fault", "must be MOMENT:KIND[:PATH[:TIMES]]");
  return fault.value_or(Fault{});
}

void turn_clock(Fields& in, std::chrono::microseconds& advanced) {
  const auto length = read_duration(in.text("advance").value_or(""));
  if (!length) return in.refuse("advance", "must be a length of time, as 90s or 3d12h");
  advanced += *length;
}

void approve(Fields& in, Controls& controls) {
  const auto batch = in.integer("BatchId").value_or(0);
  if (!controls.store.approve(batch, controls.now))
    in.refuse("BatchId", "no batch waits with this id");
}

Reply post(const Request& request, std::string_view path, Controls controls) {
  const auto parsed = read_json(request.body.empty() ? "{}" : request.body);
  if (const auto* bad = std::get_if<Malformed>(&parsed)) return refuse(400, bad->message);
  const ReadingRules rules;
  Findings findings;
  Fields in(std::get<Node>(parsed), "request", findings, rules);
  std::optional<Fault> fault;
  if (path == "/sandbox/fault") {
    fault = read_fault_body(in);
  } else if (path == "/sandbox/clock") {
    turn_clock(in, controls.advanced);
  } else if (path == "/sandbox/approve") {
    approve(in, controls);
  } else if (path == "/sandbox/revoke") {
    controls.tokens.revoke();
  } else if (path == "/sandbox/forget") {
    controls.faults.clear();
  } else {
    return refuse(404, "no such control path");
  }
  in.refuse_rest();
  if (!findings.empty()) return refuse(findings);
  if (fault) controls.faults.add(std::move(*fault));
  return done();
}

Reply state(const Controls& controls) {
  Object body;
  put(body, "now", write_date(controls.now, {}));
  put(body, "requests", controls.requests);
  put(body, "adds", controls.adds);
  put(body, "batches", static_cast<std::int64_t>(controls.store.batches().size()));
  put(body, "customers", static_cast<std::int64_t>(controls.store.customers().size()));
  put(body, "faults_waiting", static_cast<std::int64_t>(controls.faults.waiting()));
  return answer(200, std::move(body));
}

}  // namespace

bool is_control(std::string_view path) {
  return path.starts_with("/sandbox/");
}

Reply control(const Request& request, std::string_view path, Controls controls) {
  if (request.method == "POST") return post(request, path, controls);
  if (request.method != "GET") return refuse(405, "GET or POST");
  if (path == "/sandbox/customers") return answer(200, show_all_held(controls.store, controls.now));
  if (path == "/sandbox/state") return state(controls);
  return refuse(404, "no such control path");
}

}  // namespace sandbox
