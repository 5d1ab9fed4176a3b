// One round: the CRM and the store in a Galera cluster, three daemons, each with a node of its own,
// and the stand-in for the service. Orders come, nodes and daemons are killed and frozen, nodes are
// cut off and lag, people are forgotten. Then all that ends, and it must add up. The same seed
// gives the same draws but not the same moments.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/program/bridge.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/faulty_proxy.hpp"
#include "tests/support/galera_cluster.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cluster {

struct Outcome {
  std::uint64_t seed = 0;
  std::vector<std::string> faults;
  int orders = 0, sent = 0, held = 0, forgotten = 0;
  int nodes_killed = 0, nodes_stopped = 0, nodes_frozen = 0, nodes_cut = 0, lags = 0;
  int by_position = 0, as_empty = 0;  // how nodes came back
  int daemons_killed = 0, daemons_frozen = 0;
  double whole_after = 0, settled_after = 0;  // in seconds, from the end of the faults
  std::string text() const;
};

// What keeps a node that lags from lying. Proxies take it out of what daemons and commands say.
enum class Protection {
  whole,
  late,  // a session does not wait for what others have committed; what excludes each other is
         // there
  none,
};

class ClusterWorld {
 public:
  ClusterWorld(support::GaleraCluster& cluster, std::uint64_t seed, Protection protection);

  // A round with faults of every kind.
  Outcome run();
  // Only this: what another node has just stored of a person is forgotten on a node that lags.
  Outcome run_forget_on_a_node_that_lags();

 private:
  using Wall = std::chrono::steady_clock;
  enum class Trouble { none, down, frozen, cut };
  struct Running {
    std::unique_ptr<support::ChildProcess> process;
    std::optional<Wall::time_point> frozen_until;
  };

  int draw(int from, int to) { return std::uniform_int_distribution<>(from, to)(random_); }
  bool chance(double share) { return std::uniform_real_distribution<>(0, 1)(random_) < share; }

  void prepare();
  Outcome guarded(void (ClusterWorld::*round)());
  void whole_round();
  void lagging_round();
  void live_with_faults();

  std::string config(int node) const;
  support::Finished command(int node, std::vector<std::string> arguments) const;
  void start_daemon(int node);
  void kill_daemon(int node);
  void look_at_daemons();
  void act_on_daemons();

  void act_on_nodes();
  void begin_trouble();
  void end_trouble();
  bool is_healthy(int node) const;
  int healthy_node();

  void order_at(int node);
  void order_again();
  void forget(int node, int order);
  void forget_somebody();
  void forget_where_it_lags();
  std::optional<int> order_that_lacks_at(int node, int by_node) const;

  void come_to_rest();
  std::string waits() const;
  void stop_daemons();
  void check_orders();
  void check_node(int node);
  void complain(const std::string& what) { outcome_.faults.push_back(what); }
  std::vector<std::vector<std::string>> rows(int node, const std::string& sql) const;

  support::GaleraCluster& cluster_;
  const Protection protection_;
  std::mt19937_64 random_;
  std::string database_;
  program::SandboxProgram sandbox_{{"--speed", "0", "--visible-after", "1s"}};
  support::TemporaryFolder folder_;
  std::vector<std::unique_ptr<support::FaultyProxy>> proxies_;
  std::array<Running, support::GaleraCluster::kNodes> daemons_;
  Trouble trouble_ = Trouble::none;
  int troubled_ = -1, frozen_too_ = -1;
  Wall::time_point trouble_ends_;
  std::set<int> not_sure_;  // orders whose INSERT was not answered
  std::set<int> forgotten_, to_forget_;
  std::string forget_said_;  // the last one that failed
  Outcome outcome_;
};

}  // namespace cluster
