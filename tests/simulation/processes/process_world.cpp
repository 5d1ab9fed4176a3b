#include "tests/simulation/processes/process_world.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "connectors/crm/pulled/follow_up_store.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "mapping/tables/tables.hpp"
#include "tests/simulation/configuration.hpp"
#include "tests/simulation/follow_up_checks.hpp"
#include "tests/support/paths.hpp"

namespace simulation {

using namespace surveybridge;
using namespace std::chrono_literals;
using Wall = std::chrono::steady_clock;

namespace {

constexpr auto kFaultsFor = 5s, kFaultsOfFollowUpsFor = 10s;
// On a slow machine the faults last until so many messages have failed.
constexpr int kToldInVain = 2;
constexpr auto kFaultsAtMost = 60s;
constexpr auto kRestWithin = 120s;
constexpr int kSyncs = 5;
constexpr auto kLook = 25ms;
constexpr support::Deadline kCommand = 60s;
constexpr int kScoreLimit = 8;  // most answers are told

// So that those who answer do so within the seconds that a world lasts.
constexpr double kLivesFast = 2'000'000;

double lives_speed(const ProcessDrawn& drawn, std::uint64_t seed) {
  if (drawn.follow_ups) return kLivesFast;
  return seed % 2 == 0 ? 0 : 2000;
}

ProcessDrawn drawn_in(const World& world, std::uint64_t seed) {
  auto drawn = draw_processes(seed);
  drawn.follow_ups = drawn.follow_ups && world.contains(Extra::follow_ups);
  return drawn;
}

std::string follow_up_to(const std::string& url) {
  return fmt::format(R"([pull.customers.follow_up.unhappy]
to = ["desk"]
when = [{{ "Answers[{}].SelectedScalePositions[0].Value" = "<= {}" }}, {{ IsContactRequested = true }}]
[alert.desk]
webhook = "{}/hook"
kinds = []
)",
                     kScoreQuestion, kScoreLimit, url);
}

std::string configured(const ProcessDrawn& drawn, const std::string& connection,
                       const std::string& url) {
  return fmt::format(R"(
[service]
base_url = "{}"
timeout = "1s"
[service.auth]
kind = "none"
[service.pace]
max_per_second = 1000
[crm]
connection = "{}"
[push.orders]
brake = {}
every = "200ms"
query = "SELECT id, email, first_name, delivered_at FROM orders"
key = "id"
when = "delivered_at"
start = 2020-01-01
correlate = "OrderNumber"
settle = "10s"
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
every = "500ms"
from = 2020-01-01
by = "LastActivityDate"
overlap = "1h"
limit = 7
)",
                     url, connection, drawn.brake, drawn.resend ? "resend" : "hold",
                     drawn.in_flight, drawn.batch_size);
}

std::string connection_to(int port, const std::string& database) {
  return fmt::format("postgresql://host=127.0.0.1 port={} user=bridge dbname={}", port, database);
}

support::Program bridge(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), support::bin_dir() + "/surveybridge");
  return {std::move(arguments), {}};
}

std::string address_of(int order) {
  return order % 17 == 3 ? "nobody" : fmt::format("person{}@example.test", order);
}

const char* const kAtRest =
    "SELECT count(*) FROM orders o LEFT JOIN survey_push p ON p.push = 'orders'"
    " AND p.key = CAST(o.id AS text) WHERE coalesce(p.state, '')"
    " NOT IN ('sent', 'held', 'quarantined', 'suppressed')";

}  // namespace

ProcessWorld::ProcessWorld(std::uint64_t seed, const World& world,
                           const support::PostgresServer& server, const std::string& database)
    : seed_(seed),
      database_(database),
      drawn_(drawn_in(world, seed)),
      random_(seed ^ 0x5EEDULL),
      service_(drawn_.wire, world.contains(Extra::lies), lives_speed(drawn_, seed), seed),
      receiver_(seed),
      proxy_(server.port(), drawn_.database, seed),
      direct_(connection_to(server.port(), database)),
      config_(folder_.write("bridge.toml",
                            configuration(drawn_, connection_to(proxy_.port(), database)))),
      direct_config_(folder_.write("direct.toml", configuration(drawn_, direct_))),
      crm_(crm::open_database(direct_)),
      daemons_(static_cast<std::size_t>(drawn_.daemons)),
      started_at_(daemons_.size()) {
  report_.seed = seed;
  report_.extras = fmt::format(
      "{} daemons, {} rows, batches of {}, in_flight {}, doubt {}, brake {}, kills {}, forgets {}, "
      "wire faults {:.2f}, database delays {} and cuts {}, follow-ups {}",
      drawn_.daemons, drawn_.rows, drawn_.batch_size, drawn_.in_flight,
      drawn_.resend ? "resend" : "hold", drawn_.brake, drawn_.kill, drawn_.forget_share,
      drawn_.wire, drawn_.database.delay, drawn_.database.cut, drawn_.follow_ups);
  crm_->execute(
      {"CREATE TABLE orders (id bigint PRIMARY KEY, email text, first_name text,"
       " delivered_at timestamptz)",
       {}});
  crm::make_schema(*crm_);  // so that its tables can be asked from the first moment
}

