// What scripts/demo is told on its command line, and what it fills the CRM with. The demo itself is
// not run.
#include <gmock/gmock.h>

#include "tests/support/child_process.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tree {
namespace {

using testing::HasSubstr;

const std::string& demo_root() {
  static const std::string root = support::source_dir();
  return root;
}

support::Finished demo(const std::vector<std::string>& options) {
  support::Program program{{"bash", demo_root() + "/scripts/demo"}, {}};
  program.argv.insert(program.argv.end(), options.begin(), options.end());
  return support::run(program);
}

TEST(DemoOptions, AreInTheHelp) {
  const auto help = demo({"--help"});
  EXPECT_EQ(help.status, 0) << help.err;
  for (const char* option : {"--database NAME", "--apart", "--keep", "--programs FOLDER"})
    EXPECT_THAT(help.out, HasSubstr(option));
}

TEST(DemoOptions, AreRefusedBeforeAnythingIsInstalled) {
  const auto told = [](const std::vector<std::string>& options) {
    const auto refused = demo(options);
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.out, "");
    return refused.err;
  };
  EXPECT_THAT(told({"--database", "oracle"}),
              HasSubstr("--database is sqlite, postgresql, mariadb or mysql, not \"oracle\"\n"));
  EXPECT_THAT(told({"--database"}), HasSubstr("demo: --database takes a value\n"));
  EXPECT_THAT(told({"--programs", demo_root()}), HasSubstr("demo: there is no surveybridge in "));
  EXPECT_THAT(told({"--keeep"}), HasSubstr("demo: there is no option \"--keeep\"\n"));
}

TEST(DemoDatabases, HaveTheirPackagesAndTheirWords) {
  const std::string packages = support::read_file(demo_root() + "/scripts/packages");
  const std::string words = support::read_file(demo_root() + "/demo/databases.sh");
  const std::string help = demo({"--help"}).out;
  for (const std::string name : {"postgresql", "mariadb", "mysql"}) {
    EXPECT_THAT(help, HasSubstr(name));
    EXPECT_THAT(packages, HasSubstr("    demo-" + name + ") echo "));
    EXPECT_THAT(words, HasSubstr("\n  " + name + ")"));
  }
}

// The statements that a server gets make the rows of crm.sql, with every quote and line end.
TEST(DemoDatabases, GetTheSameOrders) {
  const support::TemporaryFolder folder;
  const std::string script = R"sh(
sqlite3 -bail $0/crm.db ".read crm.sql"
sqlite3 -bail -batch :memory: ".read statements.sql" >$0/statements
cat tables.sql $0/statements | sqlite3 -bail $0/other.db
sqlite3 $0/other.db "ATTACH '$0/crm.db' AS crm;
  UPDATE crm.orders SET first_name = replace(first_name, char(13), '');
  SELECT count(*), count(DISTINCT order_no) FROM main.orders;
  SELECT count(*) FROM (SELECT * FROM crm.orders EXCEPT SELECT * FROM main.orders)"
)sh";
  const auto ran =
      support::run({{"bash", "-ec", "cd " + demo_root() + "/demo" + script, folder.path()}, {}});
  EXPECT_EQ(ran.out, "1817|1817\n0\n") << ran.err;
}

}  // namespace
}  // namespace tree
