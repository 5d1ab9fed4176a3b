// Wrong command lines: exit 2 with a hint, and nothing happens.
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Mistake {
  Arguments arguments;
  std::string hint;
};

class Usage : public testing::TestWithParam<Mistake> {};

TEST_P(Usage, IsAnsweredWithTwoAndAHint) {
  const auto& [arguments, hint] = GetParam();
  const auto ran = bridge(arguments);
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr(hint));
  EXPECT_THAT(ran.err, testing::MatchesRegex("surveybridge: .*[.?] See surveybridge .*--help\n"));
  EXPECT_EQ(ran.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, Usage,
    testing::Values(Mistake{{}, "which command?"}, Mistake{{"frobnicate"}, "frobnicate"},
                    Mistake{{"chek"}, "there is no \"chek\" (did you mean \"check\"?)"},
                    Mistake{{"status", "--jsn"},
                            "there is no \"--jsn\" (did you mean \"--json\"?)"},
                    Mistake{{"run", "--fast"}, "--fast"}, Mistake{{"run", "-c"}, "--config"},
                    Mistake{{"schema", "--database", "oracle"}, "oracle"},
                    Mistake{{"preview", "-n", "0"}, "1 to 1000000"},
                    Mistake{{"preview", "-n", "many"}, "many"}, Mistake{{"status", "run"}, "run"}));

TEST(Usage, AMisspeltCommandIsAllThatIsSaid) {
  const auto ran = bridge({"releas", "-c", "b.toml"});
  EXPECT_THAT(ran.err, HasSubstr("did you mean \"release\"?"));
  EXPECT_THAT(ran.err, Not(HasSubstr("b.toml")));
}

TEST(Usage, ANameThatIsNotInTheConfigurationIsAnsweredWithOneThatIs) {
  const support::TemporaryFolder folder;
  const auto config = folder.write(
      "bridge.toml", configuration("sqlite3://" + folder.path() + "/crm.db", "http://127.0.0.1:1"));
  for (const char* command : {"sync", "preview"}) {
    const auto ran = bridge({command, "-c", config, "oders"});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr(std::string(command) + ": there is no"));
    EXPECT_THAT(ran.err, HasSubstr("\"oders\" in the configuration (did you mean \"orders\"?)"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/crm.db")) << "nothing was done";
}

// As messages of the bridge name it.
TEST(Usage, SyncTakesTheNameOfAPushAsTheConfigurationWritesIt) {
  const support::TemporaryFolder folder;
  const auto config = folder.write(
      "bridge.toml", configuration("sqlite3://" + folder.path() + "/crm.db", "http://127.0.0.1:1"));
  for (const char* name : {"push.orders", "pull.customers", "orders"}) {
    const auto ran = bridge({"sync", "-c", config, name});
    EXPECT_EQ(ran.status, 69) << name << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("there is no file")) << "the database is asked";
  }
  EXPECT_EQ(bridge({"sync", "-c", config, "pull.orders"}).status, 2);
}

TEST(Usage, AResultThatCouldNotBeWrittenIsNoSuccess) {
  const support::TemporaryFolder folder;
  folder.write("crm.db", "");
  const auto config = folder.write(
      "bridge.toml", configuration("sqlite3://" + folder.path() + "/crm.db", "http://127.0.0.1:1"));
  for (const Arguments& command : {Arguments{"schema"},
                                   {"status", "-c", config},
                                   {"check", "--offline", "-c", config},
                                   {"--help"}}) {
    EXPECT_EQ(bridge(command).status, 0) << command[0];
    auto program = bridge_program(command);
    program.argv.insert(program.argv.begin(), {"sh", "-c", "exec \"$@\" > /dev/full", "sh"});
    const auto ran = support::run(program);
    EXPECT_EQ(ran.status, 1) << command[0];
    EXPECT_THAT(ran.err, HasSubstr("could not be written to standard output")) << command[0];
  }
}

// As with other programs: whoever ends `verify | head` has seen enough.
TEST(Usage, NothingIsSaidToAReaderThatHasGone) {
  for (const Arguments& command : {Arguments{"schema"}, {"--help"}}) {
    auto program = bridge_program(command);
    program.argv.insert(
        program.argv.begin(),
        {"bash", "-c", "trap '' PIPE; exec 3> >(:); wait $!; exec \"$@\" >&3", "bash"});
    const auto ran = support::run(program);
    EXPECT_EQ(ran.status, 1) << command[0];
    EXPECT_EQ(ran.err, "") << command[0];
  }
}

TEST(Usage, HelpAndVersionAreResults) {
  const auto help = bridge({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* command : {"run", "sync", "check", "preview", "status", "schema"})
    EXPECT_THAT(help.out, HasSubstr(command));
  const auto version = bridge({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, testing::StartsWith("surveybridge "));
  for (const char* part :
       {"build: ", "libcurl/", "OpenSSL/", "PostgreSQL (libpq ", "ODBC", "SQLite 3.", "SOCI 4."})
    EXPECT_THAT(version.out, HasSubstr(part));
  EXPECT_EQ(help.err + version.err, "");
}

// `help` has the whole list, a command's own help, or what is about a word.
TEST(Usage, HelpFindsByTopic) {
  EXPECT_THAT(bridge({"help"}).out, HasSubstr("\nPeople's rights:\n  forget "));
  const auto command = bridge({"help", "forget"});
  EXPECT_EQ(command.status, 0);
  EXPECT_THAT(command.out, HasSubstr("Usage: surveybridge forget [OPTIONS]"));
  EXPECT_THAT(command.out, HasSubstr("RUNBOOK.md: A person asks to be forgotten"));
  const auto nothing = bridge({"help", "forget", "zebra"});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.err,
            "surveybridge: help: nothing is about \"forget zebra\". See surveybridge --help\n");
}

}  // namespace
}  // namespace program
