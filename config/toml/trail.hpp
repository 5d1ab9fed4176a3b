// The current place in the configuration, and the list to which problems are added. Copied freely:
// one level deeper is a new trail. The caller that made the first trail owns the list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/problem.hpp"
#include "config/wording.hpp"

namespace surveybridge::config {

class Trail {
 public:
  explicit Trail(std::vector<Problem>& found, std::string path = "")
      : found_(&found), path_(std::move(path)) {}

  Trail key(std::string_view name) const { return Trail(*found_, dotted(path_, name)); }
  Trail item(std::size_t index) const {
    return Trail(*found_, path_ + "[" + std::to_string(index) + "]");
  }
  const std::string& path() const { return path_; }

  void wrong(const TextPlace& place, std::string rule) const {
    found_->push_back({place, path_, std::move(rule)});
  }

 private:
  std::vector<Problem>* found_;
  std::string path_;
};

}  // namespace surveybridge::config
