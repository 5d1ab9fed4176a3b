#include "tests/simulation/processes/process_draw.hpp"

#include "tests/simulation/draw.hpp"

namespace simulation {

ProcessDrawn draw_processes(std::uint64_t seed) {
  Random random(seed * 0xBF58476D1CE4E5B9ULL + 1);
  ProcessDrawn drawn;
  drawn.daemons = between(random, 2, 3);
  drawn.rows = between(random, 10, 40);
  drawn.batch_size = between(random, 1, 10);
  drawn.resend = happens(random, 0.5);
  drawn.brake = happens(random, 0.3);
  drawn.kill = happens(random, 0.7) ? 0.03 : 0;
  drawn.forget_share = happens(random, 0.5) ? 0.01 : 0;
  drawn.wire = happens(random, 0.8) ? 0.05 + 0.3 * random.unit() : 0;
  drawn.database.delay = happens(random, 0.5) ? 0.03 : 0;
  drawn.database.cut = happens(random, 0.6) ? 0.01 : 0;
  drawn.in_flight = happens(random, 0.5) ? between(random, 2, 4) : 1;
  drawn.follow_ups = happens(random, 0.5);
  // A daemon looks when it starts, and then once a minute, for what is to be told.
  if (drawn.follow_ups) drawn.kill = 0.05;
  return drawn;
}

}  // namespace simulation
