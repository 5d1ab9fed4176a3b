#include "sandbox/lists/store.hpp"

#include <algorithm>

#include "sandbox/model/answers.hpp"
#include "sandbox/values/http.hpp"

namespace sandbox {
namespace {

constexpr std::int64_t kFirstCustomer = 1000001, kFirstBatch = 501;

std::string data_key(std::int64_t column, const std::string& value) {
  return std::to_string(column) + "=" + value;
}

Instant earlier(const Instant& a, const Instant& b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

std::int64_t Store::add(Intake intake, TimePoint now) {
  intake.batch.id = kFirstBatch + static_cast<std::int64_t>(batches_.size());
  if (intake.batch.approve_automatically) intake.batch.approved = now;
  batches_.push_back(intake.batch);
  for (Imported& imported : intake.customers) {
    copy_answers(imported, now);
    store(std::move(imported), batches_.size() - 1, now, 0);
  }
  return intake.batch.id;
}

// Copies the answers of PreviousId's customer, if the request asked for it.
void Store::copy_answers(Imported& imported, TimePoint now) const {
  const Customer* previous = imported.previous_id ? find(*imported.previous_id) : nullptr;
  if (previous == nullptr) return;
  const auto& wanted = imported.answers_to_copy;
  for (Answer& answer : answers_of(*previous, options_.seed, now)) {
    const bool named = std::find(wanted.begin(), wanted.end(), answer.question) != wanted.end();
    if (named || imported.copy_all_answers) imported.answers.push_back(std::move(answer));
  }
}

void Store::store(Imported imported, std::size_t batch, TimePoint now, std::int64_t original) {
  const std::size_t place = customers_.size();
  Customer& customer = customers_.emplace_back();
  customer.id = kFirstCustomer + static_cast<std::int64_t>(place);
  customer.batch = batch;
  customer.in = std::move(imported);
  customer.created = now;
  customer.valid_email = customer.in.email && valid_email(*customer.in.email);
  customer.original = original;
  if (customer.in.email) by_email_[lower_case(*customer.in.email)].push_back(place);
  for (const DataValue& data : customer.in.data) {
    if (data.value) by_data_[data_key(data.column, *data.value)].push_back(place);
  }
  begin_life(customer);
}

void Store::begin_life(Customer& customer) {
  const Batch& batch = batches_[customer.batch];
  Birth birth;
  birth.id = customer.id;
  birth.created = customer.created;
  if (batch.approved) birth.approved = std::max(*batch.approved, customer.created);
  birth.not_before = customer.in.send_date;
  birth.time_of_day = batch.send_time;
  birth.closes = earlier(batch.end_date, customer.in.end_date);
  birth.valid_email = customer.valid_email || (batch.portal && !customer.in.email);
  birth.portal = batch.portal;
  birth.undated = options_.undated;
  const double second = customer.original == 0 ? options_.second_feedback : 0;
  customer.life = live(birth, {options_.seed, options_.lives_speed, second});
  for (const Event& event : customer.life.events) {
    const auto place = static_cast<std::size_t>(customer.id - kFirstCustomer);
    if (event.step == Step::second_asked) due_.push({event.at, place});
  }
}

bool Store::approve(std::int64_t id, TimePoint now) {
  const auto place = static_cast<std::size_t>(id - kFirstBatch);
  if (id < kFirstBatch || place >= batches_.size() || batches_[place].approved) return false;
  batches_[place].approved = now;
  for (Customer& customer : customers_) {
    if (customer.batch == place) begin_life(customer);
  }
  return true;
}

void Store::settle(TimePoint now) {
  while (!due_.empty() && due_.top().at <= now) {
    const Due due = due_.top();
    due_.pop();
    Customer& original = customers_[due.place];
    Imported again = original.in;
    again.answers.clear();
    again.previous_id = original.id;
    original.second = kFirstCustomer + static_cast<std::int64_t>(customers_.size());
    store(std::move(again), original.batch, due.at, original.id);
  }
}

const Customer* Store::find(std::int64_t id) const {
  const auto place = static_cast<std::size_t>(id - kFirstCustomer);
  return id < kFirstCustomer || place >= customers_.size() ? nullptr : &customers_[place];
}

std::optional<Store::Places> Store::candidates(const Filter& filter) const {
  Places places;
  const auto collect = [&places](const auto& index, const std::string& key) {
    const auto found = index.find(key);
    if (found != index.end())
      places.insert(places.end(), found->second.begin(), found->second.end());
  };
  if (!filter.ids.empty()) {
    for (const std::int64_t id : filter.ids) {
      if (find(id) != nullptr) places.push_back(static_cast<std::size_t>(id - kFirstCustomer));
    }
  } else if (!filter.data.empty()) {
    collect(by_data_, data_key(filter.data.front().column, filter.data.front().value));
  } else if (!filter.emails.empty()) {
    for (const std::string& email : filter.emails)
      collect(by_email_, email);
  } else {
    return std::nullopt;
  }
  std::sort(places.begin(), places.end());
  return places;
}

std::vector<const Customer*> Store::page(const Filter& filter, std::int64_t after, std::size_t most,
                                         const std::function<bool(const Customer&)>& wanted) const {
  std::vector<const Customer*> found;
  const auto consider = [&](const Customer& customer) {
    if (customer.id > after && wanted(customer)) found.push_back(&customer);
  };
  if (const auto places = candidates(filter)) {
    for (const std::size_t place : *places) {
      if (found.size() < most) consider(customers_[place]);
    }
    return found;
  }
  const auto begin =
      static_cast<std::size_t>(std::max<std::int64_t>(0, after + 1 - kFirstCustomer));
  for (std::size_t place = begin; place < customers_.size() && found.size() < most; ++place) {
    consider(customers_[place]);
  }
  return found;
}

}  // namespace sandbox
