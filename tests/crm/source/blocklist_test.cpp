// The operator's own list of addresses, on every database: whose rule it is that compares them,
// which column holds them, and how long a list may be.
#include "connectors/crm/source/blocklist.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/rows/put_rows.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class BlocklistTests : public OnEveryDatabase {
 protected:
  bool is_mariadb() const { return speaks_mysql(GetParam()); }

  // A table with these addresses; in MariaDB of a character set of the operator's own.
  void make_list(const std::vector<std::string>& values, const char* of_mariadb = "") {
    run_statement(database, std::string("CREATE TABLE do_not_mail (email varchar(200)") +
                                (is_mariadb() ? of_mariadb : "") + ")");
    for (const auto& value : values)
      database.execute({"INSERT INTO do_not_mail VALUES (:p1)", {value}});
  }
  Blocklist list(const std::string& query = "SELECT email FROM do_not_mail",
                 const std::string& column = "") {
    return {database, {"", {}, query, column, {}}};
  }
  std::string refusal(const std::string& query, const std::string& column = "") {
    return refusal_of([&] { list(query, column); });
  }
  Database& database = open();
};

TEST_P(BlocklistTests, ComparesAddressesByTheRuleOfTheBridge) {
  make_list({"Ann@Example.test", "\u00C4NNE@example.test", "jos\u00E9@example.test ",
             "cr@example.test\r", "\ttab@example.test", "nbsp@example.test\u00A0",
             "one@example.test; two@example.test", "Person Three <three@example.test>",
             "mailto:four@example.test", ""});
  database.execute({"INSERT INTO do_not_mail VALUES (NULL)", {}});
  const Blocklist read = list();
  for (const char* address :
       {"ann@EXAMPLE.test", "\u00E4nne@example.test", "\u00C4NNE@EXAMPLE.TEST",
        "JOS\u00C9@example.test", "cr@example.test", "tab@example.test", "nbsp@example.test",
        "one@example.test", "two@example.test", "three@example.test", " four@example.test\t",
        "Four <four@example.test>"})
    EXPECT_TRUE(read.has(address)) << address;
  for (const char* address :
       {"jose@example.test", "anne@example.test", "a@example.test", "", "nn@example.test", "three"})
    EXPECT_FALSE(read.has(address)) << address;
  EXPECT_EQ(read.addresses(), 10U);
  EXPECT_EQ(read.values(), 9);
  EXPECT_EQ(read.unread(), 0);
  EXPECT_THAT(read.columns(), ElementsAre("email"));
}

// An address with a letter that the column's character set does not have was an error of the query,
// and nobody was mailed.
TEST_P(BlocklistTests, HasNoLettersThatCannotBeCompared) {
  make_list({"jos\u00E9@example.test"}, " CHARACTER SET latin1 COLLATE latin1_general_ci");
  const Blocklist read = list();
  EXPECT_TRUE(read.has("JOS\u00C9@example.test"));
  EXPECT_FALSE(read.has("jose@example.test"));
  EXPECT_FALSE(read.has("\u0142ukasz@example.test"));
  EXPECT_FALSE(read.has("\U0001F600@example.test"));
}

// Systems write letters with an accent, and domains in other scripts, in two ways each.
TEST_P(BlocklistTests, KnowsAnAddressInBothWaysOfWritingItsLetters) {
  make_list({"jose\u0301@example.test", "a@xn--mnchen-3ya.test", "b@b\u00FCcher.test"});
  const Blocklist read = list();
  for (const char* address :
       {"jos\u00E9@example.test", "JOSE\u0301@example.test", "a@m\u00FCnchen.test",
        "A@MU\u0308NCHEN.test", "b@xn--bcher-kva.test", "B@XN--BCHER-KVA.TEST"})
    EXPECT_TRUE(read.has(address)) << address;
  for (const char* address : {"jose@example.test", "a@munchen.test", "a@xn--.test"})
    EXPECT_FALSE(read.has(address)) << address;
}

TEST_P(BlocklistTests, KnowsAnAddressThatIsWrittenInOtherCharacters) {
  make_list({"ann@example\uFF0Etest", "bob\uFF20example.test", "o\u2019neill@example.test",
             "o'hara@example.test"});
  const Blocklist read = list();
  for (const char* address :
       {"ann@example.test", "bob@example.test", "o'neill@example.test", "o\u2019hara@example.test"})
    EXPECT_TRUE(read.has(address)) << address;
}

