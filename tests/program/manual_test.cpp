// Manual pages and completions: they say what --help says.
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/support/temporary_folder.hpp"

namespace program {
namespace {

using testing::HasSubstr;

class Manual : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(bridge({"manual", folder_.path()}).status, 0); }
  std::string page(const std::string& name) {
    return support::read_file(folder_.path() + "/" + name);
  }
  // What bash offers after these words, the last of which is incomplete.
  std::string offered(const std::string& words, int at) {
    return support::run({{"bash", "-c",
                          "source '" + folder_.path() + "/bash/surveybridge'\nCOMP_WORDS=(" +
                              words + ") COMP_CWORD=" + std::to_string(at) +
                              "\n_surveybridge\necho \"${COMPREPLY[@]}\""},
                         {}})
        .out;
  }

  support::TemporaryFolder folder_;
};

TEST_F(Manual, HasAPageForEachCommandOfHelp) {
  const auto help = bridge({"--help"}).out;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::string line;
  std::getline(lines, line);
  int commands = 0;
  for (; std::getline(lines, line) && !line.empty(); ++commands) {
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/man1/surveybridge-" + name + ".1"))
        << name;
  }
  EXPECT_GT(commands, 15);
  EXPECT_THAT(help, testing::Not(HasSubstr("manual")));
}

TEST_F(Manual, SaysWhatAnOptionIsAndTakes) {
  const auto quarantine = page("man1/surveybridge-quarantine.1");
  EXPECT_THAT(quarantine, HasSubstr("\n.SH SYNOPSIS\n\\fBsurveybridge quarantine\\fR"
                                    " [\\fIOPTION\\fR]... [\\fIaction\\fR] [\\fIkey\\fR]...\n"));
  EXPECT_THAT(
      quarantine,
      HasSubstr(".TP\n\\fB\\-\\-since\\fR \\fIVALUE\\fR\nRows that came into their state at"));
  EXPECT_THAT(quarantine, HasSubstr("What to do (one of list, retry, drop)\n"));
  EXPECT_THAT(quarantine, HasSubstr(".TP\n\\fB\\-\\-all\\fR\n")) << "a flag takes nothing";
}

TEST_F(Manual, HasEverySettingOfTheConfiguration) {
  const auto configuration = page("man5/surveybridge.toml.5");
  EXPECT_THAT(configuration, HasSubstr(".SH [service.pace]\n"));
  EXPECT_THAT(configuration, HasSubstr(".TP\n\\fBmax_in_flight\\fR\n"));
  EXPECT_THAT(configuration, HasSubstr(".SH [push.NAME]\n"));
  EXPECT_THAT(configuration, HasSubstr(".SH [[pull.customers.write]]\n")) << "there may be several";
}

TEST_F(Manual, CompletesCommandsOptionsAndValues) {
  EXPECT_EQ(offered("surveybridge sta", 1), "status\n");
  EXPECT_EQ(offered("surveybridge status --j", 2), "--json\n");
  EXPECT_EQ(offered("surveybridge quarantine re", 2), "retry\n");
  EXPECT_EQ(offered("surveybridge check --c", 2), "--config\n");
  for (const char* file : {"zsh/_surveybridge", "fish/surveybridge.fish"}) {
    EXPECT_THAT(page(file), HasSubstr("Where everything stands")) << file;
    EXPECT_THAT(page(file), HasSubstr("retry")) << file;
  }
}

}  // namespace
}  // namespace program
