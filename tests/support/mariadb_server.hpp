// A MariaDB of the tests' own: in a temporary folder, on a socket in that folder and on no port,
// without waiting for the disk. Started when a test first asks, stopped with the test program.
#pragma once

#include <memory>
#include <string>

#include "tests/support/child_process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace support {

class MariadbServer {
 public:
  // The one of this test program.
  static MariadbServer& shared();

  MariadbServer();
  ~MariadbServer();

  // For tests of a server that goes away and comes back.
  void start();
  void stop();

  // A new, empty database; its name.
  std::string create_database();
  // What `[crm] connection` says.
  std::string odbc(const std::string& database) const;

 private:
  TemporaryFolder folder_;
  int databases_ = 0;
  std::unique_ptr<ChildProcess> server_;
};

}  // namespace support
