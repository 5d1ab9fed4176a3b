// A PostgreSQL of the tests' own: in a temporary folder, on a free port of 127.0.0.1 and a socket
// in that folder, run by a user that PostgreSQL accepts, without fsync. Started when a test first
// asks, stopped with the test program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/child_process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace support {

class PostgresServer {
 public:
  // The one of this test program.
  static PostgresServer& shared();

  // `settings`: "name=value" of postgresql.conf, beyond those of the class. `environment`: of the
  // server; "LANGUAGE=de" makes it speak German without a locale of the machine.
  explicit PostgresServer(std::vector<std::string> settings = {},
                          std::vector<std::string> environment = {});
  // A hot standby that follows `primary`, made of a copy of it.
  static std::unique_ptr<PostgresServer> standby_of(const PostgresServer& primary);
  ~PostgresServer();

  // For tests of a server that goes away and comes back. Stopping does not wait for its clients.
  void start();
  void stop();
  // As a machine that loses its power: no process of it says another word.
  void kill();
  // A standby becomes a primary; returns when it takes writes.
  void promote();

  // A new, empty database; its name.
  std::string create_database(const std::string& encoding = "UTF8");
  void drop_database(const std::string& name);
  // Runs SQL by psql as the superuser; what it printed, without decoration. Throws on an error.
  std::string sql(const std::string& database, const std::string& text) const;
  // Ends the session of this backend, and returns when it has ended.
  void end_session(const std::string& id) const;

  // What the server has written to its log since it was started.
  std::string log();

  int port() const { return port_; }
  const std::string& folder() const { return folder_.path(); }
  // What `[crm] connection` says. User "bridge" needs no password; "locked" has "s3cret!" and is
  // asked for it.
  std::string native(const std::string& database) const;
  std::string odbc(const std::string& database) const;

 private:
  struct Empty {};
  explicit PostgresServer(Empty);
  std::string program(const std::string& name) const;
  void initialise();
  void copy(const PostgresServer& primary);
  void start_on_a_free_port();

  TemporaryFolder folder_;
  std::string programs_;  // where PostgreSQL's own lie
  std::string user_;      // who runs it; empty: who runs the test
  int port_ = 0;
  int databases_ = 0, logs_read_ = 0;
  std::vector<std::string> settings_, environment_;
  std::unique_ptr<ChildProcess> server_;
};

}  // namespace support
