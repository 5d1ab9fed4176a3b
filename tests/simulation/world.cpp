#include "tests/simulation/world.hpp"

#include <algorithm>
#include <iterator>

namespace simulation {

World whole_world() {
  World world;
  for (const auto& [extra, name] : kAllExtras)
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
  const auto* found = std::ranges::find(kAllExtras, name, &NamedExtra::name);
  if (found == std::end(kAllExtras)) return std::nullopt;
  return World{{found->extra, share}};
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
