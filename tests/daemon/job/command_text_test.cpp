// A command in a message names the file that the program was started with.
#include "daemon/job/command_text.hpp"

#include <gtest/gtest.h>

namespace {

using surveybridge::daemon::with_file;

TEST(CommandTexts, NameTheFileWhereItIsNotTheOneThatIsReadAnyway) {
  EXPECT_EQ(with_file("surveybridge release orders", "/etc/surveybridge/surveybridge.toml"),
            "surveybridge release orders");
  EXPECT_EQ(with_file("surveybridge check", ""), "surveybridge check");
  EXPECT_EQ(with_file("surveybridge release orders", "/etc/surveybridge/shop-2.toml"),
            "surveybridge release orders -c /etc/surveybridge/shop-2.toml");
}

TEST(CommandTexts, NameTheKeyThatIsToBeTakenBack) {
  EXPECT_EQ(surveybridge::daemon::doubt_command("undo", "a b", "my.toml"),
            "surveybridge doubt undo 'a b' -c my.toml");
}

TEST(CommandTexts, QuoteANameThatAShellWouldTakeApart) {
  EXPECT_EQ(with_file("surveybridge check", "my file.toml"),
            "surveybridge check -c 'my file.toml'");
  EXPECT_EQ(with_file("surveybridge check", "it's $HOME.toml"),
            "surveybridge check -c 'it'\\''s $HOME.toml'");
}

}  // namespace
