// What `--json` prints (docs/RUNBOOK.md), where commands have it in common.
#pragma once

#include <iostream>
#include <optional>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/job/json_text.hpp"
#include "daemon/job/length_text.hpp"

namespace surveybridge::daemon {

// A line on standard output.
inline void print_json(const Json& json) {
  std::cout << json_text(json) << "\n";
}

inline Json or_null(const std::optional<TimePoint>& at) {
  return at ? Json(second_text(*at)) : Json();
}

inline Json count_json(const crm::Ledger::Count& count) {
  return {{"push", count.push}, {"state", crm::to_string(count.state)}, {"rows", count.rows}};
}

}  // namespace surveybridge::daemon
