// Reads one object of a body member by member, each with its type; a value that does not fit is a
// finding. JSON and XML differ only here: XML's scalars have no type, and its collections repeat
// their items' element. Refers to node, findings and rules of the caller.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/body/findings.hpp"
#include "sandbox/model/model.hpp"
#include "sandbox/values/node.hpp"

namespace sandbox {

struct ReadingRules {
  bool strict = true;  // refuse unknown members, names in another case, dates without an offset
  std::chrono::minutes offset{0};  // of dates without one, if they are accepted
};

class Fields {
 public:
  // `node` must be an object (or an empty XML element); anything else is a finding.
  Fields(const Node& node, std::string place, Findings& findings, const ReadingRules& rules);

  // Absent and null both give nullopt or false.
  Text text(std::string_view name);
  Integer integer(std::string_view name);
  std::optional<bool> boolean(std::string_view name);
  std::optional<ReadDate> date(std::string_view name);
  Instant instant(std::string_view name);
  // The items of a collection; `item` is their XML element. Empty where absent or null.
  std::vector<const Node*> list(std::string_view name, std::string_view item);
  // A finding where the member is absent or null.
  void require(std::string_view name);

  // Call it last: in strict mode each member that was not read is a finding.
  void refuse_rest();

  std::string place_of(std::string_view name) const;
  void refuse(std::string_view name, std::string message);

 private:
  const Object* object_ = nullptr;
  std::string place_;
  Findings& findings_;
  const ReadingRules& rules_;
  std::vector<std::string_view> known_;

  const Node* find(std::string_view name);
  const Node* look(std::string_view name) const;
};

// A node's whole number, or a finding at `place`.
Integer read_integer(const Node& node, const std::string& place, Findings& findings);

}  // namespace sandbox