TEST_P(BlocklistTests, BlocksAWholeDomainThatAValueNames) {
  make_list({"@one.test", "*@two.test", " %@Three.test ", "ann@example.test", "x*@four.test"});
  const Blocklist read = list();
  for (const char* address : {"a@one.test", "B@TWO.test", "c@three.test"})
    EXPECT_TRUE(read.has(address)) << address;
  for (const char* address : {"a@sub.one.test", "bob@example.test", "a@four.test", "one.test"})
    EXPECT_FALSE(read.has(address)) << address;
  EXPECT_EQ(read.unread(), 0);
}

// It counts as unread all the same: more of it may be one.
TEST_P(BlocklistTests, BlocksWhatItFindsInAValueOfAnotherNotation) {
  make_list({R"({"mail":"a@example.test"})", "b@example.test/c@example.test",
             R"(<a href="mailto:d@example.test">x</a>)", "e&#64;example.test", "f%40example.test",
             "**g@example.test**", "h@example.test", "i@example.test", "j@example.test",
             "k@example.test", "l@example.test"});
  const Blocklist read = list();
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"})
    EXPECT_TRUE(read.has(std::string(name) + "@example.test")) << name;
  EXPECT_FALSE(read.has("x@example.test"));
  EXPECT_GE(read.unread(), 4);
}

TEST_P(BlocklistTests, BlocksWhatIsEncodedInAnAddressThatIsReadWhole) {
  make_list({"%20a@example.test", "mailto:%20b@example.test", "c%2Bshop@example.test",
             "email%3Dd@example.test"});
  const Blocklist read = list();
  for (const char* name : {"a", "b", "c+shop", "d"})
    EXPECT_TRUE(read.has(std::string(name) + "@example.test")) << name;
}

TEST_P(BlocklistTests, CountsWhatItCannotRead) {
  make_list({"ann@example.test", "unknown", "bob@example.test; bob@", "-"});
  const Blocklist read = list();
  EXPECT_EQ(read.addresses(), 2U);
  EXPECT_EQ(read.values(), 4);
  EXPECT_EQ(read.unread(), 3);
}

TEST_P(BlocklistTests, FindsTheColumnWithTheAddresses) {
  make_list({"ann@example.test", "bob@example.test"});
  const std::string query =
      "SELECT 7 AS id, 'told cleo@example.test' AS note, 'x' AS reason, email FROM do_not_mail";
  database.execute({"INSERT INTO do_not_mail VALUES ('nobody')", {}});
  EXPECT_THAT(list("SELECT 7 AS id, 'x' AS reason, email FROM do_not_mail;").columns(),
              ElementsAre("email"));
  EXPECT_THAT(list(query).columns(), ElementsAre("note", "email"))
      << "better too many than too few";
  const Blocklist named = list(query, "email");
  EXPECT_THAT(named.columns(), ElementsAre("email"));
  EXPECT_FALSE(named.has("cleo@example.test"));
  EXPECT_TRUE(list(query, "note").has("cleo@example.test"));
  EXPECT_THAT(refusal(query, "address"),
              HasSubstr("has no column \"address\", only id, note, reason, email"));
}

TEST_P(BlocklistTests, ReadsTheNamedColumnOnlyAndNoPictures) {
  make_list({"ann@example.test"});
  const std::string large = is_mariadb() ? "REPEAT('x', 1000)" : too_large_text(database.dialect());
  const std::string query = "SELECT " + large + " AS photo, email FROM do_not_mail";
  EXPECT_TRUE(list(query, "email").has("ann@example.test"));
  EXPECT_TRUE(list(query).has("ann@example.test")) << "of several columns the beginnings are read";
}

// Beside a column of plain addresses, of whoever made the entry.
TEST_P(BlocklistTests, RefusesAColumnWhoseAddressesCannotBeRead) {
  make_list({"ann@@example.test", "bob(at)example.test, @bob"});
  EXPECT_THAT(refusal("SELECT email, 'agent@example.test' AS agent FROM do_not_mail"),
              HasSubstr("a column \"email\" with 2 values that have an @ and cannot be read"));
}

