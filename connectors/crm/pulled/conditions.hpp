// Conditions on a record: `when` of a write-back and of a follow-up. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/path.hpp"

namespace surveybridge::crm {

struct Condition {
  mapping::Path path;
  std::vector<Value> any_of;                 // the value is one of these
  std::vector<config::Write::Bound> bounds;  // or a number within all of these
};

// `time_zone` is the CRM's, for timestamps without a zone. What is wrong is added to `problems`, as
// of the setting `key`.
std::vector<Condition> compile_conditions(const std::vector<config::Write::Condition>& written,
                                          const mapping::Resource& root,
                                          const std::string& time_zone, const std::string& key,
                                          std::vector<config::Problem>& problems);

// Does the record meet all of them?
bool are_met(const std::vector<Condition>& conditions, const mapping::Record& record,
             const std::string& time_zone);

Value value_of_constant(const config::Constant& constant, const std::string& time_zone);
// What a column of text would hold; empty: it is no text.
std::optional<std::string> column_text(const Value& value, const std::string& time_zone);

}  // namespace surveybridge::crm
