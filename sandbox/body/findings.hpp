// The faults of a request, each with its place ("request.Customers[3].Email"). A request with
// findings is refused as a whole with 400. A value with a bounded size.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sandbox {

struct Finding {
  std::string place, message;
};

class Findings {
 public:
  void add(std::string place, std::string message) {
    constexpr std::size_t kMost = 500;
    ++count_;
    if (all_.size() < kMost) all_.push_back({std::move(place), std::move(message)});
  }
  bool empty() const { return all_.empty(); }
  const std::vector<Finding>& all() const { return all_; }
  // The number of all findings, stored or not.
  std::size_t count() const { return count_; }

 private:
  std::size_t count_ = 0;
  std::vector<Finding> all_;
};

}  // namespace sandbox
