#include "daemon/runtime/real_environment.hpp"

#include <ctime>
#include <filesystem>
#include <random>

#include "connectors/crm/driver/connection_text.hpp"
#include "connectors/crm/driver/notifications.hpp"
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

// SQLite would create a file that is not there; a CRM is always there.
void expect_file(const std::string& connection) {
  if (crm::parse_connection(connection).backend != crm::ConnectionText::Backend::sqlite) return;
  const std::string path = connection.substr(std::string_view("sqlite3://").size());
  std::error_code unknown;
  if (path == ":memory:" || std::filesystem::exists(path, unknown)) return;
  throw crm::DatabaseError(crm::DatabaseError::Kind::connection,
                           "there is no file \"" + path + "\"");
}

}  // namespace

service::CurlLimits limits_of(const config::Service& settings) {
  return {settings.timeout, std::min(settings.timeout, config::Milliseconds{10'000}),
          settings.max_body, settings.ca_file};
}

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
  const std::string& connection = std::get<std::string>(text);
  if (auto problem = notify_problem(settings, connection)) return *std::move(problem);
  return environment_of(settings, connection, stop);
}

std::optional<std::string> notify_problem(const config::Settings& settings,
                                          const std::string& connection) {
  if (crm::can_notify(connection)) return std::nullopt;
  for (const auto& push : settings.pushes) {
    if (!push.notify.empty())
      return "push." + push.name +
             ".notify: only a database that is reached by postgresql:// can notify";
  }
  return std::nullopt;
}

Environment environment_of(const config::Settings& settings, const std::string& connection,
                           const std::atomic<bool>* stop) {
  Environment environment;
  environment.open_database = [connection, zone = settings.crm.time_zone] {
    expect_file(connection);
    return crm::open_database(connection, zone);
  };
  if (crm::can_notify(connection)) {
    environment.open_notifications = [connection](const std::vector<std::string>& channels) {
      return std::make_unique<crm::Notifications>(connection, channels);
    };
  }
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
