// All batches and customers that the service stores, by id and by the values that filters use most.
// Customers are never removed; ids grow. Not thread-safe: Service guards it.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "sandbox/options/options.hpp"
#include "sandbox/requests/filter.hpp"
#include "sandbox/requests/intake.hpp"

namespace sandbox {

class Store {
 public:
  explicit Store(const Options& options) : options_(options) {}

  // The id of the batch. Its customers get the next ids, in order.
  std::int64_t add(Intake intake, TimePoint now);
  // An operator approves a batch. false: no such batch, or already approved.
  bool approve(std::int64_t batch, TimePoint now);
  // Second feedback that is due by `now` becomes new customers.
  void settle(TimePoint now);

  const std::deque<Customer>& customers() const { return customers_; }
  const std::vector<Batch>& batches() const { return batches_; }
  const Batch& batch_of(const Customer& customer) const { return batches_[customer.batch]; }
  const Customer* find(std::int64_t id) const;

  // Up to `most` customers with an id above `after` that pass `wanted`, by id. The filter only
  // reduces the search.
  std::vector<const Customer*> page(const Filter& filter, std::int64_t after, std::size_t most,
                                    const std::function<bool(const Customer&)>& wanted) const;

 private:
  using Places = std::vector<std::size_t>;
  struct Due {
    TimePoint at;
    std::size_t place;
    bool operator>(const Due& other) const {
      return at != other.at ? at > other.at : place > other.place;
    }
  };

  const Options& options_;
  std::vector<Batch> batches_;
  std::deque<Customer> customers_;
  std::unordered_map<std::string, Places> by_email_, by_data_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;

  void store(Imported imported, std::size_t batch, TimePoint now, std::int64_t original);
  void begin_life(Customer& customer);
  void copy_answers(Imported& imported, TimePoint now) const;
  std::optional<Places> candidates(const Filter& filter) const;
};

}  // namespace sandbox
