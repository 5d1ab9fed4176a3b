#include "config/keys/query.hpp"

#include <gtest/gtest.h>

namespace surveybridge::config {
namespace {

std::string kept(const std::string& text) {
  const auto answer = read_query(text);
  const auto* query = std::get_if<std::string>(&answer);
  return query == nullptr ? "refused: " + std::get<Broken>(answer).rule : *query;
}

std::string rule(const std::string& text) {
  const auto answer = read_query(text);
  const auto* broken = std::get_if<Broken>(&answer);
  return broken == nullptr ? "accepted" : broken->rule;
}

TEST(Queries, LoseBlanksAroundAndSemicolonsBehind) {
  EXPECT_EQ(kept(" \n select 1 ; \n;; "), "select 1");
  EXPECT_EQ(kept("SELECT 1"), "SELECT 1");
  EXPECT_EQ(kept("SELECT 1; -- done; really"), "SELECT 1");
}

TEST(Queries, MayBeginWithCommentsAndWith) {
  EXPECT_EQ(kept("/* a; b */ -- c;\nWith x AS (SELECT 1) SELECT * FROM x"),
            "/* a; b */ -- c;\nWith x AS (SELECT 1) SELECT * FROM x");
}

TEST(Queries, MayHoldSemicolonsInTextNamesAndComments) {
  for (const char* text :
       {"SELECT ';' FROM a", "SELECT 'it''s; so' FROM a", "SELECT \"a;b\" FROM c",
        "SELECT `a;b` FROM c", "SELECT 1 /* ; */ FROM a", "SELECT 1 -- ;\nFROM a"}) {
    EXPECT_EQ(kept(text), text);
  }
}

TEST(Queries, MayEndInsideWhatIsNotClosed) {
  EXPECT_EQ(kept("SELECT 'it\\'s' FROM a"), "SELECT 'it\\'s' FROM a");  // as MariaDB writes it
  EXPECT_EQ(kept("SELECT 1 /* open"), "SELECT 1 /* open");
}

TEST(Queries, AreOneStatement) {
  for (const char* text :
       {"SELECT 1; SELECT 2", "SELECT 1;DROP TABLE a;", "SELECT ';'; DELETE FROM a",
        "SELECT 1; -- x\nDELETE FROM a", "SELECT 1;/**/;DELETE FROM a"}) {
    EXPECT_EQ(rule(text), "must be one statement: there is text behind the \";\"") << text;
  }
}

TEST(Queries, EndAtASemicolonBehindANameWithDollars) {
  EXPECT_EQ(rule("SELECT a$$b$; DELETE FROM a WHERE '$b$'"),
            "must be one statement: there is text behind the \";\"");
}

TEST(Queries, BeginWithAWholeWord) {
  EXPECT_EQ(rule("SELECT_1 FROM a"),
            "must be a query that begins with SELECT or WITH, got \"SELECT_1\"");
  EXPECT_EQ(kept("SELECT.5 FROM a"), "SELECT.5 FROM a");
}

TEST(Queries, OnlyRead) {
  EXPECT_EQ(rule("INSERT INTO a SELECT 1"),
            "must be a query that begins with SELECT or WITH, got \"INSERT\"");
  EXPECT_EQ(rule("(SELECT 1)"), "must be a query that begins with SELECT or WITH");
  EXPECT_EQ(rule(""), "must be a query that begins with SELECT or WITH");
  EXPECT_EQ(rule(";"), "must be a query that begins with SELECT or WITH");
  EXPECT_EQ(rule("-- SELECT 1"), "must be a query that begins with SELECT or WITH");
}

TEST(Queries, AreAtMost64KiB) {
  const std::string text = "SELECT " + std::string(64 * 1024 - 7, '1');
  EXPECT_EQ(kept(text), text);
  EXPECT_EQ(rule(text + "1"), "must be at most 65536 bytes, got 65537");
}

TEST(Queries, HoldNoControlCharacters) {
  EXPECT_EQ(rule(std::string("SELECT 1\0", 9)), "must have no control characters");
  EXPECT_EQ(rule("SELECT \x1b[2J"), "must have no control characters");
  EXPECT_EQ(kept("SELECT\t1\r\nFROM a"), "SELECT\t1\r\nFROM a");
}

}  // namespace
}  // namespace surveybridge::config
