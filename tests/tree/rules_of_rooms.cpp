#include <algorithm>
#include <map>
#include <set>

#include "tests/tree/code.hpp"
#include "tests/tree/rules.hpp"

namespace tree {
namespace {

// The rooms of each floor in their order: a room may include its own files and those of the rooms
// before it. The floor's own folder is a room too.
const std::vector<std::vector<std::string>> kOrder = {
    {"config", "config/toml", "config/keys", "config/sections"},
    {"mapping/values", "mapping/interface", "mapping/codec", "mapping/field_map", "mapping/tables",
     "mapping/statistics", "mapping/report"},
    {"connectors/crm/dialect", "connectors/crm/driver", "connectors/crm/rows",
     "connectors/crm/schema", "connectors/crm/leases", "connectors/crm/source",
     "connectors/crm/people", "connectors/crm/report", "connectors/crm/pulled",
     "connectors/crm/ledger", "connectors/crm/erasure", "connectors/crm/daemon_state"},
    {"connectors/service"},
    {"http"},
    {"daemon/job", "daemon/metrics", "daemon/pace", "daemon/lists", "daemon/context",
     "daemon/suppress", "daemon/push", "daemon/reconcile", "daemon/pull", "daemon/report",
     "daemon/status", "daemon/alert", "daemon/runtime", "daemon/commands", "daemon/init", "daemon"},
    {"sandbox/model", "sandbox/body", "sandbox"},
};

struct Position {
  std::size_t floor = 0, room = 0;
};

std::map<std::string, Position, std::less<>> positions() {
  std::map<std::string, Position, std::less<>> all;
  for (std::size_t floor = 0; floor < kOrder.size(); ++floor)
    for (std::size_t room = 0; room < kOrder[floor].size(); ++room)
      all[kOrder[floor][room]] = {floor, room};
  return all;
}

using Graph = std::map<std::string, std::set<std::string>>;

Graph rooms_included(const Tree& tree) {
  Graph graph;
  for (const File& file : tree) {
    if (!is_product(file)) continue;
    const std::string from(folder_of(file.path));
    for (const Include& include : includes_of(file.text))
      if (const std::string to(folder_of(include.target)); include.quoted && to != from)
        graph[from].insert(to);
  }
  return graph;
}

// The path from `room` back to `goal`, as "a -> b -> goal"; empty: none.
std::string way_back(const Graph& graph, const std::string& room, const std::string& goal,
                     std::set<std::string>& seen) {
  const auto found = graph.find(room);
  if (found == graph.end() || !seen.insert(room).second) return {};
  for (const std::string& next : found->second) {
    if (next == goal) return room + " -> " + goal;
    if (const std::string rest = way_back(graph, next, goal, seen); !rest.empty())
      return room + " -> " + rest;
  }
  return {};
}

}  // namespace

Breaches includes_that_climb(const Tree& tree) {
  const auto order = positions();
  Breaches found;
  for (const File& file : tree) {
    if (!is_product(file)) continue;
    const auto from = order.find(folder_of(file.path));
    if (from == order.end()) {
      found.push_back(at(file, 1, "its folder is no room of rules_of_rooms.cpp"));
      continue;
    }
    for (const Include& include : includes_of(file.text)) {
      const auto to = order.find(folder_of(include.target));
      if (!include.quoted || to == order.end()) continue;
      if (to->second.floor == from->second.floor && to->second.room > from->second.room)
        found.push_back(at(file, include.line, "climbs to " + include.target));
    }
  }
  return found;
}

Breaches circles_of_rooms(const Tree& tree) {
  const Graph graph = rooms_included(tree);
  Breaches found;
  for (const auto& [room, others] : graph) {
    std::set<std::string> seen;
    const std::string way = way_back(graph, room, room, seen);
    if (!way.empty()) found.push_back("a circle of rooms: " + way);
  }
  return found;
}

Breaches rooms_missing_in_the_document(const Tree& tree) {
  const std::string path = "docs/ARCHITECTURE.md";
  const auto document =
      std::find_if(tree.begin(), tree.end(), [&](const File& file) { return file.path == path; });
  if (document == tree.end()) return {path + ": is not there"};
  std::vector<std::string> rooms;
  for (const auto& floor : kOrder)
    rooms.insert(rooms.end(), floor.begin(), floor.end());
  auto at = document->text.find("\n## Rooms\n");
  for (const auto& room : rooms) {
    if (at != std::string::npos) at = document->text.find("`" + room + "`", at);
    if (at == std::string::npos)
      return {path + ": \"Rooms\" does not name " + room + ", or not in this place"};
  }
  return {};
}

}  // namespace tree
