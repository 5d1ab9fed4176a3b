#include "tests/support/servers.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include "tests/support/first_data.hpp"
#include "tests/support/paths.hpp"

namespace support {
namespace {

namespace fs = std::filesystem;

constexpr Deadline kStart = std::chrono::seconds(60);
constexpr int kStarts = 5;  // another process may take the port between our choice and the start

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

// Of the version that BRIDGE_POSTGRESQL names, from scripts/postgresql; else the newest of
// Debian's, which has a folder for each version; elsewhere pg_config knows the folder.
std::string find_programs() {
  if (const char* version = std::getenv("BRIDGE_POSTGRESQL"))
    return source_dir() + "/build/postgresql-" + version + "/bin";
  std::string newest;
  std::error_code none;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", none)) {
    const fs::path folder = version.path() / "bin";
    if (fs::exists(folder / "initdb")) newest = std::max(newest, folder.string());
  }
  if (!newest.empty()) return newest;
  return trimmed(run({{"pg_config", "--bindir"}, {}}).out);
}

// PostgreSQL refuses to run as root.
std::string find_user() {
  if (geteuid() != 0) return {};
  return getpwnam("postgres") != nullptr ? "postgres" : "nobody";
}

void give_to(const std::string& user, const std::string& path) {
  const passwd* entry = getpwnam(user.c_str());
  if (entry == nullptr || chown(path.c_str(), entry->pw_uid, entry->pw_gid) != 0) {
    throw std::runtime_error("cannot give " + path + " to " + user);
  }
}

class StopsAtTheEnd : public testing::Environment {
 public:
  std::unique_ptr<PostgresServer> server;
  void TearDown() override { server.reset(); }
};

}  // namespace

PostgresServer& PostgresServer::shared() {
  static auto* const holder = static_cast<StopsAtTheEnd*>(
      testing::AddGlobalTestEnvironment(new StopsAtTheEnd));  // gtest deletes it
  if (!holder->server) holder->server = std::make_unique<PostgresServer>();
  return *holder->server;
}

PostgresServer::PostgresServer(Empty) : programs_(find_programs()), user_(find_user()) {
  if (!user_.empty()) give_to(user_, folder());
}

PostgresServer::PostgresServer(std::vector<std::string> settings,
                               std::vector<std::string> environment)
    : PostgresServer(Empty{}) {
  settings_ = std::move(settings);
  environment_ = std::move(environment);
  initialise();
  start_on_a_free_port();
  sql("postgres", "CREATE ROLE locked LOGIN PASSWORD 's3cret!'");
  sql("template1", "REVOKE CREATE ON SCHEMA public FROM PUBLIC");  // as from 15 on
}

std::unique_ptr<PostgresServer> PostgresServer::standby_of(const PostgresServer& primary) {
  std::unique_ptr<PostgresServer> standby(new PostgresServer(Empty{}));
  standby->settings_ = primary.settings_;
  standby->copy(primary);
  standby->start_on_a_free_port();
  return standby;
}

void PostgresServer::start_on_a_free_port() {
  for (int i = 1; port_ == 0 || !server_; ++i) {
    port_ = free_port();
    try {
      start();
    } catch (const std::runtime_error&) {
      if (i == kStarts) throw;
    }
  }
}

void PostgresServer::copy(const PostgresServer& primary) {
  const Finished made =
      run({{program("pg_basebackup"), "-h", "127.0.0.1", "-p", std::to_string(primary.port_), "-U",
            "bridge", "-D", folder() + "/cluster", "-R", "-X", "stream", "-c", "fast", "--no-sync"},
           {},
           user_});
  if (made.status != 0) throw std::runtime_error("pg_basebackup: " + made.err);
}

void PostgresServer::kill() {
  if (!server_) return;
  server_->signal(SIGKILL);
  server_->wait(std::chrono::seconds(20));
  server_.reset();
}

void PostgresServer::promote() {
  const Finished done = run(
      {{program("pg_ctl"), "promote", "-w", "-t", "50", "-D", folder() + "/cluster"}, {}, user_});
  if (done.status != 0) throw std::runtime_error("pg_ctl promote: " + done.err + done.out);
}

