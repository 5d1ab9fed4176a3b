// The service's enumerations come as number in JSON and as name in XML, and docs/SERVICE.md does
// not say which belong together. What was learned about that completes what comes by half. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

// A number and a name that say the same. `of` is the enumeration: "Review.ReviewStatus".
struct EnumerationPair {
  std::string of;
  std::int64_t number = 0;
  std::string name;
  auto operator<=>(const EnumerationPair&) const =
      default;  // NOLINT(modernize-use-nullptr): its own 0
};

// A value of an enumeration as it came: "3" or "Pending".
using PartialEnum = std::pair<std::string, std::string>;  // the enumeration, the value

class Enumerations {
 public:
  void learn(const EnumerationPair& choice);
  // Gives each enumeration of a record, and of those inside it, its other half where it is known.
  // A name that several numbers have gets none of them.
  void complete(Record& record) const;

 private:
  Enumerator completed(const std::string& of, Enumerator value) const;

  std::map<std::pair<std::string, std::int64_t>, std::string> names_;
  std::map<PartialEnum, std::set<std::int64_t>> numbers_;
};

// What in these records is known by half only. Names beyond 100 bytes are nobody's choice.
std::set<PartialEnum> partial_enums_in(std::span<const Record> records);

// What the same records, read once by number and once by name, say of each other. Where an object
// has changed in between, neither it nor what is in it counts; what contradicts itself is left out.
std::set<EnumerationPair> enumerations_between(const std::vector<Record>& by_number,
                                               const std::vector<Record>& by_name);

// Where a resource's enumerations are stored: each has a column of numbers and one of names.
struct EnumerationColumns {
  std::string of, table, key, number, name;  // `key`: the root's, in this table
};
std::vector<EnumerationColumns> enumeration_columns(const Resource& root);

}  // namespace surveybridge::mapping
