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
    case Extra::in_flight:
      return "in flight";
    case Extra::frozen:
      return "frozen service";
    case Extra::late_ends:
      return "late ends";
    case Extra::null_lists:
      return "null lists";
  }
  return "";
}

World whole_world() {
  World world;
  for (const auto extra : kAllExtras)
    world[extra] = Share::half;
  return world;
}

World tested_world() {
  return whole_world();
}

namespace {

std::optional<World> read_part(std::string name) {
  if (name == "all") return whole_world();
  if (name == "tested") return tested_world();
  if (name == "plain") return World{};
  const std::string always = "always ";
  const Share share = name.starts_with(always) ? Share::each : Share::half;
  if (share == Share::each) name.erase(0, always.size());
  const auto* found = std::find_if(std::begin(kAllExtras), std::end(kAllExtras),
                                   [&](Extra extra) { return name == to_string(extra); });
  if (found == std::end(kAllExtras)) return std::nullopt;
  return World{{*found, share}};
}

}  // namespace

std::optional<World> read_world(const std::string& text) {
  World world;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    const auto part = read_part(text.substr(at, end - at));
    if (!part) return std::nullopt;
    for (const auto& [extra, share] : *part)
      world[extra] = share;
    at = end + 1;
  }
  return world;
}

}  // namespace simulation
