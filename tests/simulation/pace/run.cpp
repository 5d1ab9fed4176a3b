#include "tests/simulation/pace/run.hpp"

#include <cmath>
#include <functional>
#include <queue>

#include "daemon/job/random.hpp"

namespace pace_simulation {

namespace {

using surveybridge::daemon::Random;

// Midnight: daily quotas begin here.
const TimePoint kStart{std::chrono::hours{24 * 20'000}};

class Environment {
 public:
  Environment(const Scenario& scenario, Peer peer, std::uint64_t seed)
      : scenario_(scenario), random_(seed) {
    run_.seconds.resize(static_cast<std::size_t>(scenario.length / std::chrono::seconds{1}));
    for (int i = 0; i < scenario.daemons; ++i)
      daemons_.push_back({make_strategy(peer, scenario.separate_limits, random_.seed()), {}});
  }

  Run live() {
    for (std::size_t i = 0; i < daemons_.size(); ++i)
      for (int worker = 0; worker < kWorkers; ++worker)
        at(kStart, [this, i, worker] { ask(daemons_[i], worker); });
    while (!events_.empty() && events_.top().at < kStart + scenario_.length) {
      const Event event = events_.top();
      events_.pop();
      turn(event.at);
      event.happen();
    }
    return std::move(run_);
  }

 private:
  struct Daemon {
    std::unique_ptr<Strategy> strategy;
    TimePoint told_to_wait{};
  };
  struct Event {
    TimePoint at;
    std::uint64_t order;
    std::function<void()> happen;
    bool operator<(const Event& other) const {
      return at != other.at ? at > other.at : order > other.order;
    }
  };

  void at(TimePoint when, std::function<void()> happen) {
    events_.push({when, order_++, std::move(happen)});
  }
  Duration around(double seconds, double jitter) {
    const double share = 1 + jitter * (2 * random_.unit() - 1);
    return Duration{static_cast<std::int64_t>(seconds * 1e6 * share)};
  }
  RequestClass lane_of(int worker) const {
    return scenario_.lanes && worker % 2 == 0 ? RequestClass::write : RequestClass::read;
  }
  Duration leg() { return around(kNetworkSeconds / 2, scenario_.jitter); }
  Second& second() {
    return run_.seconds[static_cast<std::size_t>((now_ - kStart) / std::chrono::seconds{1})];
  }
  void turn(TimePoint now) {
    now_ = now;
    if (const auto& text = limit_at(scenario_, now - kStart); text != limit_text_) {
      limit_text_ = text;
      limits_ = std::make_shared<sandbox::Limits>(limits_of(text));
    }
  }

  void ask(Daemon& daemon, int worker) {
    if (const auto later = daemon.strategy->attempt(worker, lane_of(worker), now_)) {
      return at(*later, [this, &daemon, worker] { ask(daemon, worker); });
    }
    if (now_ < daemon.told_to_wait) ++run_.within_wait;
    const TimePoint sent = now_;
    at(now_ + leg(), [this, &daemon, worker, sent] { arrive(daemon, worker, sent); });
  }

  void arrive(Daemon& daemon, int worker, TimePoint sent) {
    PaceAnswer answer;
    answer.sent_at = sent;
    answer.request_class = lane_of(worker);
    const bool writes = answer.request_class == RequestClass::write;
    const auto verdict = limits_->ask(writes, now_);
    Duration work{1000};
    if (verdict.allowed) {
      work = around(kServiceSeconds, 0.5);
      at(now_ + work, [limits = limits_, writes] { limits->finish(writes); });
      count_accepted();
    } else {
      ++run_.refused;
      ++second().refused;
      answer.kind = PaceAnswer::Kind::refused;
      if (scenario_.says_when) answer.wait = std::chrono::ceil<std::chrono::seconds>(verdict.wait);
    }
    at(now_ + work + leg(), [this, &daemon, worker, answer] { hear(daemon, worker, answer); });
  }

  void hear(Daemon& daemon, int worker, const PaceAnswer& answer) {
    if (answer.wait) daemon.told_to_wait = std::max(daemon.told_to_wait, now_ + *answer.wait);
    daemon.strategy->answered(worker, now_, answer);
    ask(daemon, worker);
  }

  void count_accepted() {
    ++second().accepted;
    if (++run_.accepted == 1000) {
      run_.thousand_after = std::chrono::duration<double>(now_ - kStart).count();
    }
  }

  const Scenario& scenario_;
  Random random_;
  std::vector<Daemon> daemons_;
  std::priority_queue<Event> events_;
  std::uint64_t order_ = 0;
  TimePoint now_ = kStart;
  std::string limit_text_;
  std::shared_ptr<sandbox::Limits> limits_;
  Run run_;
};

// Time from the change until a range of seconds begins that uses what is allowed, with few
// refusals.
std::optional<double> recovery(const Run& run, std::size_t change, double allowed) {
  constexpr std::size_t kStretch = 5;
  for (std::size_t from = change; from + kStretch <= run.seconds.size(); ++from) {
    double accepted = 0, refused = 0;
    for (std::size_t i = from; i < from + kStretch; ++i) {
      accepted += run.seconds[i].accepted;
      refused += run.seconds[i].refused;
    }
    if (accepted >= 0.95 * allowed * kStretch && refused <= 0.05 * accepted)
      return static_cast<double>(from - change);
  }
  return std::nullopt;
}

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

}  // namespace

Run run_pace(const Scenario& scenario, Peer peer, std::uint64_t seed) {
  return Environment(scenario, peer, seed).live();
}

Figures figures_of(const Scenario& scenario, const Run& run) {
  Figures figures;
  double accepted = 0, refused = 0, allowed = 0;
  for (std::size_t i = 0; i < run.seconds.size(); ++i) {
    const Duration at = std::chrono::seconds{i};
    if (at < scenario.steady_from) continue;
    accepted += run.seconds[i].accepted;
    refused += run.seconds[i].refused;
    allowed += allowed_per_second(limit_at(scenario, at));
  }
  figures.used = share(accepted, allowed);
  figures.refused_steady = share(refused, accepted + refused);
  figures.refused =
      share(static_cast<double>(run.refused), static_cast<double>(run.accepted + run.refused));
  figures.within_wait = run.within_wait;
  figures.drained = run.thousand_after;
  for (std::size_t i = 1; i < scenario.phases.size(); ++i) {
    const auto& phase = scenario.phases[i];
    const auto change = static_cast<std::size_t>(phase.from / std::chrono::seconds{1});
    const double after = recovery(run, change, allowed_per_second(phase.limit)).value_or(1e9);
    figures.recovery = std::max(figures.recovery.value_or(0), after);
  }
  return figures;
}

}  // namespace pace_simulation
