// How a resource lies in its tables: each column and the field behind it, worked out once for the
// DDL and for the rows alike, so that the two cannot disagree. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "mapping/tables/tables.hpp"

namespace surveybridge::mapping {

// The field behind a column: slot by slot through nested objects to a scalar.
struct Leaf {
  std::vector<std::size_t> way;
  enum class Part { whole, number, name } part = Part::whole;  // an enumeration has two columns
};

struct Layout {
  bool made_key = false;     // a root without an id of its own: its first column is a made key
  std::vector<Leaf> leaves;  // the fields' columns, behind the keys that do not come from fields
  struct Copy {
    Leaf leaf;           // a field that says what a key says
    std::size_t column;  // that key's
  };
  std::vector<Copy> copies;
  struct Child {
    std::size_t slot;    // the list of objects in the record
    std::size_t layout;  // position in Plan
  };
  std::vector<Child> children;
};

// The tables of one root resource and their layouts, in the same order, parent first.
struct Plan {
  std::vector<Table> tables;
  std::vector<Layout> layouts;
};

// For the stored resources of resource.hpp; std::out_of_range for any other.
const Plan& plan_of(const Resource& root);

}  // namespace surveybridge::mapping
