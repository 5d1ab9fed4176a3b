// Compiles a field map: [push.NAME.customer] against the description of ImportCustomer
// (docs/SERVICE.md 2.2) and the query's columns. Pure. Every problem is found in one run.
#pragma once

#include <string>
#include <vector>

#include "config/problem.hpp"
#include "config/settings.hpp"
#include "mapping/field_map/rule.hpp"

namespace surveybridge::mapping {

// What a map is compiled against, and where its problems are added.
struct Compiling {
  const std::vector<std::string>& columns;  // of the query
  const std::string& zone;                  // of the CRM's wall clocks
  std::vector<config::Problem>& problems;

  void problem(const config::TextPlace& place, const std::string& key,
               const std::string& rule) const {
    problems.push_back({place, key, rule});
  }
};

// The rules of one object. `key` is the map's place in the configuration ("push.orders.customer"),
// `place` the object's place in a reason ("Answers[0]."). Rules with a problem are left out.
std::vector<Rule> compile(const config::FieldMap& map, const Resource& shape,
                          const std::string& key, const std::string& place,
                          const Compiling& compiling);

// The columns that a source reads, as the configuration names them.
std::vector<std::string> columns_of(const config::FieldSource& source);
// The sources of all fields of a push's customers.
std::vector<const config::FieldSource*> sources_of(const config::Push& push);
// The columns of its query that a push names, each once: case does not count.
std::vector<std::string> columns_of(const config::Push& push);

// The rule of one value of a field of this type.
ValueRule compile(const config::FieldSource& source, Type type, const std::string& key,
                  const std::string& place, const Compiling& compiling);

}  // namespace surveybridge::mapping
