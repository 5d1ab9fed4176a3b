#include "tests/in_process/instance.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "config/sections/load.hpp"

namespace in_process {

using namespace surveybridge;

bool KeptLog::has(std::string_view part) const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

namespace {

// A process that has died does nothing more: whatever its destructors try fails too.
OnMoment mortal(OnMoment on_moment) {
  if (!on_moment) return {};
  return [dead = std::make_shared<bool>(false), on_moment](const Moment& moment) {
    if (*dead) throw Died{};
    try {
      on_moment(moment);
    } catch (const Died&) {
      *dead = true;
      throw;
    }
  };
}

// Work that is done when it is begun. It says that it goes on when it is asked so many times.
class DoneWork final : public daemon::RunningWork {
 public:
  explicit DoneWork(int looks) : looks_(looks) {}
  bool has_ended() override { return looks_ <= 0 || looks_-- == 0; }
  void wait() override { looks_ = 0; }

 private:
  int looks_;
};

std::string connection_of(const std::string& database) {
  const bool file = database.find("://") == std::string::npos;
  return (file ? "sqlite3://" : "") + database;
}

std::unique_ptr<crm::Database> open_session(const Outside& outside, const std::string& connection,
                                            const crm::SessionUse& use) {
  return outside.sessions ? outside.sessions->open(connection, use)
                          : crm::open_database(connection, "UTC", use);
}

}  // namespace

daemon::Environment environment_of(Outside outside, std::uint64_t seed) {
  outside.on_moment = mortal(std::move(outside.on_moment));
  outside.on_crm_moment = mortal(std::move(outside.on_crm_moment));
  daemon::Environment world;
  const std::string connection = connection_of(outside.database);
  world.open_database = [outside, connection] {
    auto database =
        watched(open_session(outside, connection, {}), outside.clock, outside.on_moment);
    return outside.wrap_database ? outside.wrap_database(std::move(database)) : std::move(database);
  };
  if (!outside.crm.empty()) {
    world.open_crm = [outside, connection = connection_of(outside.crm)](daemon::CrmUse use) {
      return watched(open_session(outside, connection, {.reads_only = use == daemon::CrmUse::read}),
                     outside.clock, outside.on_crm_moment);
    };
  }
  world.open_transport = [outside] {
    return wired(outside.service, outside.on_moment, outside.on_exchange,
                 outside.ignores_claim_age);
  };
  world.open_messenger = outside.open_messenger;
  world.uptime = [&clock = outside.clock] { return clock.now.time_since_epoch(); };
  world.owner = daemon::Random(seed).id();
  world.seed = seed;
  world.run_beside = run_beside(outside.beside, seed);
  world.recorder = outside.recorder;
  return world;
}

daemon::RunBeside run_beside(Beside beside, std::uint64_t seed) {
  if (beside == Beside::nothing) return {};
  return [beside, random = daemon::Random(seed ^ 0xBE51DEULL)](
             const std::function<void()>& work) mutable -> std::unique_ptr<daemon::RunningWork> {
    work();
    int looks = 0;
    if (beside == Beside::ends_when_awaited) looks = std::numeric_limits<int>::max();
    if (beside == Beside::ends_sometime) looks = static_cast<int>(random.unit() * 5);
    return std::make_unique<DoneWork>(looks);
  };
}

Instance::Instance(const config::Settings& settings, const Outside& outside, std::uint64_t seed,
                   bool once)
    : clock_(outside.clock) {
  auto made = service::Credentials::make(settings.service.auth);
  credentials_ = std::get<0>(std::move(made));
  bridge_ = std::make_unique<daemon::Bridge>(settings, environment_of(outside, seed), log_,
                                             *credentials_, daemon::Bridge::Options{.once = once});
  wishes_.assign(bridge_->jobs().size(), outside.clock.now);
}

TimePoint Instance::next() const {
  return *std::min_element(wishes_.begin(), wishes_.end());
}

void Instance::step() {
  const auto first = std::min_element(wishes_.begin(), wishes_.end());
  clock_.now = std::max(clock_.now, *first);
  const auto job = static_cast<std::size_t>(first - wishes_.begin());
  const TimePoint wish = jobs()[job]->step(clock_.now + skew_);
  wishes_[job] = wish == daemon::kNever ? wish : wish - skew_;
}

void Instance::set_skew(daemon::Duration skew) {
  skew_ = skew;
}

void Instance::run_until(TimePoint until, int steps_max) {
  for (int steps = 0; next() <= until; ++steps) {
    if (steps == steps_max) throw std::runtime_error("the daemon does not come to rest");
    step();
  }
  clock_.now = std::max(clock_.now, until);
}

void Instance::leave() {
  for (auto& job : jobs())
    job->leave();
}

config::Settings settings_of(const std::string& toml) {
  static const std::string usual = R"([service]
base_url = "http://127.0.0.1:1"
[service.auth]
kind = "none"
[service.pace]
max_per_second = 1000
[crm]
connection = "sqlite3:///unused"
)";
  const bool whole = toml.find("[service]") != std::string::npos;
  auto parsed = config::parse(whole ? toml : usual + toml, "test.toml");
  if (const auto* problems = std::get_if<std::vector<config::Problem>>(&parsed)) {
    throw std::runtime_error(to_string(problems->front()));
  }
  return std::get<config::Settings>(std::move(parsed));
}

}  // namespace in_process
