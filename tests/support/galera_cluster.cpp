#include "tests/support/galera_cluster.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <pwd.h>
#include <unistd.h>

namespace support {
namespace {

using std::chrono::milliseconds;
using Wall = std::chrono::steady_clock;

constexpr const char* kProvider = "/usr/lib/galera/libgalera_smm.so";
constexpr Deadline kJoin = std::chrono::seconds(90);
constexpr Deadline kTell = std::chrono::seconds(60);
constexpr Deadline kQuorum = std::chrono::seconds(20);  // longer than an election
constexpr std::size_t kLogMax = 4000;

// A node is suspected after two seconds of silence, and lost after four. Nobody waits for one that
// lags before it has 256 transactions to apply.
constexpr const char* kGroup =
    ";gcache.size=16M;gcs.fc_limit=256;evs.keepalive_period=PT0.5S;evs.inactive_check_period=PT0.5S"
    ";evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.install_timeout=PT4S";

void own(const std::string& user, const std::string& path) {
  if (user.empty()) return;
  const passwd* entry = getpwnam(user.c_str());
  if (entry == nullptr || chown(path.c_str(), entry->pw_uid, entry->pw_gid) != 0)
    throw std::runtime_error("cannot give " + path + " to " + user);
}

}  // namespace

GaleraCluster::GaleraCluster() : user_(geteuid() == 0 ? "mysql" : "") {
  for (const char* program : {kProvider, "/usr/bin/wsrep_sst_rsync", "/usr/bin/rsync"})
    if (!std::filesystem::exists(program))
      throw std::runtime_error(std::string("there is no ") + program +
                               ": scripts/packages test installs it");
  for (Node& node : nodes_) {
    node.folder = std::make_unique<TemporaryFolder>();
    node.port = free_port();
    node.group_port = free_port();
    own(user_, node.folder->path());
  }
  make_folders(0);
  const Finished made = run({{"mariadb-install-db", "--no-defaults", "--datadir=" + file(0, "data"),
                              "--skip-test-db", "--auth-root-authentication-method=normal"},
                             {},
                             user_});
  if (made.status != 0) throw std::runtime_error("mariadb-install-db: " + made.out + made.err);
  launch(0, {"--wsrep-new-cluster"});
  const auto end = Wall::now() + kJoin;
  for (int node = 0; node < kNodes; ++node) {  // one after the other: one copies for the next
    if (node > 0) start(node, Rejoin::as_empty);
    while (!has_joined(node)) {
      if (Wall::now() > end || of(node).process->wait(milliseconds{100}))
        throw std::runtime_error("a node did not start: " + log(node));
    }
  }
}

GaleraCluster::~GaleraCluster() {
  for (Node& node : nodes_)
    if (node.process) node.process->signal(SIGKILL);
  for (Node& node : nodes_)
    if (node.process) node.process->wait(std::chrono::seconds(10));
}

std::string GaleraCluster::file(int node, const std::string& name) const {
  return of(node).folder->path() + "/" + name;
}

void GaleraCluster::make_folders(int node) {
  for (const char* name : {"data", "tmp"}) {
    std::filesystem::remove_all(file(node, name));
    std::filesystem::create_directory(file(node, name));
    own(user_, file(node, name));
  }
}

std::vector<std::string> GaleraCluster::words(int node) const {
  std::string others;
  for (const Node& each : nodes_)
    others += (others.empty() ? "" : ",") + ("127.0.0.1:" + std::to_string(each.group_port));
  const std::string own_address = "127.0.0.1:" + std::to_string(of(node).group_port);
  return {"mariadbd",
          "--no-defaults",
          "--datadir=" + file(node, "data"),
          "--tmpdir=" + file(node, "tmp"),
          "--bind-address=127.0.0.1",
          "--port=" + std::to_string(of(node).port),
          "--socket=" + file(node, "socket"),
          "--pid-file=" + file(node, "pid"),
          "--skip-log-bin",
          "--binlog-format=ROW",
          "--default-storage-engine=InnoDB",
          "--innodb-autoinc-lock-mode=2",
          "--innodb-flush-method=nosync",
          "--innodb-flush-log-at-trx-commit=1",
          "--innodb-buffer-pool-size=48M",
          "--innodb-log-file-size=16M",
          "--wsrep-on=ON",
          std::string("--wsrep-provider=").append(kProvider),
          "--wsrep-cluster-name=tests",
          std::string("--wsrep-cluster-address=gcomm://").append(others),
          std::string("--wsrep-node-name=node").append(std::to_string(node)),
          std::string("--wsrep-node-address=").append(own_address),
          "--wsrep-sst-method=rsync"};
}

// The two ports of a transfer are new each time: a process of one that was cut off may have them.
void GaleraCluster::launch(int node, const std::vector<std::string>& more) {
  Program program{words(node), {}, user_};
  program.argv.insert(program.argv.end(),
                      {"--log-error=" + file(node, "log.err"),
                       "--wsrep-sst-receive-address=127.0.0.1:" + std::to_string(free_port()),
                       "--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:" +
                           std::to_string(of(node).group_port) +
                           ";ist.recv_addr=127.0.0.1:" + std::to_string(free_port()) + kGroup});
  program.argv.insert(program.argv.end(), more.begin(), more.end());
  of(node).process = std::make_unique<ChildProcess>(program);
  of(node).is_frozen = false;
}

// Where a node that was killed stands, by InnoDB's log; empty: it cannot tell.
std::string GaleraCluster::position(int node) const {
  Program program{words(node), {}, user_};
  const std::string log = file(node, "position.err");
  std::filesystem::remove(log);
  program.argv.insert(program.argv.end(), {"--wsrep-recover", "--log-error=" + log});
  run(program);
  const std::string said = read_file(log), mark = "Recovered position: ";
  const auto at = said.rfind(mark);
  if (at == std::string::npos) return {};
  const auto begin = at + mark.size();
  return said.substr(begin, said.find('\n', begin) - begin);
}

void GaleraCluster::start(int node, Rejoin how) {
  if (how == Rejoin::as_empty) {
    make_folders(node);
    return launch(node, {});
  }
  const std::string stands_at = position(node);
  launch(node, stands_at.empty() ? std::vector<std::string>{}
                                 : std::vector{"--wsrep-start-position=" + stands_at});
}

void GaleraCluster::stop(int node) {
  of(node).process->signal(SIGTERM);
  if (!of(node).process->wait(std::chrono::seconds(30))) kill(node);
}

void GaleraCluster::kill(int node) {
  of(node).process->signal(SIGKILL);
  of(node).process->wait(std::chrono::seconds(10));
  of(node).is_frozen = false;
}

void GaleraCluster::freeze(int node) {
  of(node).process->signal(SIGSTOP);
  of(node).is_frozen = true;
}

void GaleraCluster::thaw(int node) {
  of(node).process->signal(SIGCONT);
  of(node).is_frozen = false;
}

void GaleraCluster::cut(int node) {
  sql(node, "", "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'");
}

void GaleraCluster::mend(int node) {
  sql(node, "", "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'");
}

std::optional<std::string> GaleraCluster::sql(int node, const std::string& database,
                                              const std::string& text, Deadline deadline) const {
  if (of(node).is_frozen) return std::nullopt;
  Program client{{"mariadb", "--no-defaults", "--user=root", "--host=127.0.0.1",
                  "--port=" + std::to_string(of(node).port), "--connect-timeout=2", "--batch",
                  "--skip-column-names", "--execute=" + text},
                 {}};
  if (!database.empty()) client.argv.push_back("--database=" + database);
  ChildProcess child(client);
  const auto status = child.wait(deadline);
  if (!status || *status != 0) return std::nullopt;
  std::string printed = child.out();
  while (printed.ends_with('\n'))
    printed.pop_back();
  return printed;
}

// One that was frozen says that it has joined until it knows that the others have gone on without
// it; then it takes nothing before it has joined again.
std::string GaleraCluster::tell(int node, const std::string& database,
                                const std::string& text) const {
  const auto end = Wall::now() + kTell;
  for (;;) {
    if (const auto printed = sql(node, database, text, kTell)) return *printed;
    if (Wall::now() > end || of(node).process->wait(milliseconds{200}))
      throw std::runtime_error("node " + std::to_string(node) + " does not take: " + text + "; " +
                               log(node));
  }
}

bool GaleraCluster::has_joined(int node) const {
  const auto state = sql(node, "",
                         "SELECT GROUP_CONCAT(variable_value ORDER BY variable_name) FROM"
                         " information_schema.global_status WHERE variable_name IN"
                         " ('wsrep_cluster_status', 'wsrep_local_state_comment', 'wsrep_ready')");
  return state == "Primary,Synced,ON";
}

// Where no node has a quorum, makes the node with the most transactions the primary component, as a
// person would. Two must say that they have none: one that copies from another takes no statement.
void GaleraCluster::make_primary() {
  int best = -1, alone = 0;
  long most = -1;
  for (int node = 0; node < kNodes; ++node) {
    const auto state =
        sql(node, "",
            "SELECT GROUP_CONCAT(variable_value ORDER BY variable_name SEPARATOR ' ')"
            " FROM information_schema.global_status WHERE variable_name IN"
            " ('wsrep_cluster_status', 'wsrep_last_committed')");
    if (!state) continue;
    const std::string mark = "non-Primary ";
    if (!state->starts_with(mark)) return;
    ++alone;
    const auto has = static_cast<long>(std::stoull(state->substr(mark.size())));
    if (has > most) best = node;
    most = std::max(most, has);
  }
  if (alone >= 2) sql(best, "", "SET GLOBAL wsrep_provider_options = 'pc.bootstrap=1'");
}

// A node whose process has ended, as one does whose copy of another failed, begins as an empty one.
void GaleraCluster::start_what_ended() {
  for (int node = 0; node < kNodes; ++node)
    if (of(node).process->wait(milliseconds{0})) start(node, Rejoin::as_empty);
}

void GaleraCluster::wait_until_whole(Deadline deadline) {
  const auto end = Wall::now() + deadline;
  auto without_quorum = Wall::now() + kQuorum;
  for (int node = 0; node < kNodes; ++node) {
    while (!has_joined(node) ||
           sql(node, "", "SHOW STATUS LIKE 'wsrep_cluster_size'") != "wsrep_cluster_size\t3") {
      if (Wall::now() > end)
        throw std::runtime_error("node " + std::to_string(node) + " has not joined: " + log(node));
      of(node).process->wait(milliseconds{100});
      start_what_ended();
      if (Wall::now() < without_quorum) continue;
      make_primary();
      without_quorum = Wall::now() + kQuorum;
    }
  }
}

void GaleraCluster::let_pass(Deadline time) {
  for (Node& node : nodes_) {
    if (node.process->wait(milliseconds{0})) continue;
    node.process->wait(time);
    return;
  }
}

std::string GaleraCluster::create_database() {
  const std::string name = "crm_" + std::to_string(++databases_);
  wait_until_whole(kJoin);  // a round that was given up may have left one that has not
  tell(0, "", "CREATE DATABASE IF NOT EXISTS " + name + " CHARACTER SET utf8mb4");
  return name;
}

// Without a key each row of a change is looked for in the whole table by those who apply it.
void GaleraCluster::make_lag(const std::string& database, int by_node) {
  tell(by_node, database,
       "CREATE TABLE IF NOT EXISTS keyless (n INT, pad CHAR(100) DEFAULT '');"
       "INSERT INTO keyless (n) SELECT 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM keyless);");
  for (int rows = std::stoi(tell(by_node, database, "SELECT COUNT(*) FROM keyless")); rows < 8192;
       rows *= 2)
    tell(by_node, database, "INSERT INTO keyless (n) SELECT n FROM keyless");
  for (int times = 0; times < 2; ++times)
    tell(by_node, database, "UPDATE keyless SET n = n + 1");
}

int GaleraCluster::waiting_at(int node) const {
  const auto waits = sql(node, "",
                         "SELECT variable_value FROM information_schema.global_status"
                         " WHERE variable_name = 'wsrep_local_recv_queue'");
  return waits && !waits->empty() ? std::stoi(*waits) : 0;
}

std::string GaleraCluster::odbc(int port, const std::string& database) {
  return "odbc://Driver=MariaDB Unicode;Server=127.0.0.1;Port=" + std::to_string(port) +
         ";UID=root;Database=" + database + ";";
}

std::string GaleraCluster::log(int node) const {
  try {
    const std::string all = read_file(file(node, "log.err"));
    return all.size() > kLogMax ? all.substr(all.size() - kLogMax) : all;
  } catch (const std::runtime_error&) {
    return "it has no log";
  }
}

}  // namespace support
