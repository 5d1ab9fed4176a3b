// Who decided, as the ledger keeps it.
#include <cstdlib>

#include <gmock/gmock.h>

#include "config/text.hpp"
#include "daemon/commands/service_account.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::daemon {
namespace {

TEST(OperatorName, NamesTheUserTheCallerOfSudoTheLoginAndTheTerminal) {
  EXPECT_EQ(operator_name({"ann", "", "", ""}), "ann");
  EXPECT_EQ(operator_name({"ann", "", "ann", "pts/3"}), "ann on pts/3");
  EXPECT_EQ(operator_name({"root", "ann", "ann", "pts/3"}), "root (sudo by ann) on pts/3");
  EXPECT_EQ(operator_name({"root", "", "ann", ""}), "root (login ann)");
  EXPECT_EQ(operator_name({"surveybridge", "root", "bob", ""}),
            "surveybridge (sudo by root, login bob)");
}

TEST(OperatorName, IsShortAndPlainWhateverTheEnvironmentHolds) {
  const std::string name = operator_name({"ann", "bob\n\x1b[2J", "", "pts/1"});
  EXPECT_EQ(name, "ann (sudo by bob\\x0a\\x1b[2J) on pts/1");
  EXPECT_EQ(operator_name({"ann", "\xff\xfe", "", ""}), "ann (sudo by (not UTF-8))");
  const std::string many(5000, 'x');
  std::string wide;
  for (int i = 0; i < 999; ++i)
    wide += "é";
  const std::string longest = operator_name({wide, many, wide + "x", many});
  EXPECT_LE(longest.size(), 180u);
  EXPECT_TRUE(config::is_utf8(longest));
}

TEST(OperatorFacts, ComeFromTheKernelAndFromSudo) {
  const support::TemporaryFolder folder;
  ::setenv("SUDO_USER", "ann", 1);
  const auto known = operator_facts(folder.write("loginuid", "0"));
  EXPECT_EQ(known.sudo, "ann");
  EXPECT_EQ(known.login, "root");
  EXPECT_FALSE(known.user.empty());
  ::unsetenv("SUDO_USER");
  EXPECT_EQ(operator_facts(folder.write("loginuid", "4294967295")).login, "") << "no login";
  EXPECT_EQ(operator_facts(folder.write("loginuid", "4294967294")).login, "uid 4294967294");
  for (const char* text : {"", "x", "-1", "0 0", "99999999999"})
    EXPECT_EQ(operator_facts(folder.write("loginuid", text)).login, "") << text;
  EXPECT_EQ(operator_facts(folder.path() + "/none").login, "");
}

}  // namespace
}  // namespace surveybridge::daemon
