// The body of customer/add, and all batches and customers that the service stores. Customers are
// never removed; ids grow. Not thread-safe: Service guards it.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <vector>

#include "sandbox/body/fields.hpp"
#include "sandbox/filter.hpp"
#include "sandbox/model/options.hpp"

namespace sandbox {

// A batch to store: docs/SERVICE.md 2.1, 2.2 and the rules of 4.1.
struct Intake {
  Batch batch;
  std::vector<Imported> customers;
};

struct IntakeRules {
  std::span<const DataColumn> columns;
  Options::DataValues data_values = Options::DataValues::kept;
};

// `now` fills a TransactionDate that is null. With findings, the batch is not usable.
Intake read_batch(const Node& body, TimePoint now, const IntakeRules& rules, Findings& findings);

// The form of a mail address: one @, a local part of at most 64 bytes, labels of letters, digits
// and hyphens with dots between, at most 254 bytes.
bool valid_email(std::string_view address);

class Store {
 public:
  explicit Store(const Options& options) : options_(options) {}

  // The id of the batch. Its customers get the next ids, in order.
  std::int64_t add(Intake intake, TimePoint now);
  // Second feedback that is due by `now` becomes new customers.
  void settle(TimePoint now);

  const std::deque<Customer>& customers() const { return customers_; }
  const Batch& batch_of(const Customer& customer) const { return batches_[customer.batch]; }

  // Up to `most` customers with an id above `after` that pass `wanted`, by id.
  std::vector<const Customer*> page(std::int64_t after, std::size_t most,
                                    const std::function<bool(const Customer&)>& wanted) const;

 private:
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
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;

  void store(Imported imported, std::size_t batch, TimePoint now, std::int64_t original);
  void begin_life(Customer& customer);
};

}  // namespace sandbox
