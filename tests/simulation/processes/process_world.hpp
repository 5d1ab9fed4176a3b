// One run of real daemons as processes on a real PostgreSQL: orders come, daemons are killed,
// people are forgotten, connections to database and service are cut and answers lie. Then the
// faults stop, everything comes to rest, and it must add up. Belongs to the thread that made it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "tests/simulation/processes/faulty_receiver.hpp"
#include "tests/simulation/processes/faulty_service.hpp"
#include "tests/simulation/processes/process_draw.hpp"
#include "tests/simulation/schedule.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/servers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace simulation {

class ProcessWorld {
 public:
  // `database`: an empty one of the server's.
  ProcessWorld(std::uint64_t seed, const World& world, const support::PostgresServer& server,
               const std::string& database);

  Report run();

 private:
  using Child = std::unique_ptr<support::ChildProcess>;
  void start(std::size_t index);
  void send_first_order();
  void sync_until(const std::function<bool(int status)>& is_done);
  void live_with_faults();
  void act();
  void insert_order(surveybridge::crm::Database& database);
  void commit_late();
  void kill(Child& child);
  void forget_somebody();
  void release_what_waits();
  void operate();
  void come_to_rest();
  bool at_rest();
  std::int64_t number(const std::string& sql);
  void check_orders();
  void check_customers();
  void check_follow_ups();
  std::string configuration(const ProcessDrawn& drawn, const std::string& connection) const;

  std::uint64_t seed_;
  std::string database_;
  ProcessDrawn drawn_;
  Random random_;
  FaultyService service_;
  FaultyReceiver receiver_;
  support::FaultyProxy proxy_;
  support::TemporaryFolder folder_;
  std::string direct_, config_, direct_config_;
  std::unique_ptr<surveybridge::crm::Database> crm_, late_;  // late_: an open transaction
  std::vector<Child> daemons_;
  std::vector<std::chrono::steady_clock::time_point> started_at_;
  int orders_ = 0;
  std::set<int> forgotten_;
  Report report_;
};

// Runs the seeds A to B, several at once; `tell` is called with each report.
void run_on_postgresql(std::uint64_t first, std::uint64_t last, const World& world, int at_once,
                       const std::function<void(const Report&)>& tell);

}  // namespace simulation
