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
  explicit BridgeOn(Server server) : crm_(server) {}

 protected:
  support::Finished command(Arguments words) {
    words.insert(words.end(), {"-c", config_});
    return bridge(words);
  }

  Crm crm_;
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  std::string config_ =
      folder_.write("bridge.toml", configuration(crm_.connection(), sandbox_.url()));
};

class BridgeAndCrm : public testing::TestWithParam<Server>, public BridgeOn {
 protected:
  BridgeAndCrm() : BridgeOn(GetParam()) {}
};

// Where the database makes no difference to what is proved.
class BridgeAndSqlite : public testing::Test, public BridgeOn {
 protected:
  BridgeAndSqlite() : BridgeOn(Server::sqlite) {}
};

}  // namespace program
