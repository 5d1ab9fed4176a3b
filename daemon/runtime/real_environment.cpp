#include "daemon/runtime/real_environment.hpp"

#include <ctime>
#include <filesystem>
#include <future>
#include <random>

#include "config/file.hpp"
#include "connectors/crm/driver/connection_text.hpp"
#include "connectors/crm/driver/notifications.hpp"
#include "daemon/runtime/instance_name.hpp"

namespace surveybridge::daemon {

namespace {

// Less than the status page waits for the database.
constexpr config::Milliseconds kLookWaits{2000};
constexpr config::Milliseconds kUsual{0};  // the database's own
// More than the authorities of a whole system.
constexpr std::size_t kAuthoritiesBytes = 4 << 20;

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
  const auto path = crm::database_file(connection);
  std::error_code unknown;
  if (path.empty() || std::filesystem::exists(path, unknown)) return;
  throw crm::DatabaseError(crm::DatabaseError::Kind::connection,
                           "there is no file \"" + path.string() + "\"");
}

// Of a missing folder SQLite says only that it is "unable to open database file".
void expect_folder(const std::string& connection) {
  const auto path = crm::database_file(connection);
  const auto folder = path.parent_path();
  std::error_code unknown;
  if (folder.empty() || std::filesystem::is_directory(folder, unknown)) return;
  throw crm::DatabaseError(
      crm::DatabaseError::Kind::connection,
      "there is no folder \"" + folder.string() + "\" for the file \"" + path.string() + "\"");
}

// Of a message of [alert], and of what its receiver answers.
constexpr std::chrono::milliseconds kMessageTakes{30'000}, kMessageConnects{10'000};
constexpr std::int64_t kMessageAnswerBytes = 1 << 20;

class WorkOfAThread final : public RunningWork {
 public:
  explicit WorkOfAThread(std::function<void()> work)
      : end_(std::async(std::launch::async, std::move(work))) {}
  bool has_ended() override {
    return end_.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
  }
  void wait() override { end_.wait(); }

 private:
  std::future<void> end_;
};

}  // namespace

service::CurlLimits limits_of(const config::Service& settings,
                              const service::ClientCertificate& client) {
  return {.timeout = settings.timeout,
          .connect_timeout = std::min(settings.timeout, config::Milliseconds{10'000}),
          .max_body = settings.max_body,
          .ca_file = settings.ca_file,
          .client = client};
}

TimePoint system_now() {
  static const TimePoint booted =
      std::chrono::floor<Duration>(std::chrono::system_clock::now()) - uptime();
  return booted + uptime();
}

std::variant<Connections, std::string> read_connections(const config::Settings& settings) {
  Connections connections;
  const auto read = [](const config::Secret& secret, const char* key,
                       std::string& into) -> std::optional<std::string> {
    auto text = config::read(secret);
    if (const auto* unreadable = std::get_if<config::Unreadable>(&text))
      return std::string(key) + ".connection: " + unreadable->why;
    into = std::get<std::string>(std::move(text));
    try {
      crm::parse_connection(into);
    } catch (const crm::DatabaseError& error) {
      return std::string(key) + "." + error.what();
    }
    return std::nullopt;
  };
  if (auto problem = read(settings.crm.connection, "crm", connections.crm)) return *problem;
  if (!settings.store || !settings.store->connection.set()) return connections;
  if (auto problem = read(settings.store->connection, "store", connections.store)) return *problem;
  return connections;
}

std::variant<World, std::string> make_world(const config::Settings& settings,
                                            const std::atomic<bool>* stop,
                                            const service::ClientCertificate& client) {
  auto connections = read_connections(settings);
  if (auto* problem = std::get_if<std::string>(&connections)) return std::move(*problem);
  const auto& texts = std::get<Connections>(connections);
  if (auto problem = notify_problem(settings, texts.crm)) return *std::move(problem);
  if (const auto& file = settings.service.ca_file; !file.empty()) {
    const auto read = config::read_file(file, kAuthoritiesBytes);
    if (const auto* refused = std::get_if<config::FileRefused>(&read))
      return "service.ca_file: \"" + file + "\" " + refused->why;
  }
  return World{environment_of(settings, texts, stop, Purpose::work, client),
               environment_of(settings, texts, stop, Purpose::look, client)};
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

namespace {

// A SQLite file of the store's is made where there is none; the CRM's must be there.
void add_databases(Environment& environment, const config::Settings& settings,
                   const Connections& connections, config::Milliseconds lock) {
  const auto limit = settings.crm.statement_timeout;
  const auto open_crm = [connection = connections.crm, zone = settings.crm.time_zone, limit,
                         lock](CrmUse use) {
    expect_file(connection);
    return crm::open_database(
        connection, zone,
        {.reads_only = use == CrmUse::read, .statement_timeout = limit, .lock_timeout = lock});
  };
  if (!settings.store) {
    environment.open_database = [open_crm] { return open_crm(CrmUse::write); };
    return;
  }
  environment.open_crm = open_crm;
  environment.open_database =
      [connection = connections.store.empty() ? connections.crm : connections.store,
       zone = settings.crm.time_zone, schema = settings.store->schema, limit, lock] {
        expect_folder(connection);
        return crm::open_database(
            connection, zone, {.schema = schema, .statement_timeout = limit, .lock_timeout = lock});
      };
}

}  // namespace

Environment environment_of(const config::Settings& settings, const Connections& connections,
                           const std::atomic<bool>* stop, Purpose purpose,
                           const service::ClientCertificate& client) {
  Environment environment;
  const config::Milliseconds lock = purpose == Purpose::look ? kLookWaits : kUsual;
  add_databases(environment, settings, connections, lock);
  if (crm::can_notify(connections.crm)) {
    environment.open_notifications =
        [connection = connections.crm](const std::vector<std::string>& channels) {
          return std::make_unique<crm::Notifications>(connection, channels);
        };
  }
  environment.open_transport = [limits = limits_of(settings.service, client), stop] {
    return std::make_unique<service::CurlTransport>(limits, stop);
  };
  environment.open_messenger = [stop](const config::Receiver& receiver) {
    return std::make_unique<service::CurlTransport>(
        service::CurlLimits{
            kMessageTakes, kMessageConnects, kMessageAnswerBytes, receiver.ca_file, "", {}},
        stop);
  };
  environment.uptime = uptime;
  environment.seed = true_chance();
  environment.owner = instance_name(Random(true_chance()).id());
  environment.has_ended = [](const std::string& owner) { return has_ended(owner); };
  environment.run_beside = [](std::function<void()> work) {
    return std::make_unique<WorkOfAThread>(std::move(work));
  };
  return environment;
}

}  // namespace surveybridge::daemon
