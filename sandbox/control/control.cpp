#include "sandbox/control/control.hpp"

#include <map>

#include "sandbox/body/json.hpp"
#include "sandbox/control/show_held.hpp"

namespace sandbox {
namespace {

using Action = void (*)(Fields&, Controls&, Findings&);

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

void add_fault(Fields& in, Controls& controls, Findings& findings) {
  Fault fault = read_fault_members(in);
  in.refuse_rest();
  if (findings.empty()) controls.faults.add(std::move(fault));
}

void turn_clock(Fields& in, Controls& controls, Findings&) {
  const auto length = read_duration(in.text("advance").value_or(""));
  if (!length) return in.refuse("advance", "must be a length of time, as 90s or 3d12h");
  controls.turned.advanced += *length;
}

void approve(Fields& in, Controls& controls, Findings&) {
  const auto batch = in.integer("BatchId").value_or(0);
  if (!controls.store.approve(batch, controls.now)) {
    in.refuse("BatchId", "no batch waits with this id");
  }
}

void replace_limits(Fields& in, Controls& controls, Findings& findings) {
  std::vector<LimitSpec> specs;
  for (const Node* node : in.list("limits", "")) {
    const auto* text = std::get_if<std::string>(&node->value);
    const auto spec = text != nullptr ? read_limit(*text) : std::nullopt;
    if (!spec) return in.refuse("limits", "not a limit, as bucket:10/s");
    specs.push_back(*spec);
  }
  if (findings.empty()) controls.gate = std::make_shared<Gate>(specs);
}

void revoke(Fields&, Controls& controls, Findings&) {
  controls.tokens.revoke();
}
void expire_cursors(Fields&, Controls& controls, Findings&) {
  controls.turned.cursors_since = controls.now + std::chrono::microseconds(1);
}
void forget_faults(Fields&, Controls& controls, Findings&) {
  controls.faults.clear();
}

const std::map<std::string_view, Action> kActions = {
    {"/sandbox/fault", add_fault},      {"/sandbox/clock", turn_clock},
    {"/sandbox/approve", approve},      {"/sandbox/limits", replace_limits},
    {"/sandbox/revoke", revoke},        {"/sandbox/cursors", expire_cursors},
    {"/sandbox/forget", forget_faults},
};

Reply post(const Request& request, std::string_view path, Controls controls) {
  const auto action = kActions.find(path);
  if (action == kActions.end()) return refuse(404, "no such control path");
  const auto parsed = read_json(request.body.empty() ? "{}" : request.body);
  if (const auto* bad = std::get_if<Malformed>(&parsed)) return refuse(400, bad->message);
  const ReadingRules rules;
  Findings findings;
  Fields in(std::get<Node>(parsed), "request", findings, rules);
  if (findings.empty()) action->second(in, controls, findings);
  if (findings.empty()) in.refuse_rest();
  if (findings.empty()) return answer(200, {});
  return refuse(400, findings.all().front().place + ": " + findings.all().front().message);
}

Reply state(const Controls& controls) {
  Object body;
  put(body, "now", write_date(controls.now, {}));
  put(body, "requests", controls.requests);
  put(body, "adds", controls.adds);
  put(body, "refused", controls.refused);
  put(body, "impatient", controls.impatient);
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
