// Mapping tests: rows as a query would return them, and the customer or the reason that each must
// come to. A file of [[test]] tables (docs/GUIDE.md, "Test the map"). Pure but for files that a row
// names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/problem.hpp"
#include "config/settings.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// What a test expected and did not find.
struct MappingFault {
  std::string test;                            // its name
  config::TextPlace place;                     // of the test
  std::string field;                           // "Email", "Data[OrderNumber]"; "reason"
  std::optional<std::string> expected, found;  // empty: nothing
};
struct MappingTested {
  std::size_t tests = 0;
  std::vector<MappingFault> faults;
};

// Runs the tests of a text by the maps of the pushes, which must be right (offline_problems);
// `file` is the name used in places. Neither database nor service is asked: data columns have the
// names of the configuration. What depends on other rows, on people and on time is not judged: the
// lists of [suppress], a quota, a sample by person, look_back.
std::variant<MappingTested, std::vector<config::Problem>> run_mapping_tests(
    std::string_view text, const std::string& file, const config::Settings& settings,
    TimePoint now);

}  // namespace surveybridge::daemon
