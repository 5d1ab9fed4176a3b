#include "tests/cluster/cluster_world.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace cluster {

using namespace std::chrono_literals;
using support::GaleraCluster;

namespace {

constexpr auto kFaultsFor = 30s;
constexpr auto kLook = 50ms;
constexpr auto kWholeWithin = 90s;
constexpr auto kSettledWithin = 60s;
constexpr support::Deadline kCommand = 60s;

// A pull that reads a record again mends a `forget` on a node that lags. After this time it does
// not read the record again (`overlap`, below).
constexpr auto kNotReadAgain = 2s;

// What the protection says (dialect/mariadb.cpp), and words of the same length without effect. By
// the second a session learns that it is one of a cluster.
const support::FaultyProxy::OtherWords kLate = {{"wsrep_sync_wait = 7", "wsrep_sync_wait = 0"}};
const support::FaultyProxy::OtherWords kUnprotected = {
    kLate.front(), {"variable_value = 'ON'", "variable_value = 'NO'"}};

std::string text_of_config(const std::string& connection, const std::string& url, bool resend,
                           int batch_size, int in_flight) {
  return fmt::format(R"(
[service]
base_url = "{}"
timeout = "2s"
[service.auth]
kind = "bearer"
token = {{ env = "BRIDGE_TOKEN" }}
[service.pace]
max_per_second = 1000
[crm]
connection = "{}"
[push.orders]
brake = false
every = "300ms"
query = "SELECT id, email, first_name, delivered_at FROM orders"
key = "id"
when = "delivered_at"
start = 2020-01-01
correlate = "OrderNumber"
settle = "5s"
doubt = "{}"
in_flight = {}
[push.orders.batch]
size = {}
ApproveAutomatically = true
[push.orders.customer]
Email = "email"
TransactionDate = "delivered_at"
[push.orders.customer.Data]
OrderNumber = "id"
FirstName = "first_name"
[pull.customers]
every = "300ms"
from = 2020-01-01
by = "LastActivityDate"
overlap = "1500ms"
limit = 20
[[pull.customers.write]]
table = "orders"
match = {{ id = "Data[OrderNumber]" }}
set = {{ survey_status = "Status.StatusName" }}
forget = true
)",
                     url, connection, resend ? "resend" : "hold", in_flight, batch_size);
}

std::string address_of(int order) {
  return fmt::format("person{}@example.test", order);
}

constexpr const char* kStates =
    "SELECT o.id, COALESCE(p.state, ''), COALESCE(p.reason, ''),"
    " (SELECT COUNT(*) FROM survey_push_event e WHERE e.push = 'orders' AND e.`key` = p.`key`"
    " AND e.state = 'in_doubt')"
    " FROM orders o LEFT JOIN survey_push p ON p.push = 'orders' AND p.`key` ="
    " CAST(o.id AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_nopad_bin ORDER BY o.id";

}  // namespace

std::string Outcome::text() const {
  std::string said = fmt::format(
      "seed {}: {} orders: {} sent, {} held, {} people forgotten; nodes: {} killed, {} stopped, {} "
      "frozen, {} cut off, {} lags; {} back by position, {} as empty; daemons: {} killed, {} "
      "frozen; whole after {:.0f} s, settled {:.0f} s later; {}",
      seed, orders, sent, held, forgotten, nodes_killed, nodes_stopped, nodes_frozen, nodes_cut,
      lags, by_position, as_empty, daemons_killed, daemons_frozen, whole_after, settled_after,
      faults.empty() ? "it adds up" : "FAULTS:");
  for (const auto& fault : faults)
    said += "\n  " + fault;
  return said;
}

ClusterWorld::ClusterWorld(GaleraCluster& cluster, std::uint64_t seed, Protection protection)
    : cluster_(cluster),
      protection_(protection),
      random_(seed),
      database_(cluster.create_database()) {
  outcome_.seed = seed;
  const bool resend = chance(0.5);
  const int batch_size = draw(2, 10), in_flight = draw(1, 3);
  for (int node = 0; node < GaleraCluster::kNodes; ++node) {
    int port = cluster_.port(node);
    if (protection != Protection::whole) {
      proxies_.push_back(std::make_unique<support::FaultyProxy>(
          port, support::FaultyProxy::Faults{}, seed,
          protection == Protection::late ? kLate : kUnprotected));
      port = proxies_.back()->port();
    }
    folder_.write(fmt::format("node{}.toml", node),
                  text_of_config(GaleraCluster::odbc(port, database_), sandbox_.url(), resend,
                                 batch_size, in_flight));
  }
}

