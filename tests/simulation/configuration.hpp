// What the daemon, the service and the jobs of one schedule are made with.
#pragma once

#include <string>
#include <vector>

#include "sandbox/model/options.hpp"
#include "tests/in_process/instance.hpp"
#include "tests/simulation/control.hpp"
#include "tests/simulation/draw.hpp"

namespace simulation {

// A push, and the data columns that carry its key: the one that it is found by, and another.
struct PushNames {
  const char *name, *correlate, *other;
};
inline constexpr PushNames kOrders{"orders", "OrderNumber", "Product"};
inline constexpr PushNames kReturns{"returns", "Remark", "LastName"};

// [pull.customers.follow_up.NAME]: it tells of whoever asks to be called, and perhaps of low
// scores.
struct FollowUpNames {
  const char* name;
  bool has_scores;
  std::vector<std::string> to;
};
// Empty: none is drawn.
std::vector<FollowUpNames> follow_ups_of(const Drawn& drawn);
inline constexpr int kScoreQuestion = 1200, kHighestScore = 10;

// What an operator changes in the configuration while the daemons run.
struct Variant {
  int batch_size = 1, in_flight = 1;
  bool resend = false;
  bool narrow = false;           // the queries leave out a tenth of the rows
  bool other_correlate = false;  // a push finds its customers by the other data column
  double sample = 1;
  bool operator==(const Variant&) const = default;
};
inline constexpr int kSoftMax = 2;  // so many soft bounces end it
Variant variant_of(const Drawn& drawn);

// The daemon's configuration, as TOML.
std::string configuration(const Drawn& drawn, Broken broken, const Variant& variant);

// The service.
sandbox::Options options_of(const Drawn& drawn);

// What becomes of work beside the steps of a job.
in_process::Beside beside(const Drawn& drawn);

}  // namespace simulation
