#include "daemon/runtime/real_environment.hpp"

#include <ctime>
#include <random>

#include "connectors/service/curl_transport.hpp"
#include "daemon/runtime/instance_name.hpp"

namespace surveybridge::daemon {

namespace {

// Also counts during suspend, so that a claim made before it is old afterwards.
Duration uptime() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds{now.tv_sec} + std::chrono::microseconds{now.tv_nsec / 1000};
}

std::uint64_t true_chance() {
  std::random_device device;
  return static_cast<std::uint64_t>(device()) << 32 | device();
}

service::CurlLimits limits_of(const config::Service& settings) {
  return {settings.timeout, std::min(settings.timeout, config::Milliseconds{10'000}),
          settings.max_body, settings.ca_file};
}

}  // namespace

TimePoint system_now() {
  static const TimePoint booted =
      std::chrono::floor<Duration>(std::chrono::system_clock::now()) - uptime();
  return booted + uptime();
}

std::variant<Environment, std::string> make_world(const config::Settings& settings,
                                                  const std::atomic<bool>* stop) {
  auto text = config::read(settings.crm.connection);
  if (const auto* unreadable = std::get_if<config::Unreadable>(&text)) {
    return "crm.connection: " + unreadable->why;
  }
  Environment environment;
  environment.open_database = [connection = std::get<std::string>(text)] {
    return crm::open_database(connection);
  };
  environment.open_transport = [limits = limits_of(settings.service), stop] {
    return std::make_unique<service::CurlTransport>(limits, stop);
  };
  environment.uptime = uptime;
  environment.seed = true_chance();
  environment.owner = instance_name(Random(true_chance()).id());
  environment.has_ended = [](const std::string& owner) { return has_ended(owner); };
  environment.run_beside = [](std::function<void()> work) {
    return std::async(std::launch::async, std::move(work));
  };
  return environment;
}

}  // namespace surveybridge::daemon