std::string ClusterWorld::config(int node) const {
  return fmt::format("{}/node{}.toml", folder_.path(), node);
}

support::Finished ClusterWorld::command(int node, std::vector<std::string> arguments) const {
  arguments.insert(arguments.end(), {"-c", config(node)});
  return support::run(program::bridge_program(arguments), kCommand);
}

// The first order shows that the service lists what it was sent: otherwise no absence is believed
// for a day. The first `forget` makes the rows that the next ones write.
void ClusterWorld::prepare() {
  cluster_.tell(
      0, database_,
      "CREATE TABLE IF NOT EXISTS orders (id BIGINT PRIMARY KEY, email VARCHAR(200), first_name"
      " VARCHAR(200), delivered_at DATETIME(6), survey_status VARCHAR(50))");
  order_at(0);
  const auto synced = command(0, {"sync"});
  const auto row = rows(0, "SELECT COUNT(*) FROM survey_push WHERE state = 'sent'");
  if (row.at(0).at(0) != "1") throw std::runtime_error("the first order: " + synced.err);
  const auto done = command(0, {"forget", "--unknown", "nobody@example.test"});
  if (done.status != 0) throw std::runtime_error("the first forget: " + done.err);
  const auto checked = command(0, {"check"});
  const bool is_told =
      (checked.out + checked.err).find("wsrep_sync_wait cannot be set") != std::string::npos;
  if (is_told != (protection_ == Protection::late))
    complain("check does not tell what the session was not told, or tells it wrongly");
}

// --- Daemons ---

void ClusterWorld::start_daemon(int node) {
  Running& daemon = daemons_.at(static_cast<std::size_t>(node));
  daemon.process =
      std::make_unique<support::ChildProcess>(program::bridge_program({"run", "-c", config(node)}));
  daemon.frozen_until.reset();
}

void ClusterWorld::kill_daemon(int node) {
  Running& daemon = daemons_.at(static_cast<std::size_t>(node));
  if (!daemon.process) return;
  daemon.process->signal(SIGKILL);
  daemon.process->wait(10s);
  daemon.process.reset();
}

// One that ends by itself is started again, as systemd does, where it says that a database was
// away.
void ClusterWorld::look_at_daemons() {
  constexpr int kUnreachable = 69;
  for (int node = 0; node < GaleraCluster::kNodes; ++node) {
    Running& daemon = daemons_.at(static_cast<std::size_t>(node));
    if (!daemon.process) continue;
    const auto status = daemon.process->wait(0ms);
    if (!status) continue;
    if (*status != kUnreachable)
      complain(fmt::format("a daemon ended by itself with {}: {}", *status, daemon.process->err()));
    start_daemon(node);
  }
}

void ClusterWorld::act_on_daemons() {
  const int node = draw(0, GaleraCluster::kNodes - 1);
  Running& daemon = daemons_.at(static_cast<std::size_t>(node));
  if (!daemon.process) {
    if (chance(0.2)) start_daemon(node);
  } else if (daemon.frozen_until) {
    if (Wall::now() < *daemon.frozen_until) return;
    daemon.process->signal(SIGCONT);
    daemon.frozen_until.reset();
  } else if (chance(0.02)) {
    kill_daemon(node);
    ++outcome_.daemons_killed;
  } else if (chance(0.02)) {
    daemon.process->signal(SIGSTOP);
    daemon.frozen_until = Wall::now() + std::chrono::milliseconds(draw(300, 6000));
    ++outcome_.daemons_frozen;
  }
}

// --- Nodes ---

bool ClusterWorld::is_healthy(int node) const {
  return trouble_ == Trouble::none || (node != troubled_ && node != frozen_too_);
}

int ClusterWorld::healthy_node() {
  for (;;) {
    const int node = draw(0, GaleraCluster::kNodes - 1);
    if (is_healthy(node)) return node;
  }
}

