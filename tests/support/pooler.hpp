// A PgBouncer of the tests' own before a PostgreSQL, in transaction mode, with few sessions.
// Started on a free port of 127.0.0.1 in a temporary folder, stopped with the object.
#pragma once

#include <memory>
#include <string>

#include "tests/support/servers.hpp"

namespace support {

class Pooler {
 public:
  // At most two sessions of the server for each database.
  explicit Pooler(const PostgresServer& server);
  ~Pooler();

  // What `[crm] connection` says.
  std::string native(const std::string& database) const;

 private:
  TemporaryFolder folder_;
  int port_ = 0;
  std::unique_ptr<ChildProcess> pooler_;
};

}  // namespace support
