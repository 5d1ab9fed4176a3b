#include "tests/support/mariadb_server.hpp"

#include <filesystem>
#include <stdexcept>

#include <gtest/gtest.h>
#include <unistd.h>

namespace support {
namespace {

constexpr Deadline kStart = std::chrono::seconds(60);

class StopsAtTheEnd : public testing::Environment {
 public:
  std::unique_ptr<MariadbServer> server;
  void TearDown() override { server.reset(); }
};

// MariaDB runs as root only with this option.
void add_user(std::vector<std::string>& words) {
  if (geteuid() == 0) words.emplace_back("--user=root");
}

}  // namespace

MariadbServer& MariadbServer::shared() {
  static auto* const holder = static_cast<StopsAtTheEnd*>(
      testing::AddGlobalTestEnvironment(new StopsAtTheEnd));  // gtest deletes it
  if (!holder->server) holder->server = std::make_unique<MariadbServer>();
  return *holder->server;
}

MariadbServer::MariadbServer() {
  const std::string data = "--datadir=" + folder_.path() + "/data";
  std::filesystem::create_directory(folder_.path() + "/tmp");
  std::vector<std::string> words = {
      "mariadb-install-db",  "--no-defaults",  data,
      own_temporary_files(), "--skip-test-db", "--auth-root-authentication-method=normal"};
  add_user(words);
  const Finished made = run({words, {}});
  if (made.status != 0) throw std::runtime_error("mariadb-install-db: " + made.out + made.err);
  start();
}

MariadbServer::~MariadbServer() {
  stop();
}

// A server that starts removes the temporary tables that it finds, also those of another server.
std::string MariadbServer::own_temporary_files() const {
  return "--tmpdir=" + folder_.path() + "/tmp";
}

void MariadbServer::start() {
  std::vector<std::string> words = {"/usr/sbin/mariadbd",
                                    "--no-defaults",
                                    "--datadir=" + folder_.path() + "/data",
                                    own_temporary_files(),
                                    "--skip-networking",
                                    "--socket=" + folder_.path() + "/socket",
                                    "--pid-file=" + folder_.path() + "/pid",
                                    "--innodb-flush-method=nosync",
                                    "--skip-log-bin"};
  add_user(words);
  server_ = std::make_unique<ChildProcess>(Program{words, {}});
  if (!server_->wait_for("ready for connections", kStart))
    throw std::runtime_error("mariadbd did not start: " + server_->err());
}

void MariadbServer::stop() {
  if (!server_) return;
  server_->signal(SIGTERM);
  server_->wait(std::chrono::seconds(20));
  server_.reset();
}

std::string MariadbServer::create_database() {
  const std::string name = "crm_" + std::to_string(++databases_);
  const Finished done =
      run({{"mariadb", "--no-defaults", "--user=root", "--socket=" + folder_.path() + "/socket",
            "--execute=CREATE DATABASE " + name + " CHARACTER SET utf8mb4"},
           {}});
  if (done.status != 0) throw std::runtime_error("mariadb: " + done.err);
  return name;
}

std::string MariadbServer::odbc(const std::string& database) const {
  return "odbc://Driver=MariaDB Unicode;SOCKET=" + folder_.path() +
         "/socket;UID=root;DATABASE=" + database + ";";
}

}  // namespace support
