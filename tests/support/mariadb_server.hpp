// A MariaDB or MySQL server of the tests: in a temporary folder, with a socket there and no port,
// without waiting for the disk. Started when first needed, stopped with the test program. MySQL's
// programs come from Debian unstable by scripts/unstable; without them nothing is skipped: a test
// that needs them fails.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/child_process.hpp"
#include "tests/support/database_server.hpp"
#include "tests/support/temporary_folder.hpp"

namespace support {

class MariadbServer {
 public:
  // The server of this test program.
  static MariadbServer& shared(DatabaseServer which = DatabaseServer::mariadb);

  explicit MariadbServer(DatabaseServer which = DatabaseServer::mariadb);
  ~MariadbServer();

  // For tests of a server that stops and starts again.
  void start();
  void stop();

  // Creates an empty database; returns its name.
  std::string create_database();
  // The value of `[crm] connection`.
  std::string odbc(const std::string& database) const;

 private:
  std::vector<std::string> program() const;  // the server, before its options
  std::vector<std::string> options() const;  // of a server that runs, and that makes its tables

  TemporaryFolder folder_;
  bool is_mysql_;
  int databases_ = 0;
  std::unique_ptr<ChildProcess> server_;
};

}  // namespace support
