// A configuration that uses every section (tests/config/cases/good_interface_document.toml) against
// the service's stand-in: only addresses and paths are changed.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_folder.hpp"

namespace program {
namespace {

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