// One node at a time, and the next one when all have joined; a second may be frozen beside it, and
// then the third has no quorum.
void ClusterWorld::begin_trouble() {
  for (int node = 0; node < GaleraCluster::kNodes; ++node)
    if (!cluster_.has_joined(node)) return;
  troubled_ = draw(0, GaleraCluster::kNodes - 1);
  auto lasts = std::chrono::milliseconds(draw(500, 5000));
  switch (draw(0, 9)) {
    case 0:
    case 1:
    case 2:
      cluster_.kill(troubled_);
      trouble_ = Trouble::down;
      ++outcome_.nodes_killed;
      break;
    case 3:
      cluster_.stop(troubled_);
      trouble_ = Trouble::down;
      ++outcome_.nodes_stopped;
      break;
    case 4:
      cluster_.cut(troubled_);
      trouble_ = Trouble::cut;
      ++outcome_.nodes_cut;
      break;
    case 5:
    case 6:
    case 7:
      return forget_where_it_lags();
    default:
      cluster_.freeze(troubled_);
      trouble_ = Trouble::frozen;
      ++outcome_.nodes_frozen;
      if (chance(0.3)) {
        frozen_too_ = (troubled_ + 1) % GaleraCluster::kNodes;
        cluster_.freeze(frozen_too_);
        ++outcome_.nodes_frozen;
      }
      break;
  }
  trouble_ends_ = Wall::now() + lasts;
}

void ClusterWorld::end_trouble() {
  switch (trouble_) {
    case Trouble::none:
      return;
    case Trouble::down: {
      const bool empty = chance(0.3);
      cluster_.start(troubled_,
                     empty ? GaleraCluster::Rejoin::as_empty : GaleraCluster::Rejoin::by_position);
      ++(empty ? outcome_.as_empty : outcome_.by_position);
      break;
    }
    case Trouble::cut:
      cluster_.mend(troubled_);
      break;
    case Trouble::frozen:
      cluster_.thaw(troubled_);
      if (frozen_too_ >= 0) cluster_.thaw(frozen_too_);
      break;
  }
  trouble_ = Trouble::none;
  frozen_too_ = -1;
}

void ClusterWorld::act_on_nodes() {
  if (trouble_ != Trouble::none) {
    if (Wall::now() > trouble_ends_) end_trouble();
  } else if (chance(0.2)) {
    begin_trouble();
  }
}

// --- The CRM and its people ---

std::vector<std::vector<std::string>> ClusterWorld::rows(int node, const std::string& sql) const {
  std::vector<std::vector<std::string>> all;
  std::istringstream lines(
      cluster_.tell(node, database_, "SET SESSION wsrep_sync_wait = 7; " + sql));
  for (std::string line; std::getline(lines, line);) {
    auto& row = all.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');)
      row.push_back(cell);
  }
  return all;
}

void ClusterWorld::order_at(int node) {
  const int order = ++outcome_.orders;
  not_sure_.insert(order);
  const auto done = cluster_.sql(
      node, database_,
      fmt::format("INSERT IGNORE INTO orders VALUES ({}, '{}', 'Name{}', UTC_TIMESTAMP(6), NULL)",
                  order, address_of(order), order),
      2s);
  if (done) not_sure_.erase(order);
}

// The shop does again what was not answered.
void ClusterWorld::order_again() {
  for (const int order : not_sure_)
    cluster_.tell(0, database_,
                  fmt::format("INSERT IGNORE INTO orders VALUES"
                              " ({}, '{}', 'Name{}', UTC_TIMESTAMP(6), NULL)",
                              order, address_of(order), order));
  not_sure_.clear();
}

// 0: done. 1: done, and something is under way that cannot be called back.
void ClusterWorld::forget(int node, int order) {
  const auto done = command(node, {"forget", "--unknown", address_of(order)});
  const bool is_done = done.status == 0 || done.status == 1;
  if (is_done) to_forget_.erase(order);
  if (!is_done) forget_said_ = fmt::format("{}: {} {}", order, done.status, done.err);
  (is_done ? forgotten_ : to_forget_).insert(order);
}

void ClusterWorld::forget_somebody() {
  forget(healthy_node(), draw(std::max(1, outcome_.orders - 10), outcome_.orders));
}

