#include "sandbox/control/control.hpp"

#include <map>

#include "sandbox/body/json.hpp"
#include "sandbox/lists/show.hpp"
#include "sandbox/lists/store.hpp"
#include "sandbox/values/node.hpp"

namespace sandbox {
namespace {

Object show_batch(const Batch& batch, const View& view) {
  Object out;
  put(out, "id", batch.id);
  put(out, "name", batch.name);
  put(out, "approved", show_instant(batch.approved, view));
  put(out, "approve_automatically", batch.approve_automatically);
  put(out, "test", batch.test);
  put(out, "concept", batch.concept_only);
  put(out, "portal", batch.portal);
  put(out, "allow_duplicate_email", batch.allow_duplicates);
  put(out, "notification_email_addresses", batch.notify);
  put(out, "end_date", show_instant(batch.end_date, view));
  put(out, "send_time_seconds",
      batch.send_time ? Node::Value(batch.send_time->count() / 1000000) : Node::Value(Null{}));
  return out;
}

Object show_data_by_name(const Customer& customer) {
  Object out;
  for (const DataValue& data : customer.in.data)
    put(out, data.name, show_text(data.value));
  return out;
}

// The answers of the request itself, in the form of the customer list.
List given_answers(const Customer& customer, const View& view) {
  Customer silent;
  silent.in.answers = customer.in.answers;
  silent.life.events = {customer.life.events.front()};
  return show_answers(silent, view);
}

List copied_ids(const Customer& customer) {
  List list;
  for (const std::int64_t id : customer.in.answers_to_copy)
    list.items.push_back({id});
  return list;
}

Node show_held(const Customer& customer, const Batch& batch, const View& view) {
  const Imported& in = customer.in;
  Object out;
  put(out, "id", customer.id);
  put(out, "email", show_text(in.email));
  put(out, "data", show_data_by_name(customer));
  put(out, "data_items", show_data(customer, view));
  put(out, "transaction_date", show_instant(in.transaction_date, view));
  put(out, "phone_number", show_text(in.phone));
  put(out, "send_date", show_instant(in.send_date, view));
  put(out, "end_date", show_instant(in.end_date, view));
  put(out, "priority", show_integer(in.priority));
  put(out, "previous_id", show_integer(in.previous_id));
  put(out, "answers", given_answers(customer, view));
  put(out, "answers_to_copy", copied_ids(customer));
  put(out, "copy_all_answers", in.copy_all_answers);
  put(out, "created", show_instant(customer.created, view));
  put(out, "status_code", static_cast<std::int64_t>(customer.life.status(view.now)));
  put(out, "status", std::string(status_name(customer.life.status(view.now))));
  put(out, "original", customer.original);
  put(out, "batch", show_batch(batch, view));
  return {std::move(out)};
}

// Every field as it was stored, with names of its own: {"customers":[{"id":…,"email":…, …}]}
Object show_all_held(const Store& store, TimePoint now) {
  const WritingStyle style;
  const View view{now, 0, style};
  List list;
  for (const Customer& customer : store.customers()) {
    list.items.push_back(show_held(customer, store.batch_of(customer), view));
  }
  Object out;
  put(out, "customers", std::move(list));
  return out;
}

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
