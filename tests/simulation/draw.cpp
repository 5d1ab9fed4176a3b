#include "tests/simulation/draw.hpp"

#include <algorithm>

namespace simulation {

int between(Chance& chance, int low, int high) {
  return low + static_cast<int>(chance.unit() * (high - low + 1));
}

Duration minutes_between(Chance& chance, int low, int high) {
  return std::chrono::seconds{between(chance, low * 60, high * 60)};
}

bool happens(Chance& chance, double probability) {
  return chance.unit() < probability;
}

namespace {

Order draw_order(Chance& chance, int number) {
  Order order;
  order.key = std::to_string(1000 + number);
  // Some people order more than once, some write their address in capitals.
  const int person = between(chance, 0, 20);
  order.email =
      (happens(chance, 0.1) ? "Person" : "person") + std::to_string(person) + "@example.test";
  order.committed_at =
      kBegin +
      Duration{static_cast<std::int64_t>(chance.unit() * static_cast<double>(kFaultsLast.count()))};
  const Duration late = happens(chance, 0.3) ? minutes_between(chance, 0, 119)
                                             : std::chrono::seconds{between(chance, 0, 20)};
  order.delivered_at = order.committed_at - std::min(late, kLateMax);
  order.poison = happens(chance, 0.03);
  order.unmappable = !order.poison && happens(chance, 0.03);
  order.first_name = order.poison ? "poison" : "Name" + std::to_string(number);
  if (order.unmappable) order.email = "nobody";
  return order;
}

double one_of(Chance& chance, std::initializer_list<double> values) {
  return *(values.begin() + between(chance, 0, static_cast<int>(values.size()) - 1));
}

}  // namespace

Drawn draw(std::uint64_t seed) {
  Chance chance(seed * 0x9E3779B97F4A7C15ULL + 1);
  Drawn drawn;
  const int rows = between(chance, 3, 30);
  for (int i = 0; i < rows; ++i)
    drawn.orders.push_back(draw_order(chance, i));
  std::sort(drawn.orders.begin(), drawn.orders.end(),
            [](const Order& a, const Order& b) { return a.committed_at < b.committed_at; });
  drawn.daemons = happens(chance, 0.4) ? 2 : 1;
  drawn.batch_size = between(chance, 1, 20);
  drawn.resend = happens(chance, 0.5);
  drawn.crash = one_of(chance, {0, 0.002, 0.01});
  drawn.pause = drawn.daemons == 2 ? one_of(chance, {0, 0.005, 0.02}) : 0;
  drawn.wire = one_of(chance, {0, 0.05, 0.2, 0.5});
  drawn.database = one_of(chance, {0, 0.002, 0.01});
  drawn.poison_named = happens(chance, 0.5);
  drawn.visible_after = happens(chance, 0.3) ? minutes_between(chance, 0, 13) : Duration{0};
  drawn.lives_speed = one_of(chance, {0, 200, 2000});
  drawn.service_seed = chance.seed();
  drawn.farewell = one_of(chance, {0, 0.002, 0.02});
  drawn.per_second = one_of(chance, {1000, 1000, 2});
  drawn.contact = happens(chance, 0.3);
  drawn.opted_out = happens(chance, 0.3);
  return drawn;
}

}  // namespace simulation
