// What a seed draws for one schedule.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/job/job.hpp"
#include "daemon/job/random.hpp"
#include "tests/simulation/world.hpp"

namespace simulation {

using surveybridge::daemon::Duration;
using surveybridge::daemon::Random;
using surveybridge::daemon::TimePoint;

// Evenly from [low, high].
int between(Random& random, int low, int high);
Duration minutes_between(Random& random, int low, int high);
Duration between(Random& random, Duration low, Duration high);  // in whole seconds
bool happens(Random& random, double probability);

// A transaction, and when its row becomes visible in the CRM.
struct Order {
  std::string push = "orders";
  std::string key;
  std::string stored;  // the key, as the service stores it
  std::string email, first_name;
  std::string branch;                     // whose quota it counts for; empty: null
  TimePoint named_at = TimePoint::min();  // until then it has no name, and the map leaves it out
  TimePoint delivered_at, committed_at;
  bool poison = false;      // the service refuses it
  bool unmappable = false;  // it cannot be a customer
  int rejected = 0;         // the status that an add with it earns, 403 or 500; 0: none
  bool is_changed() const { return stored != key; }  // on its way to the service
  bool is_never_named() const { return named_at == TimePoint::max(); }
};

struct Drawn {
  std::vector<Order> orders;  // by committed_at
  int daemons = 1;
  int batch_size = 10;
  int in_flight = 1;    // batches on their way at once
  bool resend = false;  // doubt = "resend"
  double crash = 0;     // probability at each moment
  double pause = 0;     // of a daemon that stops in mid-step while others go on
  Duration pause_shortest = std::chrono::minutes{1}, pause_longest = std::chrono::minutes{90};
  int every_seconds = 300;    // of the push
  double wire = 0;            // probability that an exchange goes wrong
  double database = 0;        // probability that a database call fails
  bool poison_named = false;  // a refusal names the row at fault
  Duration visible_after{0};  // a new customer is listed so much later
  double lives_speed = 0;
  std::uint64_t service_seed = 1;
  double forget_share = 0;   // probability, after each step, that somebody is forgotten
  double per_second = 1000;  // ceiling of the pace: with few, a batch waits for its turn
  bool contact = false;      // at most one invitation a person
  bool opted_out = false;    // nobody who opted out

  std::set<Extra> extras;  // what the world holds beyond that (world.hpp)
  bool has(Extra extra) const { return extras.contains(extra); }
  std::optional<TimePoint> backup_at, restore_at;
  Duration back_within{0};       // after a restore: the CRM has its rows again within that time
  bool pause_adds_only = false;  // of all moments, only before an add
  Duration slow_sweep{0};        // what each statement of a sweep takes
  Duration list_takes{0};        // what each request for a list takes
  // Each holds where its extra is drawn.
  double sample = 1, last_sample = 1;  // the first share, and the one after the faults
  bool sample_by_person = false;
  int quota = 1;             // a day for each branch
  bool closes_late = false;  // closed from midnight on, else until then
  int score_limit = 0;       // up to it an answer is told
  bool tells_calls = false;  // a second follow-up, of those who ask to be called
};

inline constexpr TimePoint kBegin{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};
// The first one of the CRM's clock, where `quota` or `closed_days` is drawn.
inline constexpr TimePoint kMidnight = kBegin + std::chrono::hours{1};
inline constexpr Duration kDay = std::chrono::hours{24};
inline constexpr int kBatchMax = 20;
inline constexpr Duration kFaultsLast = std::chrono::minutes{150};
inline constexpr Duration kLateMax = std::chrono::hours{2};  // below look_back
inline constexpr Duration kSettle = std::chrono::minutes{30};
inline constexpr Duration kPullEvery = std::chrono::minutes{30};
inline constexpr Duration kKeep = std::chrono::hours{24};

Drawn draw(std::uint64_t seed, const World& world);

}  // namespace simulation
