#include "daemon/init/dialogue.hpp"

#include <sstream>

#include <gmock/gmock.h>

namespace surveybridge::daemon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Asked : public testing::Test {
 protected:
  Dialogue& with(const std::string& input) {
    in_.str(input);
    return dialogue_;
  }
  std::istringstream in_;
  std::ostringstream out_;
  std::vector<bool> echo_;
  Dialogue dialogue_{in_, out_, [this](bool on) { echo_.push_back(on); }};
};

const std::string kAgain = "  an answer is needed (Ctrl-C ends init, and no file is written)\n";

TEST_F(Asked, AnEmptyLineTakesTheProposal) {
  EXPECT_EQ(with("\n").ask("The key", "id"), "id");
  EXPECT_EQ(out_.str(), "The key [id]: ");
}

TEST_F(Asked, BlanksAroundAnAnswerAreNoPartOfIt) {
  EXPECT_EQ(with("  a b \r\n").ask("What", "id"), "a b");
}

TEST_F(Asked, WithoutAProposalTheQuestionIsRepeated) {
  EXPECT_EQ(with("\n \nx\n").ask("What", ""), "x");
  EXPECT_EQ(out_.str(), "What: " + kAgain + "What: " + kAgain + "What: ");
}

TEST_F(Asked, TheEchoIsOffForAHiddenAnswerOnly) {
  EXPECT_EQ(with("secret\n").ask("The token", "", Answered::hidden), "secret");
  EXPECT_THAT(echo_, ElementsAre(false, true));
  EXPECT_THAT(out_.str(), testing::Not(HasSubstr("secret")));
}

TEST_F(Asked, AHiddenQuestionIsRepeatedOnALineOfItsOwn) {
  EXPECT_EQ(with("\n\nsecret\n").ask("The token", "", Answered::hidden), "secret");
  EXPECT_EQ(out_.str(), "The token: \n" + kAgain + "The token: \n" + kAgain + "The token: \n");
}

TEST_F(Asked, TheEchoIsOnAgainAfterAnInterrupt) {
  EXPECT_THROW(with("sec\x03").ask("The token", "", Answered::hidden), InputEnded);
  EXPECT_THAT(echo_, ElementsAre(false, true));
}

TEST_F(Asked, TheEndOfTheInputNamesTheQuestion) {
  try {
    with("half a line").ask("The key", "id");
    FAIL() << "half a line is no answer";
  } catch (const InputEnded& ended) {
    EXPECT_STREQ(ended.what(),
                 "init: the input ended at the question \"The key\"; no file was written");
  }
}

TEST_F(Asked, AQueryEndsWithASemicolonOrAnEmptyLine) {
  EXPECT_EQ(with("SELECT a\nFROM t;\nrest\n").ask("Query", "", Answered::in_lines),
            "SELECT a\nFROM t;");
  EXPECT_EQ(with("SELECT a\nFROM t\n\nrest\n").ask("Query", "", Answered::in_lines),
            "SELECT a\nFROM t");
  EXPECT_EQ(with("orders\nrest\n").ask("Query", "", Answered::in_lines), "orders");
}

TEST_F(Asked, AnAnswerIsBounded) {
  EXPECT_LE(with(std::string(1'000'000, 'x') + "\n").ask("What", "").size(), 64u * 1024 + 1);
}

TEST_F(Asked, WhatOthersWroteIsShownWithoutControlCharacters) {
  dialogue_.say("a\x1b[31m\nb");
  EXPECT_EQ(out_.str(), "a\\x1b[31m\nb\n");
}

}  // namespace
}  // namespace surveybridge::daemon
