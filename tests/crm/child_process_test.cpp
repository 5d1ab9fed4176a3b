// Tests of the support code for tests of whole programs (tests/support).
#include "tests/support/child_process.hpp"

#include <stdexcept>

#include <gmock/gmock.h>

#include "tests/support/servers.hpp"

namespace support {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Program shell(const std::string& script) {
  return {{"sh", "-c", script}, {}};
}

TEST(ChildProcesses, GiveTheirOutputAndStatus) {
  const Finished finished = run(shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(finished.status, 7);
  EXPECT_EQ(finished.out, "out\n");
  EXPECT_EQ(finished.err, "err\n");
}

TEST(ChildProcesses, MaySayMoreThanAPipeHolds) {
  EXPECT_EQ(run(shell("head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2")).out.size(),
            5'000'000u);
}

TEST(ChildProcesses, SeeTheEnvironmentTheyAreGiven) {
  Program program = shell("echo $HOME $BRIDGE");
  program.environment = {"BRIDGE=b", "HOME=h"};
  EXPECT_EQ(run(program).out, "h b\n");
}

TEST(ChildProcesses, CanBeSignalledAndAwaited) {
  ChildProcess child(shell("trap 'echo bye; exit 3' TERM; echo ready; while :; do read x; done"));
  ASSERT_TRUE(child.wait_for("ready", 10s));
  EXPECT_EQ(child.wait(1ms), std::nullopt);
  child.signal(SIGTERM);
  EXPECT_EQ(child.wait(10s), 3);
  EXPECT_THAT(child.out(), HasSubstr("bye"));
}

TEST(ChildProcesses, SayWhichSignalEndedThem) {
  ChildProcess child(shell("kill -9 $$"));
  EXPECT_EQ(child.wait(10s), 128 + 9);
}

TEST(ChildProcesses, AreNotWaitedForInVain) {
  EXPECT_FALSE(ChildProcess(shell("echo no")).wait_for("ready", 10s));
  ChildProcess silent(shell("read x < /dev/tty || exec tail -f /dev/null"));
  EXPECT_FALSE(silent.wait_for("ready", 20ms));
  EXPECT_THROW(run({{"tail", "-f", "/dev/null"}, {}}, 20ms), std::runtime_error);
}

TEST(ChildProcesses, EndWithTheirObject) {
  pid_t pid = 0;
  {
    ChildProcess child(Program{{"tail", "-f", "/dev/null"}, {}});
    pid = child.pid();
    EXPECT_EQ(kill(pid, 0), 0);
  }
  EXPECT_NE(kill(pid, 0), 0);
}

TEST(ChildProcesses, SaySoWhenThereIsNoSuchProgram) {
  EXPECT_EQ(run({{"/no/such/program"}, {}}).status, 127);
}

TEST(PostgresServers, GiveEachDatabaseAName) {
  auto& server = PostgresServer::shared();
  const std::string one = server.create_database(), two = server.create_database();
  EXPECT_NE(one, two);
  server.sql(one, "CREATE TABLE t (id int); INSERT INTO t VALUES (7)");
  EXPECT_EQ(server.sql(one, "SELECT id FROM t"), "7");
  EXPECT_THROW(server.sql(two, "SELECT id FROM t"), std::runtime_error);
  server.drop_database(one);
  server.drop_database(two);
}

}  // namespace
}  // namespace support
