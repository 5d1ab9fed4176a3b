// A CRM of one kind of database, the service's stand-in with customers that do not change, and the
// usual configuration of the bridge between them: for tests that run the program's commands.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {

class BridgeOn {
 public:
  explicit BridgeOn(Server server, const Arguments& service = {"--speed", "0"})
      : crm_(server), sandbox_(service) {}

 protected:
  support::Finished command(const Arguments& words) { return program::command(words, config_); }
  // Another configuration in the same file, whose path is returned.
  std::string write(const std::string& text) { return folder_.write("bridge.toml", text); }
  // The first run, which makes the bridge's tables.
  void make_tables() {
    ASSERT_EQ(command({"forget", "--unknown", "nobody@example.test"}).status, 0);
  }
  // The query's only cell is this before a minute is over, and the daemon lives.
  bool comes(const std::string& query, const std::string& cell, Daemon& daemon) {
    return daemon.until([&] { return crm_.cell(query) == cell; });
  }

  Crm crm_;
  SandboxProgram sandbox_;
  support::TemporaryFolder folder_;
  const std::string usual_ = configuration(crm_.connection(), sandbox_.url());
  std::string config_ = write(usual_);
};

class BridgeAndCrm : public testing::TestWithParam<Server>, public BridgeOn {
 protected:
  explicit BridgeAndCrm(const Arguments& service = {"--speed", "0"})
      : BridgeOn(GetParam(), service) {}
};

// Where the database makes no difference to what is proved.
class BridgeAndSqlite : public testing::Test, public BridgeOn {
 protected:
  explicit BridgeAndSqlite(const Arguments& service = {"--speed", "0"})
      : BridgeOn(Server::sqlite, service) {}
};

class BridgeAndPostgresql : public testing::Test, public BridgeOn {
 protected:
  explicit BridgeAndPostgresql(const Arguments& service = {"--speed", "0"})
      : BridgeOn(Server::postgresql, service) {}
};

}  // namespace program
