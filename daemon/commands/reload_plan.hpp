// What another configuration would change about the rows that wait: `plan`. Both configurations are
// asked as the daemon asks them (forecast.hpp, brake.hpp). Reads only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "config/problem.hpp"
#include "config/settings.hpp"
#include "daemon/context/job_context.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

// Of one push, by its name. Rows whose time has not come yet (delayed), and those of a window that
// opens later, are in no list.
struct PushChanges {
  struct Lost {
    std::string key, why;
  };
  struct Changed {
    std::string key;
    std::vector<std::string> fields;  // as "Data[OrderNumber]"
  };
  std::string push;
  std::int64_t goes = 0;           // rows that would go out by the new configuration
  std::vector<std::string> newly;  // keys of them that would not by the old one
  std::vector<Lost> no_longer;     // rows that would go out by the old one alone
  std::vector<Changed> changed;    // rows that go out either way, as another customer
  std::string held;                // why the brake will hold the push; empty: it will not
  std::string stale;  // why nobody may be mailed until a list has been read; empty: all may
  bool whole = true;  // all rows that wait were looked at
  std::int64_t quarantined = 0;  // rows in quarantine now
  std::string other_key = {};    // what it means that the key is another column; empty: it is not
};

// A configuration, and what is reached by it.
struct Configured {
  const config::Settings& settings;
  const Environment& environment;
};

// The pushes of both, those of `after` first. `columns`: the data columns of the service of
// `after`. At most `most` rows of a push are looked at. A push that works by `before` no more sends
// nothing by it. Returns the problems of a map of `after` instead. Throws DatabaseError.
std::variant<std::vector<PushChanges>, std::vector<config::Problem>> plan_reload(
    const Configured& before, const Configured& after,
    const std::vector<mapping::DataColumn>& columns, std::size_t most = 1'000'000);

}  // namespace surveybridge::daemon
