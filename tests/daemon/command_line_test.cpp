// What --help says of each command: a group, and examples that the command line takes.
#include "daemon/command_line.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace surveybridge::daemon;
using testing::HasSubstr;

struct CommandLine {
  CLI::App app{"a bridge"};
  Invocation invocation;
  InitOptions init;
  std::vector<CommandEntry> entries = describe(app, invocation, init);
};

TEST(CommandLineHelp, EndsWithTwoExamplesThatTheCommandLineTakes) {
  std::set<std::string> typed;
  CommandLine all;
  for (const auto& [sub, command, examples] : all.entries) {
    const std::string name = sub->get_name();
    EXPECT_EQ(examples.size(), 2u) << name;
    for (const auto& example : examples) {
      EXPECT_THAT(sub->help(), HasSubstr(example.typed + "\n      " + example.does));
      EXPECT_TRUE(typed.insert(example.typed).second) << example.typed << " stands twice";
      CommandLine line;
      EXPECT_NO_THROW(line.app.parse(example.typed.substr(0, example.typed.find(" > ")), true))
          << example.typed;
      ASSERT_EQ(line.app.get_subcommands().size(), 1u) << example.typed;
      EXPECT_EQ(line.app.get_subcommands().front()->get_name(), name) << example.typed;
    }
  }
  EXPECT_GT(typed.size(), 40u);
}

TEST(CommandLineHelp, HasTheCommandsInGroups) {
  CommandLine line;
  std::vector<std::string> groups;
  for (const auto& entry : line.entries)
    if (groups.empty() || groups.back() != entry.app->get_group())
      groups.push_back(entry.app->get_group());
  EXPECT_THAT(groups, testing::ElementsAre("First steps", "Every day", "A person decides",
                                           "People's rights", "Tables"));
}

// A list of processes and a shell's history have what is typed.
TEST(CommandLineInput, IsAskedForByADashToo) {
  for (const std::string command : {"explain", "forget", "export"}) {
    for (const char* typed : {" -", " --stdin"}) {
      CommandLine line;
      line.app.parse("surveybridge " + command + typed, true);
      EXPECT_TRUE(line.invocation.from_input) << command << typed;
      EXPECT_THAT(line.invocation.keys, testing::IsEmpty()) << command << typed;
    }
    CommandLine line;
    line.app.parse("surveybridge " + command + " 4711", true);
    EXPECT_FALSE(line.invocation.from_input) << command;
    EXPECT_THROW(CommandLine().app.parse("surveybridge " + command, true), CLI::RequiredError);
  }
}

// docs/RUNBOOK.md lists it among the commands with --json.
TEST(CommandLineJson, IsTakenByExportAsWell) {
  CommandLine line;
  EXPECT_NO_THROW(line.app.parse("surveybridge export ann@example.test --json", true));
  EXPECT_TRUE(line.invocation.json);
}

TEST(CommandLineNumbers, AreOfARangeThatCanBeMeant) {
  const std::pair<const char*, const char*> cases[] = {
      {"rows --page 0", "not in range .?1 (to|-) 1000000"},
      {"rows --page 3000000", "not in range .?1 (to|-) 1000000"},  // its last row has no number
      {"release orders --confirm -1", "not in range .?0 (to|-) 1000000000"},
      {"schema --from -1", "not in range .?0 (to|-) 1000000000"}};
  for (const auto& [typed, range] : cases) {
    CommandLine line;
    std::string told;
    try {
      line.app.parse("surveybridge " + std::string(typed), true);
    } catch (const CLI::ValidationError& error) {
      told = error.what();
    }
    EXPECT_THAT(told, testing::ContainsRegex(range)) << typed;  // CLI11 has changed its words
  }
}

}  // namespace