std::string ProcessWorld::configuration(const ProcessDrawn& drawn,
                                        const std::string& connection) const {
  return configured(drawn, connection, service_.url()) +
         (drawn.follow_ups ? follow_up_to(receiver_.url()) : "");
}

void ProcessWorld::start(std::size_t index) {
  started_at_[index] = Wall::now();
  daemons_[index] = std::make_unique<support::ChildProcess>(bridge({"run", "-c", config_}));
}

void ProcessWorld::insert_order(crm::Database& database) {
  ++orders_;
  database.execute(
      {"INSERT INTO orders VALUES (:p1, :p2, :p3, now())",
       {std::int64_t{orders_}, address_of(orders_), "Name" + std::to_string(orders_)}});
}

void ProcessWorld::kill(Child& child) {
  if (!child) return;
  child->signal(SIGKILL);
  child->wait(10s);
  child.reset();
  ++report_.crashes;
}

void ProcessWorld::commit_late() {
  if (!late_) return;
  late_->commit();
  late_.reset();
}

void ProcessWorld::forget_somebody() {
  if (orders_ == 0) return;
  const int order = between(random_, 1, orders_);
  if (address_of(order) == "nobody") return;
  const auto done = support::run(
      bridge({"forget", "--unknown", address_of(order), "-c", direct_config_}), kCommand);
  if (done.status == 0 || done.status == 1) forgotten_.insert(order);
}

// What happens between two looks.
void ProcessWorld::act() {
  if (orders_ < drawn_.rows && happens(random_, 0.2)) insert_order(*crm_);
  if (orders_ < drawn_.rows && !late_ && happens(random_, 0.02)) {
    late_ = crm::open_database(direct_);
    late_->begin();
    insert_order(*late_);
  } else if (happens(random_, 0.02)) {
    commit_late();
  }
  if (happens(random_, drawn_.forget_share)) forget_somebody();
  const auto index =
      static_cast<std::size_t>(between(random_, 0, static_cast<int>(daemons_.size()) - 1));
  if (!daemons_[index]) {
    if (happens(random_, 0.2)) start(index);
  } else if (happens(random_, drawn_.kill)) {
    kill(daemons_[index]);
  }
  if (receiver_.asks_for_kill())  // whoever waits is one of these
    std::ranges::for_each(daemons_, [this](Child& daemon) { kill(daemon); });
  if (happens(random_, 0.02)) operate();
  if (drawn_.brake && happens(random_, 0.03)) {
    ++report_.releases;
    release_what_waits();
  }
}

// As a person: decides what waits for a decision, or edits the configuration, which the daemons
// then read again.
void ProcessWorld::operate() {
  switch (between(random_, 0, 2)) {
    case 0:
      support::run(bridge({"doubt", "resend", "--all", "-c", direct_config_}), kCommand);
      return;
    case 1:
      support::run(bridge({"quarantine", "retry", "--all", "-c", direct_config_}), kCommand);
      return;
    default:
      break;
  }
  auto edited = drawn_;
  edited.batch_size = between(random_, 1, 10);
  edited.in_flight = between(random_, 1, 4);
  edited.resend = happens(random_, 0.5);
  // Renamed into its place: a daemon that starts now must not read half of it.
  std::filesystem::rename(
      folder_.write("edited.toml", configuration(edited, connection_to(proxy_.port(), database_))),
      config_);
  // One that has just started may not handle the signal yet.
  for (std::size_t i = 0; i < daemons_.size(); ++i)
    if (daemons_[i] && Wall::now() - started_at_[i] > 2s) daemons_[i]->signal(SIGHUP);
}

