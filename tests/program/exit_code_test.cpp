// What commands say without their database, their tables or their secrets, and the exit code, by
// which a script decides whether to try again.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<Arguments> kCommands = {{"status"},
                                          {"verify"},
                                          {"suppressed"},
                                          {"doubt", "list"},
                                          {"quarantine", "list"},
                                          {"explain", "1"},
                                          {"release", "orders"}};

TEST(BrokenTables, NeedAPerson) {
  Crm crm(Server::sqlite);
  const support::TemporaryFolder folder;
  const auto config =
      folder.write("bridge.toml", replaced(configuration(crm.connection(), "http://127.0.0.1:1"),
                                           "correlate = \"OrderNumber\"\n", ""));
  ASSERT_EQ(command({"forget", "--unknown", "nobody@example.test"}, config).status,
            0);  // creates the tables
  crm.execute("DROP TABLE survey_push");
  crm.execute("CREATE VIEW survey_push AS SELECT * FROM gone");
  for (const auto& words : kCommands) {
    const auto ran = command(words, config);
    EXPECT_EQ(ran.status, 1) << words.front();
    EXPECT_THAT(ran.err, testing::HasSubstr("surveybridge: database: ")) << words.front();
  }
}

TEST(BrokenTables, DoNotHideAnUnreachableDatabase) {
  const support::TemporaryFolder folder;
  const auto config = folder.write(
      "bridge.toml",
      configuration("postgresql://host=127.0.0.1 port=" + std::to_string(support::free_port()),
                    "http://127.0.0.1:1"));
  for (const auto& words : kCommands)
    EXPECT_EQ(command(words, config).status, 69) << words.front();
}

// Another try would be refused, too.
TEST(BrokenTables, AreNotWhatARefusedLoginIs) {
  Crm crm(Server::postgresql);
  const support::TemporaryFolder folder;
  const auto config = folder.write(
      "bridge.toml",
      configuration(replaced(crm.connection(), "user=bridge", "user=locked password=wrong"),
                    "http://127.0.0.1:1"));
  std::vector<Arguments> commands = kCommands;
  commands.push_back({"check"});
  for (const auto& words : commands)
    EXPECT_EQ(command(words, config).status, 78) << words.front();
}

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

TEST(WithoutTheSecret, TablesCanBeLookedAt) {
  Crm crm(Server::sqlite);
  SandboxProgram sandbox{{"--speed", "0"}};
  support::TemporaryFolder folder;
  const std::string text = configuration(crm.connection(), sandbox.url()) +
                           "\n[status]\nlisten = \"127.0.0.1:0\"\n"
                           "token = { env = \"NO_SUCH_VARIABLE\" }\n";
  crm.insert(orders(3));
  ASSERT_EQ(bridge({"sync", "-c",
                    folder.write("first.toml", configuration(crm.connection(), sandbox.url()))})
                .status,
            0);
  const std::string config =
      folder.write("bridge.toml", replaced(text, "BRIDGE_TOKEN", "NO_SUCH_VARIABLE"));
  for (const Arguments& words : {Arguments{"status"},
                                 {"explain", "1"},
                                 {"quarantine", "list"},
                                 {"doubt", "list"},
                                 {"suppressed"},
                                 {"report"},
                                 {"write-back", "customers"},
                                 {"forget", "nobody@example.test"}}) {
    Arguments typed = words;
    typed.insert(typed.end(), {"-c", config});
    const auto done = bridge(typed);
    EXPECT_THAT(done.err, Not(HasSubstr("NO_SUCH_VARIABLE"))) << words.front();
    EXPECT_LE(done.status, 1) << words.front() << done.err;
  }
  for (const char* word : {"sync", "verify", "check"}) {
    const auto refused = bridge({word, "-c", config});
    EXPECT_EQ(refused.status, 78) << word;
    EXPECT_THAT(refused.err, HasSubstr("NO_SUCH_VARIABLE")) << word;
  }
}

}  // namespace
}  // namespace program
