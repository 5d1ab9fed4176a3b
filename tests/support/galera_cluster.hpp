// A MariaDB Galera cluster of the tests: three nodes of mariadbd on free ports of 127.0.0.1, each
// in a temporary folder, without waiting for the disk. A node can be stopped, killed, frozen, cut
// off from the others, and made to lag behind them. Needs galera-4, rsync and mariadb-server
// (scripts/packages test): without them nothing is skipped, it throws.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/child_process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace support {

class GaleraCluster {
 public:
  static constexpr int kNodes = 3;  // numbered from 0

  // How a node comes back: it tells where it stopped, and gets what followed if another node still
  // has that (IST); or it has lost everything, and gets a copy by rsync (SST).
  enum class Rejoin { by_position, as_empty };

  // All nodes have the same data when this returns.
  GaleraCluster();
  ~GaleraCluster();
  GaleraCluster(const GaleraCluster&) = delete;
  GaleraCluster& operator=(const GaleraCluster&) = delete;

  void start(int node, Rejoin how);  // does not wait until it has joined
  void stop(int node);               // as systemd does
  void kill(int node);
  void freeze(int node);  // SIGSTOP
  void thaw(int node);
  void cut(int node);  // its clients reach it, the other nodes do not
  void mend(int node);

  // One statement or several as root; what was printed, cells with tabs. None: it failed.
  std::optional<std::string> sql(int node, const std::string& database, const std::string& text,
                                 Deadline deadline = std::chrono::seconds(10)) const;
  // The same where it must not fail: said again until the node takes it, so that it may be done
  // twice. Throws.
  std::string tell(int node, const std::string& database, const std::string& text) const;

  bool has_joined(int node) const;  // it takes statements, and has what the others have
  // Until every node has joined. One that has ended meanwhile is started once more, and where no
  // node has a quorum the one that has most is made the primary component. Throws.
  void wait_until_whole(Deadline deadline);

  // Waits, at most until a node that runs has ended.
  void let_pass(Deadline time);

  // Waits until every node has joined.
  std::string create_database();
  // The others work for some seconds at what this node has done at once, and apply nothing that
  // follows before they are through: about seven.
  void make_lag(const std::string& database, int by_node);
  // How many transactions of the others it has received and not applied.
  int waiting_at(int node) const;

  int port(int node) const { return nodes_.at(static_cast<std::size_t>(node)).port; }
  // `[crm] connection`, by this port: of a node, or of a proxy before it.
  static std::string odbc(int port, const std::string& database);
  // The end of its log.
  std::string log(int node) const;

 private:
  struct Node {
    std::unique_ptr<TemporaryFolder> folder;
    int port = 0, group_port = 0;
    std::unique_ptr<ChildProcess> process;
    bool is_frozen = false;
  };
  Node& of(int node) { return nodes_.at(static_cast<std::size_t>(node)); }
  const Node& of(int node) const { return nodes_.at(static_cast<std::size_t>(node)); }
  std::string file(int node, const std::string& name) const;
  void make_folders(int node);
  std::vector<std::string> words(int node) const;
  std::string position(int node) const;
  void make_primary();
  void start_what_ended();
  void launch(int node, const std::vector<std::string>& more);

  std::string user_;  // who runs it: rsync as root becomes nobody
  std::array<Node, kNodes> nodes_;
  int databases_ = 0;
};

}  // namespace support