// As a person: looks, and confirms the number. Rows may have come meanwhile; then it is refused.
void ProcessWorld::release_what_waits() {
  const auto looked = support::run(bridge({"release", "orders", "-c", direct_config_}), kCommand);
  const std::string opening = "orders: ";
  if (!looked.out.starts_with(opening)) return;
  const std::string waiting =
      looked.out.substr(opening.size(), looked.out.find(' ', opening.size()) - opening.size());
  support::run(bridge({"release", "orders", "--confirm", waiting, "-c", direct_config_}), kCommand);
}

// Where nothing is known to be sent, no absence is believed for a day, which is longer than a world
// lasts (docs/GUARANTEES.md).
void ProcessWorld::send_first_order() {
  insert_order(*crm_);
  if (drawn_.brake) release_what_waits();
  sync_until(
      [this](int) { return number("SELECT count(*) FROM survey_push WHERE state = 'sent'") == 1; });
  service_.begin();
  receiver_.begin();
}

// A slow machine may take longer for an answer than `timeout`.
void ProcessWorld::sync_until(const std::function<bool(int status)>& is_done) {
  support::Finished synced;
  for (int tries = 0; tries < kSyncs; ++tries) {
    synced = support::run(bridge({"sync", "-c", direct_config_}), kCommand);
    if (is_done(synced.status)) return;
  }
  throw std::runtime_error("sync has not done all: " + synced.err);
}

void ProcessWorld::live_with_faults() {
  for (std::size_t i = 0; i < daemons_.size(); ++i)
    start(i);
  const auto begin = Wall::now();
  const auto last = drawn_.follow_ups ? kFaultsOfFollowUpsFor : kFaultsFor;
  const auto goes_on = [&] {
    const bool awaits_messages = drawn_.follow_ups && receiver_.in_vain() < kToldInVain;
    return Wall::now() < begin + (awaits_messages ? kFaultsAtMost : last);
  };
  while (goes_on()) {
    act();
    const auto alive = std::find_if(daemons_.begin(), daemons_.end(),
                                    [](const Child& child) { return child != nullptr; });
    if (alive == daemons_.end()) {
      start(0);
    } else if (const auto status = (*alive)->wait(kLook)) {
      throw std::runtime_error(
          fmt::format("a daemon ended by itself with {}: {}", *status, (*alive)->err()));
    }
  }
}

std::int64_t ProcessWorld::number(const std::string& sql) {
  return std::get<std::int64_t>(crm_->query({sql, {}}).rows.at(0).at(0));
}

bool ProcessWorld::at_rest() {
  if (number(kAtRest) != 0) return false;
  std::int64_t kept = 0;
  for (const auto& customer : service_.service().customers()) {
    const int order = std::stoi(customer.data.front().second);
    kept += forgotten_.contains(order) ? 0 : 1;
  }
  return number("SELECT count(*) FROM survey_customer") == kept;
}

// The faults are over: all daemons run, and within a bounded time nothing is left to do.
void ProcessWorld::come_to_rest() {
  proxy_.calm();
  service_.calm();
  receiver_.calm();
  commit_late();
  while (orders_ < drawn_.rows)
    insert_order(*crm_);
  for (std::size_t i = 0; i < daemons_.size(); ++i)
    if (!daemons_[i]) start(i);
  const auto end = Wall::now() + kRestWithin;
  for (int look = 0; !at_rest(); ++look) {
    if (Wall::now() > end)
      throw std::runtime_error(
          fmt::format("{} transactions have no end:\n{}", number(kAtRest),
                      support::run(bridge({"status", "-c", direct_config_}), kCommand).out));
    if (drawn_.brake && look % 10 == 0) release_what_waits();
    if (daemons_.front()->wait(200ms)) throw std::runtime_error("a daemon ended by itself");
  }
  for (auto& daemon : daemons_)
    daemon->signal(SIGTERM);
  for (auto& daemon : daemons_)
    daemon->wait(20s);
  if (drawn_.follow_ups) sync_until([](int status) { return status <= 1; });
}

