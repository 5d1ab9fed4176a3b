#include "tests/support/pooler.hpp"

#include <csignal>
#include <stdexcept>

#include <pwd.h>
#include <unistd.h>

namespace support {
namespace {

constexpr Deadline kUp = std::chrono::seconds(60);

}  // namespace

// PgBouncer refuses to run as root.
Pooler::Pooler(const PostgresServer& server) : port_(free_port()) {
  const std::string settings = folder_.write(
      "pgbouncer.ini", "[databases]\n* = host=127.0.0.1 port=" + std::to_string(server.port()) +
                           " user=bridge\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " +
                           std::to_string(port_) + "\nunix_socket_dir =\nauth_type = any\n" +
                           "pool_mode = transaction\ndefault_pool_size = 2\n");
  std::string user;
  if (geteuid() == 0) {
    user = "postgres";
    const passwd* entry = getpwnam(user.c_str());
    for (const std::string& path : {folder_.path(), settings}) {
      if (entry == nullptr || chown(path.c_str(), entry->pw_uid, entry->pw_gid) != 0)
        throw std::runtime_error("cannot give " + path + " to " + user);
    }
  }
  pooler_ =
      std::make_unique<ChildProcess>(Program{{"/usr/sbin/pgbouncer", settings}, {}, user, SIGINT});
  if (!pooler_->wait_for("process up", kUp))
    throw std::runtime_error("pgbouncer did not start: " + pooler_->err() + pooler_->out());
}

Pooler::~Pooler() {
  pooler_->signal(SIGTERM);
  pooler_->wait(std::chrono::seconds(20));
}

std::string Pooler::native(const std::string& database) const {
  return "postgresql://host=127.0.0.1 port=" + std::to_string(port_) +
         " user=bridge dbname=" + database;
}

}  // namespace support