std::optional<int> ClusterWorld::order_that_lacks_at(int node, int by_node) const {
  const char* last = "SELECT COALESCE(MAX(id), 0) FROM survey_customer";
  const auto known = cluster_.sql(node, database_, last, 2s);
  if (!known) return std::nullopt;
  const auto more = cluster_.sql(
      by_node, database_,
      "SELECT SUBSTRING_INDEX(SUBSTR(email, 7), '@', 1) FROM survey_customer WHERE id > " + *known +
          " AND email LIKE 'person%' LIMIT 1",
      2s);
  if (!more || more->empty()) return std::nullopt;
  return std::stoi(*more);
}

// Two nodes work at a long change of the third one's, whose daemon is the only one, so that it
// stores what the two do not show yet.
void ClusterWorld::forget_where_it_lags() {
  const int behind = troubled_, by_node = (behind + 1) % GaleraCluster::kNodes;
  for (int node = 0; node < GaleraCluster::kNodes; ++node)
    if (node != by_node) kill_daemon(node);
  Running& only = daemons_.at(static_cast<std::size_t>(by_node));
  if (!only.process) start_daemon(by_node);
  if (only.frozen_until) only.process->signal(SIGCONT);
  only.frozen_until.reset();
  const auto stored = cluster_.tell(by_node, database_, "SELECT COUNT(*) FROM survey_customer");
  order_at(by_node);
  for (const auto end = Wall::now() + 15s; Wall::now() < end;) {  // until it has every lease
    if (cluster_.sql(by_node, database_, "SELECT COUNT(*) FROM survey_customer") != stored) break;
    cluster_.let_pass(kLook);
  }
  ++outcome_.lags;
  for (int i = 0; i < 3; ++i)
    order_at(by_node);
  cluster_.let_pass(500ms);
  cluster_.make_lag(database_, by_node);
  for (const auto end = Wall::now() + 5s; Wall::now() < end;) {
    if (const auto order = order_that_lacks_at(behind, by_node)) {
      cluster_.let_pass(kNotReadAgain);
      if (order_that_lacks_at(behind, by_node)) forget(behind, *order);
      return;
    }
    if (cluster_.waiting_at(behind) == 0) return;
    cluster_.let_pass(10ms);
  }
}

// --- A round ---

void ClusterWorld::live_with_faults() {
  for (int node = 0; node < GaleraCluster::kNodes; ++node)
    start_daemon(node);
  for (const auto end = Wall::now() + kFaultsFor; Wall::now() < end;) {
    if (chance(0.4)) order_at(healthy_node());
    if (chance(0.02)) forget_somebody();
    act_on_daemons();
    act_on_nodes();
    look_at_daemons();
    cluster_.let_pass(kLook);
  }
  // Once in each round, whatever is drawn.
  end_trouble();
  cluster_.wait_until_whole(kWholeWithin);
  lagging_round();
}

// What is not at its end, as a sentence; empty: nothing.
std::string ClusterWorld::waits() const {
  std::map<std::string, int> open;
  for (const auto& row : rows(0, kStates))
    if (row.at(1) != "sent" && row.at(1) != "held" && row.at(1) != "suppressed") ++open[row.at(1)];
  std::string said;
  for (const auto& [state, count] : open)
    said += fmt::format("{} {}; ", count, state.empty() ? "unknown to the ledger" : state);
  for (const int order : to_forget_)
    said += fmt::format("{} not forgotten; ", order);
  std::set<std::string> stored;
  for (const auto& row : rows(0, "SELECT email FROM survey_customer"))
    stored.insert(row.at(0));
  for (const auto& customer : sandbox_.customers()) {
    const std::string key = customer.at("data").at("OrderNumber");
    if (!forgotten_.contains(std::stoi(key)) && !stored.contains(customer.at("email")))
      said += fmt::format("the customer of {} is not stored; ", key);
  }
  return said;
}