void ProcessWorld::check_orders() {
  std::map<std::string, int> times;
  for (const auto& customer : service_.service().customers()) {
    const std::string& key = customer.data.front().second;
    ++times[key];
    if (customer.email != address_of(std::stoi(key)))
      report_.faults.push_back(key + ": mailed to another address");
  }
  const auto rows = crm_->query(
      {"SELECT CAST(o.id AS text), p.state, p.reason, (SELECT count(*) FROM survey_push_event e"
       " WHERE e.push = 'orders' AND e.key = p.key AND e.state = 'in_doubt')"
       " FROM orders o LEFT JOIN survey_push p ON p.key = CAST(o.id AS text)",
       {}});
  for (const auto& row : rows.rows) {
    const auto& key = std::get<std::string>(row[0]);
    const auto* state = std::get_if<std::string>(&row[1]);
    const auto complain = [&](const std::string& what) {
      report_.faults.push_back(fmt::format("{}: {}", key, what));
    };
    const int mailed = times[key];
    const auto doubts = std::get<std::int64_t>(row[3]);
    const bool hopeless = address_of(std::stoi(key)) == "nobody";
    report_.in_doubt += static_cast<int>(doubts);
    if (mailed > 1) complain(fmt::format("mailed {} times", mailed));
    if (state == nullptr) {
      complain("lost: the ledger does not know it");
    } else if (*state == "sent") {
      ++report_.sent;
      if (mailed == 0) complain("lost: sent, but not at the service");
    } else if (mailed > 0) {
      complain(*state + ", but at the service");
    } else if (*state == "held") {
      ++report_.held;
      if (doubts == 0) complain("held, though it was never in doubt");
    } else if (*state == "quarantined" && !hopeless) {
      complain("quarantined without cause");
    } else if (*state == "suppressed" && !forgotten_.contains(std::stoi(key))) {
      complain("suppressed without cause");
    }
  }
}

// Each customer of the service is stored once, but for those who were forgotten.
void ProcessWorld::check_customers() {
  std::set<std::int64_t> stored;
  for (const auto& row : crm_->query({"SELECT id FROM survey_customer", {}}).rows)
    stored.insert(std::get<std::int64_t>(row[0]));
  for (const auto& customer : service_.service().customers()) {
    const bool forgotten = forgotten_.contains(std::stoi(customer.data.front().second));
    if (stored.contains(customer.id) == forgotten) {
      report_.faults.push_back(fmt::format("customer {}: {}", customer.id,
                                           forgotten ? "stored, though forgotten" : "not stored"));
    }
  }
}

// Each stored answer that asks for a message was told, and no other. One that was taken is told
// again only where its daemon could not note that: it was killed, or lost its database.
void ProcessWorld::check_follow_ups() {
  if (!drawn_.follow_ups) return;
  std::ranges::move(receiver_.faults(), std::back_inserter(report_.faults));
  auto told = receiver_.told();
  const auto since = crm::FollowUpStore(*crm_).since("customers", "unhappy");
  const auto& root = mapping::customer();
  const auto keys = crm::stored_keys(*crm_, root, "", drawn_.rows * 2);
  for (const auto& customer : crm::stored_records(*crm_, root, keys)) {
    if (!asks_for_follow_up(customer, kScoreLimit) || !is_since(customer, since)) continue;
    const auto number = crm::text_in(mapping::key_of(customer));
    if (!told[number]) report_.faults.push_back(number + ": never told");
    report_.told += told[number] ? 1 : 0;
  }
  if (receiver_.repeated() > report_.crashes + proxy_.faults())
    report_.faults.push_back(fmt::format("{} messages were repeated", receiver_.repeated()));
}

Report ProcessWorld::run() {
  try {
    send_first_order();
    live_with_faults();
    come_to_rest();
    check_orders();
    check_customers();
    check_follow_ups();
  } catch (const std::exception& error) {
    report_.faults.push_back(std::string("no progress: ") + error.what());
  }
  report_.rows = orders_;
  report_.forgotten = static_cast<int>(forgotten_.size());
  report_.wire_faults = service_.faults();
  report_.lies = service_.lies();
  report_.told_in_vain = receiver_.in_vain();
  report_.database_faults = proxy_.faults();
  report_.requests = static_cast<int>(service_.service().requests());
  return report_;
}

void run_on_postgresql(std::uint64_t first, std::uint64_t last, const World& world, int at_once,
                       const std::function<void(const Report&)>& tell) {
  support::PostgresServer server({"max_connections=300"});
  std::mutex mutex;
  std::atomic<std::uint64_t> next{first};
  const auto work = [&] {
    for (auto seed = next++; seed <= last; seed = next++) {
      std::string database;
      {
        const std::lock_guard lock(mutex);
        database = server.create_database();
      }
      Report report;
      try {
        report = ProcessWorld(seed, world, server, database).run();
      } catch (const std::exception& error) {
        report.seed = seed;
        report.faults.push_back(error.what());
      }
      const std::lock_guard lock(mutex);
      tell(report);
      server.drop_database(database);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < at_once; ++i)
    threads.emplace_back(work);
  for (auto& thread : threads)
    thread.join();
}

}  // namespace simulation
