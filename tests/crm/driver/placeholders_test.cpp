#include "connectors/crm/driver/placeholders.hpp"

#include <gmock/gmock.h>

#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using testing::HasSubstr;

std::string dollars(std::string_view sql, std::size_t count) {
  return with_placeholders(sql, count, Placeholder::dollar, Dialect::postgresql);
}

std::string questions(std::string_view sql, std::size_t count, Dialect dialect) {
  return with_placeholders(sql, count, Placeholder::question, dialect);
}

std::string refusal(std::string_view sql, std::size_t count) {
  return refusal_of([&] { questions(sql, count, Dialect::postgresql); });
}

TEST(Placeholders, AreNumberedForPostgresqlAndNotForOdbc) {
  EXPECT_EQ(dollars("a = :p1 AND b=:p2", 2), "a = $1 AND b=$2");
  EXPECT_EQ(questions("a = :p1 AND b=:p2", 2, Dialect::sqlserver), "a = ? AND b=?");
  EXPECT_EQ(dollars(":p1,:p2,:p3,:p4,:p5,:p6,:p7,:p8,:p9,:p10", 10),
            "$1,$2,$3,$4,$5,$6,$7,$8,$9,$10");
}

// Each text stays unchanged, on PostgreSQL.
TEST(Placeholders, AreNotSeenInWhatPostgresqlQuotes) {
  for (const char* sql : {
           "':p1'",
           "'it''s :p1'",
           "'a\\' || b || ':p1'",
           "E'it\\'s :p1'",
           "e'\\\\' || ':p1'",
           "\":p1\"",
           "\"a\"\":p1\"",
           "-- :p1 it's\n1",
           "-- :p1",
           "/* :p1 */",
           "/* a /* b */ :p1 */",
           "$$:p1 ' $$",
           "$tag$ $$ :p1 $tag$",
           "$é$:p1$é$",
           "x::p1",
           "x::p1::text",
           "a[1:2]",
           ":p",
           ":p0",
           ":px",
           ":p1x",
           ":p1_",
           ":name",
           ":P1",
           "a := 1",
           "':p1 never ends",
           "/* :p1 never ends",
           "$$ :p1 never ends",
       }) {
    EXPECT_EQ(dollars(sql, 0), sql);
  }
}

TEST(Placeholders, AreSeenBehindWhatPostgresqlQuotes) {
  EXPECT_EQ(dollars("'it''s' || :p1", 1), "'it''s' || $1");
  EXPECT_EQ(dollars("'a\\' || :p1", 1), "'a\\' || $1");
  EXPECT_EQ(dollars("E'it\\'s' || :p1", 1), "E'it\\'s' || $1");
  EXPECT_EQ(dollars("name'x' || :p1", 1), "name'x' || $1");
  EXPECT_EQ(dollars("-- don't\n:p1", 1), "-- don't\n$1");
  EXPECT_EQ(dollars("/* /* */ */:p1", 1), "/* /* */ */$1");
  EXPECT_EQ(dollars("$a$'$a$||:p1", 1), "$a$'$a$||$1");
  EXPECT_EQ(dollars("a$b$:p1", 1), "a$b$$1");
  EXPECT_EQ(dollars("a[:p1:2]", 1), "a[$1:2]");
  EXPECT_EQ(dollars(":p1::text", 1), "$1::text");
  EXPECT_EQ(dollars("`:p1`", 1), "`$1`");
}

TEST(Placeholders, AreSeenBehindANameWithDollars) {
  EXPECT_EQ(dollars("a$$b$ = :p1", 1), "a$$b$ = $1");
}

TEST(Placeholders, FollowEachDialectsQuotes) {
  EXPECT_EQ(questions("'it\\'s :p1' # :p1\n`:p1`", 0, Dialect::mariadb),
            "'it\\'s :p1' # :p1\n`:p1`");
  EXPECT_EQ(questions("\"it\\\":p1\" || :p1", 1, Dialect::mariadb), "\"it\\\":p1\" || ?");
  EXPECT_EQ(questions("[a:p1]]:p1] = :p1 # 1", 1, Dialect::sqlserver), "[a:p1]]:p1] = ? # 1");
  EXPECT_EQ(questions("/* /* */ :p1", 1, Dialect::mariadb), "/* /* */ ?");
  EXPECT_EQ(questions("'?' || \"?\" || :p1 -- ?", 1, Dialect::postgresql),
            "'?' || \"?\" || ? -- ?");
}

TEST(Placeholders, MustBeThereInOrderAndInNumber) {
  EXPECT_THAT(refusal(":p2", 1), HasSubstr("in this order"));
  EXPECT_THAT(refusal(":p1 :p1", 2), HasSubstr("in this order"));
  EXPECT_THAT(refusal(":p1 :p3", 2), HasSubstr("in this order"));
  EXPECT_EQ(refusal(":p99999999999999999999999", 0), "");
  EXPECT_THAT(refusal(":p1", 0), HasSubstr("has 1 parameters and was given 0"));
  EXPECT_THAT(refusal("1", 1), HasSubstr("has 0 parameters and was given 1"));
}

TEST(Placeholders, RefuseAQuestionMarkThatAnOdbcDriverWouldTakeForOne) {
  EXPECT_THAT(refusal("tags ? 'vip'", 0), HasSubstr("'?'"));
  EXPECT_EQ(dollars("tags ? 'vip'", 0), "tags ? 'vip'");
}

TEST(Placeholders, RefuseANumberedParameterInAQueryForPostgresql) {
  const auto why = HasSubstr("a $ with a number is a parameter");
  EXPECT_THAT(refusal("id > $1 AND at > :p1", 1), why);
  EXPECT_THAT(refusal_of([] { dollars("id > $1 AND at > :p1", 1); }), why);
  EXPECT_EQ(dollars("a$1 = '$1' AND $$ $1 $$ = $f", 0), "a$1 = '$1' AND $$ $1 $$ = $f");
  EXPECT_EQ(questions("id > $1", 0, Dialect::mariadb), "id > $1") << "a name, there";
}

}  // namespace
}  // namespace surveybridge::crm
