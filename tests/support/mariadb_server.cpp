#include "tests/support/mariadb_server.hpp"

#include <filesystem>
#include <map>
#include <stdexcept>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/first_data.hpp"
#include "tests/support/paths.hpp"

namespace support {
namespace {

constexpr Deadline kStart = std::chrono::seconds(60);

class StopsAtTheEnd : public testing::Environment {
 public:
  std::map<DatabaseServer, std::unique_ptr<MariadbServer>> servers;
  void TearDown() override { servers.clear(); }
};

void add(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

}  // namespace

MariadbServer& MariadbServer::shared(DatabaseServer which) {
  static auto* const holder = static_cast<StopsAtTheEnd*>(
      testing::AddGlobalTestEnvironment(new StopsAtTheEnd));  // gtest deletes it
  auto& server = holder->servers[which];
  if (!server) server = std::make_unique<MariadbServer>(which);
  return *server;
}

MariadbServer::MariadbServer(DatabaseServer which) : is_mysql_(which == DatabaseServer::mysql) {
  std::filesystem::create_directory(folder_.path() + "/tmp");
  std::vector<std::string> words =
      is_mysql_ ? program() : std::vector<std::string>{"/usr/bin/mariadb-install-db"};
  add(words, options());
  if (is_mysql_) {
    words.emplace_back("--initialize-insecure");
  } else {
    add(words, {"--skip-test-db", "--auth-root-authentication-method=normal"});
  }
  make_first_data(folder_.path() + "/data", {words, {}});
  start();
}

MariadbServer::~MariadbServer() {
  stop();
}

// MySQL's is run by the loader and with the libraries that it was built for.
std::vector<std::string> MariadbServer::program() const {
  if (!is_mysql_) return {"/usr/sbin/mariadbd"};
  const std::string root = source_dir() + "/build/unstable/usr";
  if (!std::filesystem::exists(root + "/sbin/mysqld"))
    throw std::runtime_error("there is no " + root + "/sbin/mysqld: scripts/unstable fetches it");
  return {root + "/lib64/ld-linux-x86-64.so.2", "--library-path", root + "/lib/x86_64-linux-gnu",
          root + "/sbin/mysqld"};
}

// A server that starts removes the temporary tables that it finds, also those of another server. As
// root each runs only with the option that names root.
std::vector<std::string> MariadbServer::options() const {
  std::vector<std::string> words = {"--no-defaults", "--datadir=" + folder_.path() + "/data",
                                    "--tmpdir=" + folder_.path() + "/tmp"};
  if (is_mysql_) words.push_back("--basedir=" + source_dir() + "/build/unstable/usr");
  if (geteuid() == 0) words.emplace_back("--user=root");
  return words;
}

void MariadbServer::start() {
  std::vector<std::string> words = program();
  add(words, options());
  add(words,
      {"--skip-networking", "--socket=" + folder_.path() + "/socket",
       "--pid-file=" + folder_.path() + "/pid", "--innodb-flush-method=nosync", "--skip-log-bin"});
  if (is_mysql_)
    add(words, {"--mysqlx=OFF", "--table-definition-cache=100000", "--secure-file-priv=NULL",
                "--performance-schema=OFF", "--innodb-buffer-pool-size=64M",
                "--innodb-redo-log-capacity=32M"});
  server_ = std::make_unique<ChildProcess>(Program{words, {}});
  if (!server_->wait_for("ready for connections", kStart))
    throw std::runtime_error(words.back() + ": the server did not start: " + server_->err());
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
