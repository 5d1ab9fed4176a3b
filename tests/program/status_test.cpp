// `surveybridge status` beside a running daemon, and without one: what each job waits for.
#include <regex>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class StatusOf : public testing::Test {
 protected:
  StatusOf() { crm_.insert(orders(3)); }
  std::string file(const std::string& url, const std::string& brake) {
    return folder_.write("bridge.toml",
                         replaced(configuration(crm_.connection(), url), "brake = false", brake));
  }
  support::Finished status(const std::string& config, const Arguments& more = {}) {
    Arguments words = {"status"};
    words.insert(words.end(), more.begin(), more.end());
    return with(words, config);
  }
  static support::Finished with(Arguments words, const std::string& config) {
    words.insert(words.end(), {"-c", config});
    return bridge(words);
  }

  Crm crm_{Server::sqlite};
  support::TemporaryFolder folder_;
};

TEST_F(StatusOf, ADaemonThatRunsWithItsOldConfigurationIsThereThoughTheFileIsWrong) {
  const SandboxProgram sandbox({"--speed", "0"});
  const std::string config = file(sandbox.url(), "brake = false");
  Daemon daemon(config);
  ASSERT_TRUE(daemon.says("started with"));
  folder_.write("bridge.toml", "[crm]\nconection = 1\n");
  const auto told = status(config);
  EXPECT_EQ(told.status, 78);
  EXPECT_THAT(told.err, HasSubstr("crm.conection: unknown key"));
  EXPECT_THAT(told.out, HasSubstr("daemon  runs here\n"));
  EXPECT_THAT(told.out, HasSubstr("job     push.orders"));
  EXPECT_EQ(bridge({"now", "-c", config}).status, 0);
  const std::string goes_on =
      "The daemon that runs here goes on with the configuration that it has"
      " read before. Mend the file, see `surveybridge check -c " +
      config + "`";
  for (const Arguments& words :
       {Arguments{"explain", "1"}, {"release", "orders", "--confirm", "3"}, {"status"}}) {
    const auto refused = with(words, config);
    EXPECT_EQ(refused.status, 78) << words.front();
    EXPECT_THAT(refused.err, HasSubstr("crm.conection: unknown key")) << words.front();
    EXPECT_THAT(refused.err, HasSubstr(goes_on)) << words.front();
  }
  EXPECT_EQ(daemon.stop(), 0);
  EXPECT_THAT(with({"explain", "1"}, config).err, Not(HasSubstr("goes on"))) << "none runs";
}

TEST_F(StatusOf, SaysWhatEachJobWaitsForSinceWhenAndUntilWhen) {
  const SandboxProgram sandbox({"--speed", "0"});
  const std::string config = file(sandbox.url(), "");
  Daemon daemon(config);
  ASSERT_TRUE(daemon.says("the brake holds"));
  support::Finished told;
  ASSERT_TRUE(daemon.until([&] {
    told = status(config);
    return told.out.find(" since ") != std::string::npos;
  })) << told.out;
  EXPECT_EQ(told.status, 1) << "a person is needed";
  EXPECT_THAT(told.out, HasSubstr("daemon  runs here\n"));
  EXPECT_THAT(
      told.out,
      ContainsRegex("job     push.orders +waits since 20[0-9T:-]+Z [(][0-9]+ s[)]: .*brake"));
  EXPECT_THAT(told.out, ContainsRegex("job     push.orders +next step in [0-9]+ s, at 20"));
  const auto json = nlohmann::json::parse(status(config, {"--json"}).out);
  EXPECT_EQ(json.at("daemon").at("runs"), true);
  const auto push = std::ranges::find_if(
      json.at("jobs"), [](const auto& job) { return job.at("job") == "push.orders"; });
  ASSERT_NE(push, json.at("jobs").end());
  EXPECT_EQ(push->at("fault"), "person");
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusOf, AServiceThatIsAwayNeedsNobody) {
  const std::string config = file("http://127.0.0.1:1", "brake = false");
  Daemon daemon(config);
  support::Finished told;
  ASSERT_TRUE(daemon.until([&] {
    told = status(config);
    return std::regex_search(told.out, std::regex("job +push.orders +waits since .*cannot reach"));
  })) << told.out;
  EXPECT_EQ(told.status, 0) << told.out << told.err;
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusOf, SaysThatNoneRuns) {
  const std::string config = file("http://127.0.0.1:1", "brake = false");
  const auto told = status(config);
  EXPECT_THAT(told.out, HasSubstr("daemon  none runs here with " + config + "\n"));
  EXPECT_THAT(told.out, Not(HasSubstr("job     ")));
  EXPECT_EQ(nlohmann::json::parse(status(config, {"--json"}).out).at("daemon").at("runs"), false);
}

// The daemon answers from memory: a database that is away does not silence it.
TEST_F(StatusOf, SaysWhatTheJobsWaitForWithoutADatabaseToo) {
  const std::string config = folder_.write(
      "away.toml",
      configuration("postgresql://host=127.0.0.1 port=1 dbname=x", "http://127.0.0.1:1"));
  Daemon daemon(config);
  support::Finished told;
  ASSERT_TRUE(daemon.until([&] {
    told = status(config);
    return told.out.find("waits since") != std::string::npos;
  })) << told.out;
  EXPECT_EQ(told.status, 69);
  EXPECT_THAT(told.out, ContainsRegex("job     push.orders +waits since .*: database: "));
  EXPECT_THAT(told.err, HasSubstr("database: "));
  EXPECT_EQ(daemon.stop(), 0);
}

// Somebody who looks because the database does not answer sees the jobs at once.
TEST(StatusOfALockedCrm, BeginsWithTheJobs) {
  Crm crm(Server::postgresql);
  support::TemporaryFolder folder;
  const std::string config =
      folder.write("bridge.toml", configuration(crm.connection(), "http://127.0.0.1:1"));
  ASSERT_EQ(bridge({"forget", "nobody@example.test", "-c", config}).status, 0);
  const auto beside = crm.open();
  beside->begin();
  beside->execute({"LOCK TABLE orders IN ACCESS EXCLUSIVE MODE", {}});
  support::ChildProcess status(bridge_program({"status", "-c", config}));
  EXPECT_TRUE(status.wait_for("daemon  none runs here", std::chrono::seconds(20)));
  EXPECT_THAT(status.out(), Not(HasSubstr("push    orders")));
  EXPECT_TRUE(status.wait_for("still waits for the database", std::chrono::seconds(20)));
  beside->rollback();
  EXPECT_TRUE(status.wait_for("push    orders", std::chrono::seconds(20)));
}

}  // namespace
}  // namespace program
