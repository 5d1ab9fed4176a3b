#include "tests/simulation/draw.hpp"

#include <algorithm>

namespace simulation {

int between(Random& random, int low, int high) {
  return low + static_cast<int>(random.unit() * (high - low + 1));
}

Duration minutes_between(Random& random, int low, int high) {
  return std::chrono::seconds{between(random, low * 60, high * 60)};
}

Duration between(Random& random, Duration low, Duration high) {
  const auto seconds = [](Duration length) {
    return static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(length).count());
  };
  return std::chrono::seconds{between(random, seconds(low), seconds(high))};
}

bool happens(Random& random, double probability) {
  return random.unit() < probability;
}

namespace {

Order draw_order(Random& random, int number) {
  Order order;
  order.key = std::to_string(1000 + number);
  // Some people order more than once, some write their address in capitals.
  const int person = between(random, 0, 20);
  order.email =
      (happens(random, 0.1) ? "Person" : "person") + std::to_string(person) + "@example.test";
  order.committed_at =
      kBegin +
      Duration{static_cast<std::int64_t>(random.unit() * static_cast<double>(kFaultsLast.count()))};
  const Duration late = happens(random, 0.3) ? minutes_between(random, 0, 119)
                                             : std::chrono::seconds{between(random, 0, 20)};
  order.delivered_at = order.committed_at - std::min(late, kLateMax);
  order.poison = happens(random, 0.03);
  order.unmappable = !order.poison && happens(random, 0.03);
  order.first_name = order.poison ? "poison" : "Name" + std::to_string(number);
  if (order.unmappable) order.email = "nobody";
  return order;
}

double one_of(Random& random, std::initializer_list<double> values) {
  return *(values.begin() + between(random, 0, static_cast<int>(values.size()) - 1));
}

// An older copy of the ledger is asked for after `settle`, whatever the service has still to work
// on (docs/GUARANTEES.md), so in such a schedule none comes back.
void draw_frozen(Drawn& drawn, bool half, const World& world) {
  const auto share = world.find(Extra::frozen);
  if (share != world.end() && share->second == Share::each)
    drawn.backup_at = drawn.restore_at = std::nullopt;
  drawn.frozen = half && !drawn.restore_at;
}

// Draws everything whatever the world holds: a smaller world leaves the rest of a schedule as it
// is.
void draw_extras(Drawn& drawn, const World& world, std::uint64_t seed) {
  Random random(seed * 0xD1B54A32D192ED03ULL + 1);
  const auto half = [&](Extra extra) {
    const bool drawn_now = happens(random, 0.5);
    const auto share = world.find(extra);
    return share != world.end() && (drawn_now || share->second == Share::each);
  };
  drawn.lies = half(Extra::lies);
  drawn.column_order = half(Extra::column_order);
  drawn.lists = half(Extra::lists);
  drawn.write_back = half(Extra::write_back);
  drawn.walks = half(Extra::walks);
  drawn.keep = half(Extra::keep);
  drawn.delay = half(Extra::delay);
  drawn.brake = half(Extra::brake);
  drawn.blind_search = half(Extra::blind_search);
  const bool rejected = half(Extra::rejected_rows);
  for (auto& order : drawn.orders) {
    const bool earns = happens(random, 0.05), forbidden = happens(random, 0.5);
    if (!rejected || !earns || order.poison || order.unmappable) continue;
    order.rejected = forbidden ? 403 : 500;
    order.first_name = "reject" + std::to_string(order.rejected);
  }
  drawn.fetch_ahead = half(Extra::fetch_ahead);
  // Otherwise the pace never lets a second request go in the same step.
  if (drawn.fetch_ahead) drawn.list_takes = std::chrono::seconds{2};
  const Duration slow = between(random, std::chrono::seconds{3}, std::chrono::seconds{30});
  if (half(Extra::slow_sweep)) drawn.slow_sweep = slow;
  drawn.offset_paging = half(Extra::offset_paging);
  drawn.bad_records = half(Extra::bad_records);
  const TimePoint backup = kBegin + minutes_between(random, 5, 80);
  const TimePoint restore = backup + minutes_between(random, 5, 60);
  if (half(Extra::restore)) {
    drawn.backup_at = backup;
    drawn.restore_at = restore;
  }
  drawn.apart = half(Extra::apart);
  const int in_flight = between(random, 2, 4), small = between(random, 1, 4);
  if (half(Extra::in_flight)) {
    drawn.in_flight = in_flight;
    drawn.batch_size = std::min(drawn.batch_size, small);  // so that there are several batches
  }
  draw_frozen(drawn, half(Extra::frozen), world);
  drawn.late_ends = half(Extra::late_ends);
  drawn.null_lists = half(Extra::null_lists);
}

}  // namespace

Drawn draw(std::uint64_t seed, const World& world) {
  Random random(seed * 0x9E3779B97F4A7C15ULL + 1);
  Drawn drawn;
  const int rows = between(random, 3, 30);
  for (int i = 0; i < rows; ++i)
    drawn.orders.push_back(draw_order(random, i));
  std::sort(drawn.orders.begin(), drawn.orders.end(),
            [](const Order& a, const Order& b) { return a.committed_at < b.committed_at; });
  drawn.daemons = happens(random, 0.4) ? 2 : 1;
  drawn.batch_size = between(random, 1, 20);
  drawn.resend = happens(random, 0.5);
  drawn.crash = one_of(random, {0, 0.002, 0.01});
  drawn.pause = drawn.daemons == 2 ? one_of(random, {0, 0.005, 0.02}) : 0;
  drawn.wire = one_of(random, {0, 0.05, 0.2, 0.5});
  drawn.database = one_of(random, {0, 0.002, 0.01});
  drawn.poison_named = happens(random, 0.5);
  drawn.visible_after = happens(random, 0.3) ? minutes_between(random, 0, 13) : Duration{0};
  drawn.lives_speed = one_of(random, {0, 200, 2000});
  drawn.service_seed = random.seed();
  drawn.forget_share = one_of(random, {0, 0.002, 0.02});
  drawn.per_second = one_of(random, {1000, 1000, 2});
  drawn.contact = happens(random, 0.3);
  drawn.opted_out = happens(random, 0.3);
  draw_extras(drawn, world, seed);
  return drawn;
}

}  // namespace simulation
