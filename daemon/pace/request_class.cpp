#include "daemon/pace/request_class.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace surveybridge::daemon {

namespace {

// Recent rates are averages over about this many seconds.
constexpr double kSeconds = 8;
// The number of refusals that are remembered, and the number needed for a verdict.
constexpr std::size_t kEventsKept = 12, kNeeded = 6, kNeededToJoin = 10;
constexpr double kFewest = 5;      // accepted before a refusal
constexpr double kShortest = 0.1;  // seconds: requests at one moment have no rate
// The least variance of the logarithm of the share: how different the mixes must have been.
constexpr double kSpread = 0.0005;
// How the total changes when the share doubles, as an exponent: 0 with a common limit, -1 with
// separate ones. The verdict needs this many standard errors from the middle.
constexpr double kBetween = -0.5, kErrors = 2;
// Refusals of one class alone at this multiple of the other's total.
constexpr double kMultiple = 1.4, kAlone = 0.9;
constexpr std::size_t kTurns = 3, kTurnsSeen = 6;

std::size_t place_of(RequestClass request_class) {
  return static_cast<std::size_t>(request_class);
}

}  // namespace

void RequestClassEvidence::accepted(TimePoint now, RequestClass request_class) {
  Flow& flow = flows_[place_of(request_class)];
  flow.per_second = per_second(now, request_class) + 1 / kSeconds;
  flow.at = now;
  for (const RequestClass each : {RequestClass::write, RequestClass::read}) {
    Stretch& stretch = stretches_[place_of(each)];
    if (!stretch.since) stretch.since = now;
    stretch.total += 1;
    if (each == request_class) stretch.own += 1;
  }
}

double RequestClassEvidence::per_second(TimePoint now, RequestClass request_class) const {
  const Flow& flow = flows_[place_of(request_class)];
  return flow.per_second *
         std::exp(-std::chrono::duration<double>(now - flow.at).count() / kSeconds);
}

// From one release to the next a limit accepts exactly what it allows.
void RequestClassEvidence::refused(TimePoint now, RequestClass request_class, Duration wait) {
  ++count_;
  const Stretch stretch = std::exchange(stretches_[place_of(request_class)], Stretch{});
  if (!stretch.since || stretch.own < kFewest) return;
  const double length = std::chrono::duration<double>(now + wait - *stretch.since).count();
  if (length < kShortest) return;
  const double own = per_second(now, request_class);
  const double all = per_second(now, RequestClass::write) + per_second(now, RequestClass::read);
  const double lately_share = all > 0 ? own / all : 0;  // after hours there are no recent requests
  events_.push_back(
      {request_class, stretch.total / length, stretch.own / stretch.total, all, lately_share});
  if (events_.size() > kEventsKept) events_.pop_front();
}

RequestClassEvidence::Verdict RequestClassEvidence::verdict() const {
  if (by_turns()) return Verdict::apart;
  const Verdict write = by_mix(RequestClass::write), read = by_mix(RequestClass::read);
  if (write == Verdict::apart || read == Verdict::apart) return Verdict::apart;
  return write == Verdict::open ? read : write;
}

// Fits a line to the logarithms of share and total.
RequestClassEvidence::Verdict RequestClassEvidence::by_mix(RequestClass request_class) const {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (const auto& event : events_) {
    if (event.request_class != request_class) continue;
    const double share = std::log(event.share), total = std::log(event.total);
    ++n;
    x += share;
    y += total;
    xx += share * share;
    xy += share * total;
    yy += total * total;
  }
  if (n < kNeeded) return Verdict::open;
  const double var_x = xx / n - x * x / n / n, var_y = yy / n - y * y / n / n;
  if (var_x < kSpread) return Verdict::open;
  const double slope = (xy / n - x * y / n / n) / var_x;
  const double error = std::sqrt(std::max(0.0, var_y - slope * slope * var_x) / var_x / (n - 2));
  if (slope + kErrors * error < kBetween) return Verdict::apart;
  const bool level = std::abs(slope) + kErrors * error < -kBetween;
  return level && n >= kNeededToJoin ? Verdict::together : Verdict::open;
}

// One class alone, then the other alone, several times, each at its own limit.
bool RequestClassEvidence::by_turns() const {
  if (events_.size() < kTurnsSeen) return false;
  std::array<std::vector<double>, kRequestClasses> totals;
  std::size_t turns = 0;
  for (auto event = events_.end() - kTurnsSeen; event != events_.end(); ++event) {
    if (event->lately_share < kAlone) return false;
    totals[place_of(event->request_class)].push_back(event->lately);
    if (event + 1 != events_.end() && (event + 1)->request_class != event->request_class) ++turns;
  }
  if (turns < kTurns) return false;
  const auto [write_least, write_most] = std::ranges::minmax(totals[0]);
  const auto [read_least, read_most] = std::ranges::minmax(totals[1]);
  return read_least > kMultiple * write_most || write_least > kMultiple * read_most;
}

double RequestClassEvidence::own_edge(RequestClass request_class) const {
  std::vector<double> own;
  for (const auto& event : events_) {
    if (event.request_class == request_class) own.push_back(event.total * event.share);
  }
  if (own.empty()) return 0;
  const auto middle = own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2);
  std::ranges::nth_element(own, middle);
  return *middle;
}

int RequestClassEvidence::writes_in_a_row() const {
  return count_ % 2 == 0 ? 3 : 1;
}

}  // namespace surveybridge::daemon
