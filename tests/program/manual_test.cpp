// Manual pages and completions, which say what --help says; and a configuration that uses every
// section (tests/config/cases/good_interface_document.toml) against the service's stand-in: only
// addresses and paths are changed.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/paths.hpp"
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
  const auto commands = commands_of_help();
  for (const auto& name : commands)
    EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/man1/surveybridge-" + name + ".1"))
        << name;
  EXPECT_GT(commands.size(), 15u);
  EXPECT_EQ(support::read_file(folder_.path() + "/surveybridge.schema.json"),
            bridge({"config-schema"}).out);
  EXPECT_THAT(commands, testing::Not(testing::Contains("manual")));
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
  EXPECT_THAT(quarantine, HasSubstr(".SH EXAMPLES\n.TP\n\\fBsurveybridge quarantine list"));
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

std::string document() {
  std::ifstream in(support::source_dir() + "/tests/config/cases/good_interface_document.toml");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

class InterfaceExample : public testing::Test {
 protected:
  InterfaceExample() {
    std::filesystem::permissions(folder_.write("secret", "sandbox-secret\n"),
                                 std::filesystem::perms::owner_read);
    const std::string file = folder_.path() + "/";
    std::string text = document();
    text = replaced(text, "https://surveys.example.com", sandbox_.url());
    text = replaced(text, "https://login.example.com/oauth2/v2.0/token",
                    sandbox_.url() + "/oauth2/token");
    text = replaced(text, "client_id     = \"crm\"", "client_id     = \"sandbox\"");
    text =
        replaced(text, "{ credential = \"client-secret\" }", "{ file = \"" + file + "secret\" }");
    text = replaced(text, "postgresql://host=/run/postgresql dbname=crm",
                    "sqlite3://" + file + "crm.db");
    text = replaced(text, "127.0.0.1:9464", "127.0.0.1:0");
    config_ = folder_.write("bridge.toml", text);
  }
  support::Finished command(Arguments words) {
    words.insert(words.end(), {"-c", config_});
    return bridge(words);
  }
  std::string sql(const std::string& text) {
    return support::run({{"sqlite3", "-bail", folder_.path() + "/crm.db", text}, {}}).out;
  }

  SandboxProgram sandbox_{
      {"--speed", "500000000", "--column", "11:OrderNumber!", "--column", "12:FirstName"}};
  support::TemporaryFolder folder_;
  std::string config_;
};

TEST_F(InterfaceExample, RunsFromCheckToWriteBack) {
  sql("CREATE TABLE orders (id INTEGER PRIMARY KEY, email TEXT, first_name TEXT, delivered_at TEXT,"
      " remark TEXT, grade INTEGER, state TEXT, survey_status TEXT, survey_score INTEGER);"
      "INSERT INTO orders WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <"
      " 20) SELECT i, 'person' || i || '@private.test', 'Ann', strftime('%Y-%m-%dT%H:%M:%SZ', "
      "'now',"
      " '-6 days', '-' || i || ' minutes'), 'fine', i % 10, 'delivered', NULL, NULL FROM n");
  const auto checked = command({"check"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
  command({"sync", "pull"});  // suppression needs the pulls first
  EXPECT_EQ(command({"preview"}).status, 0);
  EXPECT_EQ(command({"release", "orders", "--confirm", "20"}).status, 0);
  const auto pushed = command({"sync", "push"});
  EXPECT_EQ(pushed.status, 0) << pushed.out << pushed.err;
  EXPECT_EQ(sandbox_.customers().size(), 20u);
  EXPECT_EQ(command({"sync", "pull"}).status, 0);
  EXPECT_EQ(sql("SELECT count(*) FROM orders WHERE survey_status IS NOT NULL"), "20\n");
  EXPECT_EQ(command({"verify"}).status, 0);
  EXPECT_EQ(command({"status"}).status, 0);
  EXPECT_EQ(command({"explain", "1"}).status, 0);
}

}  // namespace
}  // namespace program
