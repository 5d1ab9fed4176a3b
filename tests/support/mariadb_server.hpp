// A MariaDB server of the tests: in a temporary folder, with a socket there and no port, without
// waiting for the disk. Started when first needed, stopped with the test program.
#pragma once

#include <memory>
#include <string>

#include "tests/support/child_process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace support {

class MariadbServer {
 public:
  // The server of this test program.
  static MariadbServer& shared();

  MariadbServer();
  ~MariadbServer();

  // For tests of a server that stops and starts again.
  void start();
  void stop();

  // Creates an empty database; returns its name.
  std::string create_database();
  // The value of `[crm] connection`.
  std::string odbc(const std::string& database) const;

 private:
  std::string own_temporary_files() const;  // an option

  TemporaryFolder folder_;
  int databases_ = 0;
  std::unique_ptr<ChildProcess> server_;
};

}  // namespace support
