#include "sandbox/control/show_held.hpp"

#include "sandbox/lists/show.hpp"

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

}  // namespace

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

}  // namespace sandbox
