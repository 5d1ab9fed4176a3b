#include "tests/simulation/draw.hpp"

#include <algorithm>

#include "tests/simulation/configuration.hpp"

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

// A third of the orders are the rows of another push.
void draw_second_push(Drawn& drawn, Random& random) {
  for (auto& order : drawn.orders) {
    const bool other = happens(random, 0.3);
    if (!other || !drawn.has(Extra::second_push)) continue;
    order.push = kReturns.name;
    order.key = "9" + order.key;
  }
}

// Two keys that the service changes, and none of the first: where most of the last five are not
// listed as they were sent, the check for a restored ledger holds the push.
void draw_changed_keys(Drawn& drawn, Random& random) {
  for (auto& order : drawn.orders)
    order.stored = order.key;
  for (int i = 0; i < 2; ++i) {
    const auto number = static_cast<std::size_t>(between(random, 8, 40));
    if (number >= drawn.orders.size() || drawn.orders[number].is_changed()) continue;
    auto& order = drawn.orders[number];
    if (drawn.has(Extra::cut_keys)) {
      order.key += "-2026-11-10";
      order.stored = order.key.substr(0, 10);
    } else if (drawn.has(Extra::upper_keys)) {
      order.stored = order.key + "-A";
      order.key += "-a";
    }
  }
}

// What cannot be together in one schedule.
void draw_apart(Drawn& drawn, const World& world) {
  const auto always = [&](Extra extra) {
    const auto share = world.find(extra);
    return share != world.end() && share->second == Share::each;
  };
  // An older copy of the ledger is asked for after `settle`, whatever the service has still to work
  // on (docs/GUARANTEES.md), so in such a schedule none comes back.
  if (always(Extra::frozen)) drawn.backup_at = drawn.restore_at = std::nullopt;
  if (drawn.restore_at) drawn.extras.erase(Extra::frozen);
  // What such a service does not list is not known, and a person decides.
  if (always(Extra::poisoned_record)) drawn.backup_at = drawn.restore_at = std::nullopt;
  if (drawn.restore_at) drawn.extras.erase(Extra::poisoned_record);
  // Whoever is active at the same second as that customer is left out, too.
  if (drawn.has(Extra::poisoned_record)) drawn.lives_speed = 0;
  // Where nobody ever answers, an undated list stays empty, and a service that says so by null is
  // not believed: the push waits for ever.
  if (drawn.has(Extra::null_lists) && drawn.lives_speed == 0)
    drawn.extras.erase(always(Extra::undated) ? Extra::null_lists : Extra::undated);
  // A service stores keys in one way.
  if (drawn.has(Extra::cut_keys))
    drawn.extras.erase(always(Extra::upper_keys) ? Extra::cut_keys : Extra::upper_keys);
  if (drawn.has(Extra::move)) drawn.extras.insert(Extra::apart);  // so that the CRM stays
  if (drawn.has(Extra::bounces)) drawn.extras.insert(Extra::lists);
  // Each step forward brings the end of `settle` nearer.
  if (drawn.has(Extra::clock_steps))
    drawn.visible_after = std::min<Duration>(drawn.visible_after, std::chrono::minutes{8});
}

// Which rows go out at all, and when.
void draw_who_goes(Drawn& drawn, Random& random) {
  static constexpr const char* kBranches[] = {"", "north", "south"};
  for (auto& order : drawn.orders) {
    order.branch = kBranches[between(random, 0, 2)];
    const bool nameless = happens(random, 0.15), mended = happens(random, 0.5);
    const TimePoint named_at = order.committed_at + minutes_between(random, 1, 60);
    if (!drawn.has(Extra::skipped_rows) || !nameless) continue;
    if (order.poison || order.unmappable || order.rejected != 0) continue;
    order.named_at = mended ? named_at : TimePoint::max();
  }
  drawn.sample = one_of(random, {0.3, 0.6, 0.9});
  drawn.last_sample = one_of(random, {1, 1, 0.6});
  drawn.sample_by_person = happens(random, 0.5);
  drawn.quota = between(random, 2, 6);
  // A backup waits for the first claim, which must not come after the faults.
  drawn.closes_late = happens(random, 0.5) && !drawn.restore_at;
}

// Somebody must answer.
void draw_follow_ups(Drawn& drawn, Random& random) {
  drawn.score_limit = between(random, 4, 8);
  drawn.tells_calls = happens(random, 0.5);
  const double speed = one_of(random, {200, 2000});
  const bool still = drawn.lives_speed == 0 && !drawn.has(Extra::poisoned_record);
  if (drawn.has(Extra::follow_ups) && still) drawn.lives_speed = speed;
}

// Draws everything whatever the world holds: a smaller world leaves the rest of a schedule as it
// is.
void draw_extras(Drawn& drawn, const World& world, std::uint64_t seed) {
  Random random(seed * 0xD1B54A32D192ED03ULL + 1), later(seed * 0xA0761D6478BD642FULL + 1),
      last(seed * 0xE7037ED1A0B428DBULL + 1);
  for (const auto& [extra, name] : kAllExtras) {
    Random& stream = extra < Extra::sample ? random : extra < Extra::follow_ups ? later : last;
    const bool half = happens(stream, 0.5);
    const auto share = world.find(extra);
    if (share != world.end() && (half || share->second == Share::each)) drawn.extras.insert(extra);
  }
  for (auto& order : drawn.orders) {
    const bool earns = happens(random, 0.05), forbidden = happens(random, 0.5);
    if (!drawn.has(Extra::rejected_rows) || !earns || order.poison || order.unmappable) continue;
    order.rejected = forbidden ? 403 : 500;
    order.first_name = "reject" + std::to_string(order.rejected);
  }
  // Otherwise the pace never lets a second request go in the same step.
  if (drawn.has(Extra::fetch_ahead)) drawn.list_takes = std::chrono::seconds{2};
  const Duration slow = between(random, std::chrono::seconds{3}, std::chrono::seconds{30});
  if (drawn.has(Extra::slow_sweep)) drawn.slow_sweep = slow;
  const TimePoint backup = kBegin + minutes_between(random, 5, 80);
  const TimePoint restore = backup + minutes_between(random, 5, 60);
  const Duration back = happens(random, 0.5) ? Duration{0} : minutes_between(random, 10, 90);
  if (drawn.has(Extra::restore)) {
    drawn.backup_at = backup;
    drawn.restore_at = restore;
    drawn.back_within = back;
  }
  const int in_flight = between(random, 2, 4), small = between(random, 1, 4);
  if (drawn.has(Extra::in_flight)) {
    drawn.in_flight = in_flight;
    drawn.batch_size = std::min(drawn.batch_size, small);  // so that there are several batches
  }
  draw_apart(drawn, world);
  draw_second_push(drawn, random);
  draw_changed_keys(drawn, random);
  draw_who_goes(drawn, later);
  draw_follow_ups(drawn, last);
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
  drawn.batch_size = between(random, 1, kBatchMax);
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