TEST_P(BlocklistTests, RefusesTheOnlyColumnWhereMostOfItsAddressesCannotBeRead) {
  make_list({"ann@@example.test", "bob(at)example.test, @bob", "cleo@example.test", "unknown"});
  const auto what = HasSubstr(
      "a column \"email\" with 2 values that have an @ and cannot be read, "
      "of 3: nobody knows whom not to mail");
  EXPECT_THAT(refusal("SELECT email FROM do_not_mail"), what);
  EXPECT_THAT(refusal("SELECT 'a@example.test' AS agent, email FROM do_not_mail", "email"), what);
  database.execute({"INSERT INTO do_not_mail VALUES ('dan@example.test')", {}});
  EXPECT_EQ(list().unread(), 3) << "half of them is not most of them";
}

TEST_P(BlocklistTests, ReadsAddressesBehindTheNameOfTheirKind) {
  make_list({"SMTP:ann@example.test;smtp:a.lee@example.test", "email:bob@example.test"});
  const Blocklist read = list();
  for (const char* address : {"ann@example.test", "a.lee@example.test", "bob@example.test"})
    EXPECT_TRUE(read.has(address)) << address;
  EXPECT_EQ(read.unread(), 0);
}

TEST_P(BlocklistTests, BlocksWhatStandsBehindASignToo) {
  make_list({"12;#ann@example.test", "'bob@example.test"});
  const Blocklist read = list();
  EXPECT_TRUE(read.has("ann@example.test"));
  EXPECT_TRUE(read.has("bob@example.test"));
  EXPECT_TRUE(list("SELECT 'cleo@example.test' AS email").has("'cleo@example.test"));
}

// A second address that few have, between other words.
TEST_P(BlocklistTests, TakesEveryColumnThatNamesAnAddress) {
  make_list({"ann@example.test", "bob@example.test", "cleo@example.test"});
  const Blocklist read = list(
      "SELECT email, CASE WHEN email LIKE 'bob%' THEN 'b2@example.test' ELSE 'none' END AS other"
      " FROM do_not_mail");
  EXPECT_THAT(read.columns(), ElementsAre("email", "other"));
  EXPECT_TRUE(read.has("b2@example.test"));
  EXPECT_EQ(read.values(), 4);
  EXPECT_EQ(read.unread(), 0) << "the others are no addresses, and are not meant to be";
}

TEST_P(BlocklistTests, TakesTheColumnWithTheMostAddressesWhereFewAreSome) {
  make_list({"ann@example.test", "-", "-", "-"});
  const Blocklist read = list("SELECT 7 AS id, email FROM do_not_mail");
  EXPECT_THAT(read.columns(), ElementsAre("email"));
  EXPECT_TRUE(read.has("ann@example.test"));
  EXPECT_EQ(read.unread(), 3);
}

TEST_P(BlocklistTests, RefusesWhatCannotBeTheListThatIsMeant) {
  make_list({});
  EXPECT_EQ(list().addresses(), 0U) << "nobody is on it yet";
  EXPECT_EQ(list("SELECT 7 AS id, email FROM do_not_mail").values(), 0);
  database.execute({"INSERT INTO do_not_mail VALUES (NULL)", {}});
  EXPECT_EQ(list().addresses(), 0U);
  database.execute({"INSERT INTO do_not_mail VALUES ('ann')", {}});
  EXPECT_THAT(refusal("SELECT email FROM do_not_mail"),
              HasSubstr("has 1 values, and none of them has the form of an e-mail address"));
  EXPECT_THAT(refusal("SELECT 7 AS id FROM do_not_mail"), HasSubstr("none of them"));
  EXPECT_NE(refusal("SELECT email FROM nothing_there"), "");
}

// Addresses person0 to person149999, more than one result may have.
TEST_P(BlocklistTests, IsReadWholeThoughItIsLong) {
  count_far(database);
  make_list({}, " COLLATE utf8mb4_unicode_ci");
  const std::string address =
      is_mariadb() ? "CONCAT('Person', i, '@example.test ')" : "'Person' || i || '@example.test '";
  run_statement(database,
                "INSERT INTO do_not_mail (email) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT"
                " i + 1 FROM n WHERE i < 149999) SELECT " +
                    address + " FROM n");
  const Blocklist read = list();
  EXPECT_EQ(read.addresses(), 150'000U);
  EXPECT_TRUE(read.has("person7@example.test"));
  EXPECT_TRUE(read.has("PERSON149999@example.test"));
  EXPECT_FALSE(read.has("person150000@example.test"));
}

INSTANTIATE_TEST_SUITE_P(Databases, BlocklistTests, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
