// The exit code tells an unreachable database from a fault that a person must correct; a script
// uses it to decide whether to try again.
#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"

namespace program {
namespace {

const std::vector<Arguments> kCommands = {{"status"},
                                          {"verify"},
                                          {"suppressed"},
                                          {"doubt", "list"},
                                          {"quarantine", "list"},
                                          {"explain", "1"},
                                          {"release", "orders"}};

support::Finished ask(Arguments words, const std::string& config) {
  words.insert(words.end(), {"-c", config});
  return bridge(words);
}

TEST(BrokenTables, NeedAPerson) {
  Crm crm(Server::sqlite);
  const support::TemporaryFolder folder;
  const auto config =
      folder.write("bridge.toml", replaced(configuration(crm.connection(), "http://127.0.0.1:1"),
                                           "correlate = \"OrderNumber\"\n", ""));
  ASSERT_EQ(ask({"forget", "--unknown", "nobody@example.test"}, config).status,
            0);  // creates the tables
  crm.execute("DROP TABLE survey_push");
  crm.execute("CREATE VIEW survey_push AS SELECT * FROM gone");
  for (const auto& words : kCommands) {
    const auto ran = ask(words, config);
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
    EXPECT_EQ(ask(words, config).status, 69) << words.front();
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
    EXPECT_EQ(ask(words, config).status, 78) << words.front();
}

}  // namespace
}  // namespace program
