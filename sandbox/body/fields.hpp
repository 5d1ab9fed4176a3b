// Reads one object of a body member by member, each with its type; a value that does not fit is a
// finding. JSON and XML differ only here: XML's scalars have no type, and its collections repeat
// their items' element. Refers to node and findings of the caller.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sandbox/model/model.hpp"
#include "sandbox/model/node.hpp"

namespace sandbox {

struct Finding {
  std::string place, message;
};

// The faults of a request, each with its place ("request.Customers[3].Email"). A request with
// findings is refused as a whole with 400. Bounded.
class Findings {
 public:
  void add(std::string place, std::string message) {
    constexpr std::size_t kMost = 500;
    if (all_.size() < kMost) all_.push_back({std::move(place), std::move(message)});
  }
  bool empty() const { return all_.empty(); }
  const std::vector<Finding>& all() const { return all_; }

 private:
  std::vector<Finding> all_;
};

class Fields {
 public:
  // `node` must be an object (or an empty XML element); anything else is a finding.
  Fields(const Node& node, std::string place, Findings& findings);

  // Absent and null both give nullopt or false.
  Text text(std::string_view name);
  Integer integer(std::string_view name);
  std::optional<bool> boolean(std::string_view name);
  Instant instant(std::string_view name);
  // The items of a collection; `item` is their XML element. Empty where absent or null.
  std::vector<const Node*> list(std::string_view name, std::string_view item);
  // A finding where the member is absent or null.
  void require(std::string_view name);

  // Call it last: each member that was not read is a finding.
  void refuse_rest();

  std::string place_of(std::string_view name) const;
  void refuse(std::string_view name, std::string message);

 private:
  const Object* object_ = nullptr;
  std::string place_;
  Findings& findings_;
  std::vector<std::string_view> known_;

  const Node* find(std::string_view name);
  const Node* look(std::string_view name) const;
};

// A node's whole number, or a finding at `place`.
Integer read_integer(const Node& node, const std::string& place, Findings& findings);

}  // namespace sandbox
