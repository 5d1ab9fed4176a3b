// What a command says without its database or its secrets: all of it, once, and nothing is made.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;

class DatabaseDown : public testing::Test {
 protected:
  std::string config(const std::string& connection) {
    return folder_.write("bridge.toml", configuration(connection, sandbox_.url()));
  }

  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
};

TEST_F(DatabaseDown, SyncSaysItInOneLineAndWaitsForNothing) {
  const auto ran = bridge({"sync", "-c",
                           config("postgresql://host=127.0.0.1 dbname=crm port=" +
                                  std::to_string(support::free_port()))});
  EXPECT_EQ(ran.status, 69);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("Connection refused"));
}

TEST_F(DatabaseDown, NoCommandMakesASqliteFile) {
  const std::string file = folder_.path() + "/none.db";
  const std::string path = config("sqlite3://" + file);
  for (const char* command : {"check", "sync", "status", "preview", "verify", "suppressed"}) {
    const auto ran = bridge({command, "-c", path});
    EXPECT_NE(ran.status, 0) << command;
    EXPECT_THAT(ran.err, HasSubstr("there is no file \"" + file + "\"")) << command;
    EXPECT_FALSE(std::filesystem::exists(file)) << command;
  }
}

TEST_F(DatabaseDown, CheckGoesOnWithoutASecret) {
  const std::string wrong =
      replaced(configuration("sqlite3://" + folder_.path() + "/none.db", sandbox_.url()),
               "BRIDGE_TOKEN", "BRIDGE_NO_TOKEN");
  const auto ran = bridge({"check", "-c", folder_.write("bridge.toml", wrong)});
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.err, HasSubstr("\"BRIDGE_NO_TOKEN\" is not set"));
  EXPECT_THAT(ran.err, HasSubstr("there is no file"));
  const auto other =
      bridge({"check", "-c",
              folder_.write("bridge.toml",
                            replaced(configuration("sqlite3://x", sandbox_.url()),
                                     "\"sqlite3://x\"", "{ env = \"BRIDGE_NO_CONNECTION\" }"))});
  EXPECT_EQ(other.status, 78);
  EXPECT_THAT(other.err, HasSubstr("\"BRIDGE_NO_CONNECTION\" is not set"));
}

TEST_F(DatabaseDown, CheckOfflineAsksForTheSecrets) {
  const std::string wrong =
      replaced(configuration("sqlite3://x", sandbox_.url()), "BRIDGE_TOKEN", "BRIDGE_NO_TOKEN");
  const auto ran = bridge({"check", "--offline", "-c", folder_.write("bridge.toml", wrong)});
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.err, HasSubstr("\"BRIDGE_NO_TOKEN\" is not set"));
  EXPECT_THAT(ran.out, Not(HasSubstr("ok")));
}

}  // namespace
}  // namespace program
