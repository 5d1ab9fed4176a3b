// What a seed draws for one schedule.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "daemon/job/job.hpp"
#include "daemon/job/random.hpp"

namespace simulation {

using surveybridge::daemon::Duration;
using surveybridge::daemon::Random;
using surveybridge::daemon::TimePoint;

// Evenly from [low, high].
int between(Random& random, int low, int high);
Duration minutes_between(Random& random, int low, int high);
bool happens(Random& random, double probability);

// A transaction, and when its row becomes visible in the CRM.
struct Order {
  std::string key, email, first_name;
  TimePoint delivered_at, committed_at;
  bool poison = false;      // the service refuses it
  bool unmappable = false;  // it cannot be a customer
};

struct Drawn {
  std::vector<Order> orders;  // by committed_at
  int daemons = 1;
  int batch_size = 10;
  bool resend = false;        // doubt = "resend"
  double crash = 0;           // probability at each moment
  double pause = 0;           // of a daemon that stops in mid-step while others go on
  double wire = 0;            // probability that an exchange goes wrong
  double database = 0;        // probability that a database call fails
  bool poison_named = false;  // a refusal names the row at fault
  Duration visible_after{0};  // a new customer is listed so much later
  double lives_speed = 0;
  std::uint64_t service_seed = 1;
  double farewell = 0;       // probability, after each step, that somebody is forgotten
  double per_second = 1000;  // ceiling of the pace: with few, a batch waits for its turn
  bool contact = false;      // at most one invitation a person
  bool opted_out = false;    // nobody who opted out
};

inline constexpr TimePoint kBegin{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};
inline constexpr Duration kFaultsLast = std::chrono::minutes{150};
inline constexpr Duration kLateMax = std::chrono::hours{2};  // below look_back
inline constexpr Duration kSettle = std::chrono::minutes{30};

Drawn draw(std::uint64_t seed);

}  // namespace simulation
