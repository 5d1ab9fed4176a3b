#include "tests/tree/code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tree {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Code, BlanksCommentsAndKeepsLines) {
  EXPECT_EQ(code_of("a; // b\nc; /* d\ne */ f;"), "a;     \nc;     \n     f;");
}

TEST(Code, BlanksTheInsidesOfLiterals) {
  EXPECT_EQ(code_of(R"x(f("a\"b", '"', c))x"), R"x(f("    ", ' ', c))x");
}

TEST(Code, BlanksRawLiterals) {
  EXPECT_EQ(code_of("f(R\"x(a\"b)x\", c)"), "f(R        \", c)");
}

TEST(Code, TakesNoDigitSeparatorForALiteral) {
  EXPECT_EQ(code_of("int x = 100'000; int y = 1'0;"), "int x = 100'000; int y = 1'0;");
}

TEST(Code, SurvivesUnclosedTokens) {
  EXPECT_EQ(code_of("a /* b").substr(0, 2), "a ");
  EXPECT_EQ(code_of("a \"b").substr(0, 3), "a \"");
  EXPECT_EQ(code_of("R\"").size(), 2U);
  EXPECT_EQ(code_of("\"\\").size(), 2U);
}

TEST(Code, DistinguishesAWordFromAPartOfOne) {
  EXPECT_THAT(lines_with_word("x\nsleep(1)\n", "sleep"), ElementsAre(2U));
  EXPECT_THAT(lines_with_word("asleep sleeper sleep_", "sleep"), IsEmpty());
}

TEST(Code, ReadsBothKindsOfIncludes) {
  const auto found = includes_of("#include <a/b.h>\n\n#include \"c/d.hpp\"  // why\n#include X\n");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].target, "a/b.h");
  EXPECT_FALSE(found[0].quoted);
  EXPECT_EQ(found[1].target, "c/d.hpp");
  EXPECT_EQ(found[1].line, 3U);
  EXPECT_TRUE(found[1].quoted);
}

}  // namespace
}  // namespace tree
