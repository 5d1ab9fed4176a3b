// What a seed draws for a run of real processes on PostgreSQL. Unlike a schedule in process, the
// same seed gives the same draws but not the same moments: threads and processes run as they do.
#pragma once

#include <cstdint>

#include "tests/support/faulty_proxy.hpp"

namespace simulation {

struct ProcessDrawn {
  int daemons = 2;  // or 3
  int rows = 20;
  int batch_size = 5;
  int in_flight = 1;
  bool resend = false, brake = false;
  double kill = 0;          // of a daemon, at each look
  double forget_share = 0;  // that somebody is forgotten, at each look
  double wire = 0;          // that an exchange with the service goes wrong
  support::FaultyProxy::Faults database;
  bool follow_ups = false;  // low scores are told to a receiver, and customers live fast
};

ProcessDrawn draw_processes(std::uint64_t seed);

}  // namespace simulation
