// `help WORD`: commands, settings and sections of the documents.
#include "daemon/commands/help.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/commands/embedded_files.hpp"

namespace {

using namespace surveybridge::daemon;
using testing::HasSubstr;
using testing::Not;

const ProgramText kProgram{
    "surveybridge",
    "1.2",
    "a bridge",
    {{"forget", "Erase a person", {{{"--unknown"}, "also an address of nobody", {}}}, {}},
     {"now", "Ends the waits", {}, {{"surveybridge now", "the service is back"}}}}};

TEST(HelpAboutATopic, FindsCommandsSettingsAndSections) {
  const auto about = help_about({"FORGET"}, kProgram);
  EXPECT_THAT(about,
              testing::StartsWith("Commands:\n  surveybridge forget\n      Erase a person\n"));
  EXPECT_THAT(about, Not(HasSubstr("surveybridge now")));
  EXPECT_THAT(about, HasSubstr("  [[pull.customers.write]] forget\n"));
  EXPECT_THAT(about, HasSubstr("  RUNBOOK.md: A person asks to be forgotten\n"))
      << "a word begins with it";
}

TEST(HelpAboutATopic, SearchesOptionsAndExamplesToo) {
  EXPECT_THAT(help_about({"unknown"}, kProgram), HasSubstr("surveybridge forget\n"));
  EXPECT_THAT(help_about({"back"}, kProgram), HasSubstr("surveybridge now\n"));
}

TEST(HelpAboutATopic, PutsFirstWhatIsNamedSo) {
  const auto about = help_about({"restore"}, kProgram);
  const auto named = about.find("RUNBOOK.md: Backup and restore"),
             mentioned = about.find("GUARANTEES.md: Promised");
  EXPECT_NE(named, std::string::npos);
  EXPECT_LT(named, mentioned);
}

TEST(HelpAboutATopic, NeedsEveryWordAtABeginning) {
  EXPECT_EQ(help_about({"forget", "zebra"}, kProgram), "");
  EXPECT_EQ(help_about({"orget"}, kProgram), "");
  EXPECT_EQ(help_about({""}, kProgram), "") << "as of an empty variable of a shell";
}

TEST(HelpAboutATopic, TakesAWordWithABlankOrHyphenForTwo) {
  for (const char* topic : {"opt-out", "opt out"}) {
    const auto about = help_about({topic}, kProgram);
    EXPECT_THAT(about, HasSubstr("  [suppress] opted_out\n")) << topic;
    EXPECT_THAT(about, HasSubstr("  GUIDE.md: 5. Who must not be mailed\n")) << topic;
  }
  EXPECT_EQ(help_about({" - "}, kProgram), "");
}

TEST(HelpAboutATopic, SearchesAUsualWordByTheNamesThatThingsHaveHere) {
  EXPECT_THAT(help_about({"timezone"}, kProgram),
              testing::AllOf(testing::StartsWith("Searched, too: \"time zone\"\n"),
                             HasSubstr("  [crm] time_zone\n")));
  EXPECT_THAT(help_about({"Stuck"}, kProgram), HasSubstr("  surveybridge now\n"))
      << "it ends the waits";
  EXPECT_THAT(help_about({"unsubscribed"}, kProgram), HasSubstr("  [suppress] opted_out\n"));
  EXPECT_THAT(help_about({"database", "timezone"}, kProgram), HasSubstr("  [crm] time_zone\n"));
  EXPECT_EQ(help_about({"zebra", "timezone"}, kProgram), "") << "every word is needed all the same";
  EXPECT_THAT(help_about({"forget"}, kProgram), Not(HasSubstr("Searched"))) << "it is our word";
}

TEST(HelpAboutATopic, FindsWhatANewcomerTypes) {
  for (const char* word : {"opt-out", "optout", "duplicate", "slow", "move", "timezone", "password",
                           "unsubscribe", "test", "log", "stuck"}) {
    const auto about = help_about({word}, kProgram);
    EXPECT_THAT(about, HasSubstr("Sections of documents (")) << word;
    const bool is_a_command = std::string_view(word) == "move";
    EXPECT_TRUE(is_a_command || about.find("Settings (") != std::string::npos) << word;
  }
}

// A comment of a shell in a block is no heading.
TEST(HelpAboutATopic, TellsHeadingsFromBlocks) {
  EXPECT_THAT(help_about({"systemctl"}, kProgram), HasSubstr("RUNBOOK.md: First look\n"));
  for (const auto& document : documents())
    EXPECT_TRUE(document.text.starts_with("# ")) << document.name;
}

}  // namespace