void ClusterWorld::come_to_rest() {
  const auto since = [](Wall::time_point begin) {
    return std::chrono::duration<double>(Wall::now() - begin).count();
  };
  auto begin = Wall::now();
  end_trouble();
  for (int node = 0; node < GaleraCluster::kNodes; ++node) {
    Running& daemon = daemons_.at(static_cast<std::size_t>(node));
    if (!daemon.process) start_daemon(node);
    if (daemon.frozen_until) daemon.process->signal(SIGCONT);
    daemon.frozen_until.reset();
  }
  cluster_.wait_until_whole(kWholeWithin);
  outcome_.whole_after = since(begin);
  begin = Wall::now();
  order_again();
  for (std::string left = waits(); !left.empty(); left = waits()) {
    if (Wall::now() - begin > kSettledWithin) {
      // What was stored though forgotten is said by the checks.
      complain("not settled: " + left + "the last forget that failed: " + forget_said_);
      break;
    }
    for (const int order : std::set<int>(to_forget_))  // as a person who is told to type it again
      forget(0, order);
    look_at_daemons();
    cluster_.let_pass(200ms);
  }
  outcome_.settled_after = since(begin);
}

void ClusterWorld::stop_daemons() {
  for (Running& daemon : daemons_)
    if (daemon.process) daemon.process->signal(SIGTERM);
  for (Running& daemon : daemons_) {
    if (daemon.process && !daemon.process->wait(20s)) complain("a daemon does not stop");
    daemon.process.reset();
  }
}

void ClusterWorld::check_orders() {
  std::map<std::string, int> times;
  for (const auto& customer : sandbox_.customers()) {
    const std::string key = customer.at("data").at("OrderNumber");
    ++times[key];
    if (customer.at("email") != address_of(std::stoi(key)))
      complain(key + ": mailed to another address");
  }
  std::set<int> known;
  for (const auto& row : rows(0, kStates)) {
    const std::string &key = row.at(0), &state = row.at(1);
    known.insert(std::stoi(key));
    const int mailed = times[key];
    if (mailed > 1) complain(fmt::format("{}: mailed {} times", key, mailed));
    if (state == "sent") {
      ++outcome_.sent;
      if (mailed == 0) complain(key + ": lost: sent, but not at the service");
    } else if (mailed > 0) {
      complain(fmt::format("{}: {}, but at the service", key, state));
    } else if (state == "held") {
      ++outcome_.held;
      if (row.at(3) == "0") complain(key + ": held, though it was never in doubt");
    } else if (state == "suppressed" && !forgotten_.contains(std::stoi(key))) {
      complain(key + ": suppressed without cause");
    }
  }
  for (int order = 1; order <= outcome_.orders; ++order)
    if (!known.contains(order)) complain(fmt::format("{}: the CRM has lost it", order));
}

void ClusterWorld::check_node(int node) {
  const auto there = [&](const char* sql, const char* what) {
    for (const auto& row : rows(node, sql))
      if (forgotten_.contains(std::stoi(row.at(0))))
        complain(fmt::format("{}: forgotten, and node {} has {}", row.at(0), node, what));
  };
  there(
      "SELECT SUBSTRING_INDEX(SUBSTR(email, 7), '@', 1) FROM survey_customer"
      " WHERE email LIKE 'person%'",
      "the customer");
  there("SELECT `key` FROM survey_invitation WHERE `key` IS NOT NULL", "the invitation");
  there("SELECT id FROM orders WHERE survey_status IS NOT NULL", "what was written back");
  const char* sums = "CHECKSUM TABLE orders, survey_push, survey_customer, survey_person";
  if (rows(node, sums) != rows(0, sums))
    complain(fmt::format("node {} has other rows than node 0", node));
}

Outcome ClusterWorld::guarded(void (ClusterWorld::*round)()) {
  try {
    prepare();
    (this->*round)();
    come_to_rest();
    stop_daemons();
    check_orders();
    for (int node = 0; node < GaleraCluster::kNodes; ++node)
      check_node(node);
  } catch (const std::exception& error) {
    complain(std::string("no progress: ") + error.what());
    end_trouble();
  }
  outcome_.forgotten = static_cast<int>(forgotten_.size());
  return outcome_;
}

void ClusterWorld::whole_round() {
  live_with_faults();
}

void ClusterWorld::lagging_round() {
  troubled_ = draw(0, GaleraCluster::kNodes - 1);
  forget_where_it_lags();
}

Outcome ClusterWorld::run() {
  return guarded(&ClusterWorld::whole_round);
}

Outcome ClusterWorld::run_forget_on_a_node_that_lags() {
  return guarded(&ClusterWorld::lagging_round);
}

}  // namespace cluster
