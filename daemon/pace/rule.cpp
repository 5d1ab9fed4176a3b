#include "daemon/pace/rule.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "daemon/pace/backoff.hpp"

namespace surveybridge::daemon {

namespace {

// How soon to ask again when every place is taken: an answer may come any moment.
constexpr Duration kFullWait = std::chrono::milliseconds{2};
// Whoever is due and first is waited for so long. Who needs longer to get ready is waited for twice
// as long as that took lately, within bounds: a read that found its turn free each time would leave
// none to a write that always comes a little late.
constexpr Duration kLate = std::chrono::milliseconds{20};
constexpr Duration kLateMost = std::chrono::seconds{2};
// Failures in a row that open the circuit: then one request at a time asks whether it is over.
constexpr int kCircuit = 5;
// Jitter on top of a wait, so that several daemons do not come back as one.
constexpr Duration kJitterMost = std::chrono::milliseconds{250};
// Refused without a word: first so long, then twice as long each time.
constexpr Duration kSilenceFirst = std::chrono::milliseconds{200};
constexpr Duration kSilenceMost = std::chrono::hours{1};
constexpr double kSilenceGrowth = 1.7;

Duration scaled(Duration whole, double share) {
  return Duration{static_cast<std::int64_t>(static_cast<double>(whole.count()) * share)};
}

Duration silence(int refusals, Duration last, double unit) {
  const Duration first = std::max(kSilenceFirst, last / 8);
  const double growth = std::pow(kSilenceGrowth, std::clamp(refusals - 1, 0, 40));
  const Duration whole =
      scaled(first, std::min(growth, std::chrono::duration<double>(kSilenceMost) / first));
  return whole / 2 + scaled(whole / 2, unit);
}

Duration gap_of(double per_second) {
  return Duration{static_cast<std::int64_t>(std::llround(1e6 / per_second))};
}

std::size_t index(Lane lane) {
  return static_cast<std::size_t>(lane);
}

}  // namespace

PaceRule::PaceRule(const config::Pace& ceilings)
    : ceiling_(ceilings.max_per_second),
      roads_{Road{LearnedRate(ceiling_)}, Road{LearnedRate(ceiling_)}},
      places_(ceilings.max_in_flight) {}

const PaceRule::Road& PaceRule::road(Lane lane) const {
  return roads_[apart_ ? index(lane) : 0];
}
PaceRule::Road& PaceRule::road(Lane lane) {
  return roads_[apart_ ? index(lane) : 0];
}

bool PaceRule::circuit_open() const {
  return failures_ >= kCircuit;
}

std::optional<TimePoint> PaceRule::refused_at() const {
  if (!apart_) return roads_[0].refused_at;
  return std::max(roads_[0].refused_at, roads_[1].refused_at);
}

std::optional<TimePoint> PaceRule::held(TimePoint now, Lane lane) {
  if (now >= held_until_) return std::nullopt;
  road(lane).pressed = true;  // a wait is no lack of demand
  return told(lane, held_until_);
}

// In the dark one request goes first, and the others follow when it was let in.
bool PaceRule::is_full(Lane lane) const {
  const int own = apart_ ? in_flight_[index(lane)] : in_flight();
  if (road(lane).rate.in_the_dark() && own > 0) return true;
  return in_flight() >= (circuit_open() ? 1 : places_.allowed());
}

std::optional<TimePoint> PaceRule::attempt(TimePoint now, Lane lane) {
  came(now, lane);
  if (const auto until = held(now, lane)) return until;
  if (is_full(lane)) return told(lane, now + kFullWait);
  Road& own = road(lane);
  const TimePoint next = std::max(own.next, next_of_all_);
  if (now < next) {
    own.pressed = true;
    return told(lane, next);
  }
  if (gives_way(now, lane)) return told(lane, now + kLate);
  go(now, lane);
  return std::nullopt;
}

// Later than ever may be had: that was another errand.
void PaceRule::came(TimePoint now, Lane lane) {
  const auto& due = due_[index(lane)];
  if (!due || now < *due) return;
  const Duration late = now - *due > kLateMost ? Duration{0} : now - *due;
  Duration& grace = grace_[index(lane)];
  grace = std::clamp(std::max(2 * late, scaled(grace, 0.9)), kLate, kLateMost);
}

bool PaceRule::is_awaited(TimePoint now, Lane lane) const {
  const auto& due = due_[index(lane)];
  return due && now < *due + std::max(kLate, grace_[index(lane)]);
}

TimePoint PaceRule::told(Lane lane, TimePoint at) {
  due_[index(lane)] = at;
  return at;
}

bool PaceRule::gives_way(TimePoint now, Lane lane) const {
  const bool enough = writes_in_a_row_ >= evidence_.writes_in_a_row();
  const Lane first = enough ? Lane::read : Lane::write;
  return !apart_ && lane != first && is_awaited(now, first);
}

void PaceRule::go(TimePoint now, Lane lane) {
  Road& own = road(lane);
  own.rate.sent(now, std::exchange(own.pressed, false));
  // Who comes late does not catch up: two would follow closer than the rate, and some limits mind.
  own.next = now + gap_of(own.rate.per_second());
  next_of_all_ = now + gap_of(ceiling_ / instances_);
  ++in_flight_[index(lane)];
  due_[index(lane)].reset();
  const bool passed_over = lane == Lane::write && is_awaited(now, Lane::read);
  writes_in_a_row_ = passed_over ? writes_in_a_row_ + 1 : 0;
}

void PaceRule::finished(Lane lane) {
  --in_flight_[index(lane)];
}

void PaceRule::answered(TimePoint now, const PaceAnswer& answer, double unit) {
  using Kind = PaceAnswer::Kind;
  switch (answer.kind) {
    case Kind::accepted:
      accepted(now, answer);
      break;
    case Kind::refused:
      failures_ = 0;
      refused(now, answer, unit);
      break;
    case Kind::busy:
    case Kind::failed:
      failed(now, answer, unit);
      break;
  }
  if (answer.spent) hold(now + *answer.spent);
}

void PaceRule::accepted(TimePoint now, const PaceAnswer& answer) {
  Road& own = road(answer.lane);
  if (own.refusals > 0 && answer.sent_at >= *own.refused_at) own.silent = now - own.dark_since;
  own.refusals = failures_ = 0;
  places_.accepted(answer.beside);
  own.rate.accepted(now, answer.sent_at);
  evidence_.accepted(now, answer.lane);
}

void PaceRule::refused(TimePoint now, const PaceAnswer& answer, double unit) {
  const auto& before = road(answer.lane);
  const bool known = before.refused_at && answer.sent_at < *before.refused_at;  // of one event
  const bool telling = !known && !before.rate.in_the_dark();
  if (telling) {
    evidence_.refused(now, answer.lane, answer.wait.value_or(Duration{0}));
    look_for_lanes(now);
  }
  Road& own = road(answer.lane);
  if (!known && own.refusals++ == 0) own.dark_since = now;
  if (!telling || !places_.refused(answer.beside)) own.rate.refused(now, answer.sent_at);
  if (!known) own.refused_at = now;
  if (answer.wait) {
    hold(now + *answer.wait + scaled(std::min(kJitterMost, *answer.wait / 4), unit));
  } else if (!known) {
    hold(now + silence(own.refusals, own.silent, unit));
  }
}

// Whether reading and writing are counted apart is told by refusals only.
void PaceRule::look_for_lanes(TimePoint now) {
  const auto verdict = evidence_.verdict();
  if (!apart_ && verdict == LaneEvidence::Verdict::apart) {
    std::array<Road, kLanes> roads{Road{LearnedRate(ceiling_)}, Road{LearnedRate(ceiling_)}};
    for (const Lane lane : {Lane::write, Lane::read}) {
      const double edge = evidence_.own_edge(lane);
      const double rate = edge > 0 ? edge : evidence_.per_second(now, lane);
      roads[index(lane)].rate.share(instances_);
      roads[index(lane)].rate.guess({rate, edge});
    }
    roads_ = roads;
    apart_ = true;
  } else if (apart_ && verdict == LaneEvidence::Verdict::together) {
    const double total =
        evidence_.per_second(now, Lane::write) + evidence_.per_second(now, Lane::read);
    Road road{LearnedRate(ceiling_)};
    road.rate.share(instances_);
    road.rate.guess({total, total});
    roads_[0] = road;
    apart_ = false;
  } else {
    return;
  }
  evidence_.begin_again();
}

void PaceRule::failed(TimePoint now, const PaceAnswer& answer, double unit) {
  ++failures_;
  if (answer.wait) hold(now + *answer.wait + scaled(std::min(kJitterMost, *answer.wait / 4), unit));
  if (circuit_open()) hold(now + backoff(failures_ - kCircuit + 1, unit));
}

void PaceRule::hold(TimePoint until) {
  held_until_ = std::max(held_until_, until);
}

PaceRule::Learned PaceRule::learned() const {
  if (!apart_) return {roads_[0].rate.learned(), std::nullopt};
  return {roads_[0].rate.learned(), roads_[1].rate.learned()};
}

void PaceRule::recall(const Learned& learned) {
  apart_ = learned.read.has_value();
  roads_[0].rate.recall(learned.all);
  if (apart_) roads_[1].rate.recall(*learned.read);
}

void PaceRule::share(int instances) {
  instances_ = std::max(1, instances);
  for (auto& one : roads_)
    one.rate.share(instances_);
}

}  // namespace surveybridge::daemon
