#include "tests/simulation/world.hpp"

#include <algorithm>
#include <iterator>

namespace simulation {

const char* to_string(Extra extra) {
  switch (extra) {
    case Extra::lies:
      return "lies";
    case Extra::rejected_rows:
      return "rejected rows";
    case Extra::column_order:
      return "column order";
    case Extra::lists:
      return "lists";
    case Extra::write_back:
      return "write-back";
    case Extra::walks:
      return "walks";
    case Extra::keep:
      return "keep";
    case Extra::delay:
      return "delay";
    case Extra::brake:
      return "brake";
    case Extra::fetch_ahead:
      return "fetch ahead";
    case Extra::offset_paging:
      return "offset paging";
    case Extra::bad_records:
      return "bad records";
    case Extra::restore:
      return "restore";
    case Extra::blind_search:
      return "blind search";
    case Extra::slow_sweep:
      return "slow sweep";
    case Extra::apart:
      return "apart";
  }
  return "";
}

World whole_world() {
  return {std::begin(kAllExtras), std::end(kAllExtras)};
}

World tested_world() {
  World world = whole_world();
  return world;
}

std::optional<World> read_world(const std::string& text) {
  if (text == "all") return whole_world();
  if (text == "tested") return tested_world();
  World world;
  if (text == "plain") return world;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    const std::string name = text.substr(at, end - at);
    const auto* found = std::find_if(std::begin(kAllExtras), std::end(kAllExtras),
                                     [&](Extra extra) { return name == to_string(extra); });
    if (found == std::end(kAllExtras)) return std::nullopt;
    world.insert(*found);
    at = end + 1;
  }
  return world;
}

}  // namespace simulation