PostgresServer::~PostgresServer() {
  stop();
}

// A client that is not among the server's programs is Debian's.
std::string PostgresServer::program(const std::string& name) const {
  const std::string own = programs_ + "/" + name;
  return fs::exists(own) || name == "initdb" ? own : name;
}

void PostgresServer::initialise() {
  make_first_data(folder() + "/cluster",
                  {{program("initdb"), "-D", folder() + "/cluster", "-U", "bridge", "--auth=trust",
                    "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"},
                   {},
                   user_});
  const std::string rules = folder() + "/cluster/pg_hba.conf";
  const std::string others = read_file(rules);
  folder_.write("cluster/pg_hba.conf", "host all locked 127.0.0.1/32 scram-sha-256\n" + others);
}

void PostgresServer::start() {
  // When the test program dies an immediate stop is enough: no data is worth keeping.
  Program postgres{
      {program("postgres"), "-D", folder() + "/cluster"}, environment_, user_, SIGQUIT};
  for (const std::string& setting :
       {"port=" + std::to_string(port_), std::string("listen_addresses=127.0.0.1"),
        "unix_socket_directories=" + folder(), std::string("fsync=off"),
        std::string("synchronous_commit=off"), std::string("full_page_writes=off"),
        std::string("log_min_messages=log"), std::string("log_checkpoints=off"),
        std::string("password_encryption=scram-sha-256"),  // before 14: md5
        // A server that is killed leaves nothing outside of its folder.
        std::string("dynamic_shared_memory_type=mmap"), std::string("max_connections=60")}) {
    postgres.argv.insert(postgres.argv.end(), {"-c", setting});
  }
  for (const std::string& setting : settings_)
    postgres.argv.insert(postgres.argv.end(), {"-c", setting});
  server_ = std::make_unique<ChildProcess>(postgres);
  const bool german = std::ranges::find(environment_, "LANGUAGE=de") != environment_.end();
  if (!server_->wait_for(german ? "bereit, um Verbindungen" : "ready to accept", kStart)) {
    const std::string said = server_->err();
    server_.reset();
    throw std::runtime_error("postgres did not start: " + said);
  }
}

void PostgresServer::stop() {
  if (!server_) return;
  server_->signal(SIGQUIT);
  server_->wait(std::chrono::seconds(20));
  server_.reset();
}

std::string PostgresServer::create_database(const std::string& encoding) {
  const std::string name = "crm_" + std::to_string(++databases_);
  const bool own = encoding != "UTF8";
  sql("postgres", "CREATE DATABASE " + name +
                      (own ? " TEMPLATE template0 LOCALE 'C' ENCODING '" + encoding + "'" : ""));
  return name;
}

// Up to a mark that the server writes for us.
std::string PostgresServer::log() {
  const std::string mark = "the log is read " + std::to_string(++logs_read_) + " times";
  sql("postgres", "DO $$ BEGIN RAISE LOG '" + mark + "'; END $$");
  if (!server_->wait_for(mark, kStart)) throw std::runtime_error("postgres writes no log");
  return server_->err();
}

void PostgresServer::drop_database(const std::string& name) {
  sql("postgres", "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
}

std::string PostgresServer::sql(const std::string& database, const std::string& text) const {
  const Finished done =
      run({{program("psql"), "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p",
            std::to_string(port_), "-U", "bridge", "-d", database, "-c", text},
           {"PGCONNECT_TIMEOUT=20"}});
  if (done.status != 0) throw std::runtime_error("psql: " + done.err);
  return trimmed(done.out);
}

void PostgresServer::end_session(const std::string& id) const {
  while (sql("postgres", "SELECT pg_terminate_backend(" + id + ")") == "t") {
  }
}

std::string PostgresServer::native(const std::string& database) const {
  return "postgresql://host=127.0.0.1 port=" + std::to_string(port_) +
         " user=bridge dbname=" + database;
}

std::string PostgresServer::odbc(const std::string& database) const {
  return "odbc://Driver=PostgreSQL Unicode;Server=127.0.0.1;Port=" + std::to_string(port_) +
         ";UID=bridge;Database=" + database + ";";
}

}  // namespace support
