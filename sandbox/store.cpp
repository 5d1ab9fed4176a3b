#include "sandbox/store.hpp"

#include <algorithm>

namespace sandbox {
namespace {

constexpr std::int64_t kFirstCustomer = 1000001, kFirstBatch = 501;

Instant earlier(const Instant& a, const Instant& b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

std::int64_t Store::add(Intake intake, TimePoint now) {
  intake.batch.id = kFirstBatch + static_cast<std::int64_t>(batches_.size());
  batches_.push_back(intake.batch);
  for (Imported& imported : intake.customers)
    store(std::move(imported), batches_.size() - 1, now, 0);
  return intake.batch.id;
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
  begin_life(customer);
}

void Store::begin_life(Customer& customer) {
  const Batch& batch = batches_[customer.batch];
  Birth birth;
  birth.id = customer.id;
  birth.created = customer.created;
  birth.approved = batch.approved;
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

std::vector<const Customer*> Store::page(std::int64_t after, std::size_t most,
                                         const std::function<bool(const Customer&)>& wanted) const {
  std::vector<const Customer*> found;
  const auto begin = std::max<std::int64_t>(0, after + 1 - kFirstCustomer);
  for (auto place = static_cast<std::size_t>(begin); place < customers_.size(); ++place) {
    if (found.size() == most) break;
    if (wanted(customers_[place])) found.push_back(&customers_[place]);
  }
  return found;
}

}  // namespace sandbox
