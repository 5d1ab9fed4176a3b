#include "connectors/crm/driver/connection_text.hpp"

#include <gmock/gmock.h>

#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using Backend = ConnectionText::Backend;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(ConnectionText, TellsTheBackendAndWhatItIsGiven) {
  const auto given = [](const char* text) { return parse_connection(text).text; };
  EXPECT_EQ(given("postgresql://host=/run/postgresql dbname=crm"),
            "host=/run/postgresql dbname=crm");
  EXPECT_EQ(given("postgresql://u@h:5432/db?sslmode=require"),
            "postgresql://u@h:5432/db?sslmode=require");
  EXPECT_EQ(given("postgres:///db"), "postgresql:///db");
  EXPECT_EQ(given("postgresql://"), "postgresql://");
  EXPECT_EQ(given("postgresql://?host=/run&dbname=d"), "postgresql://?host=/run&dbname=d");
  EXPECT_EQ(given("odbc://DSN=crm;UID=u"), "DSN=crm;UID=u");
  EXPECT_EQ(given("sqlite3:///var/lib/crm.db"), "/var/lib/crm.db");
  EXPECT_EQ(given("sqlite3://crm.db"), "crm.db");
  EXPECT_EQ(given("sqlite3://a=b.db"), "dbname=\"a=b.db\"");
  EXPECT_EQ(parse_connection("PostgreSQL://h/d").backend, Backend::postgresql);
  EXPECT_EQ(parse_connection("odbc://DSN=x").backend, Backend::odbc);
  EXPECT_EQ(parse_connection("sqlite3://x").backend, Backend::sqlite);
}

TEST(ConnectionText, FindsEverySecret) {
  for (const char* text : {
           "postgresql://user=u password=s3cret dbname=d",
           "postgresql://dbname=d password='s3cret'",
           "postgresql://u:s3cret@h:5432/d",
           "postgresql://u:s%33cret@h/d",
           "postgresql://u@h/d?sslmode=require&password=s3cret",
           "postgresql://h/d?password=s%33cret",
           "postgresql://h/d?sslpassword=s%33cret",
           "postgresql://host=h user=u password = s3cret",
           "postgresql://host=h password= s3cret dbname=d",
           "postgresql://host=h password =\ts3cret",
           "odbc://DSN=x;UID=u;PWD=s3cret",
           "odbc://DSN=x;pwd={s3cret};UID=u",
           "odbc://Password=s3cret;DSN=x",
       }) {
    EXPECT_THAT(parse_connection(text).secrets, Contains("s3cret")) << text;
    EXPECT_EQ(without_secrets("no s3cret, s3cret!", parse_connection(text)), "no ***, ***!")
        << text;
  }
  for (const char* text : {"postgresql://host=h dbname=password", "postgresql://u@h:5432/d",
                           "odbc://DSN=pwd;UID=u", "sqlite3://password"}) {
    EXPECT_THAT(parse_connection(text).secrets, IsEmpty()) << text;
  }
}

// It would be read from what is left of a word.
TEST(ConnectionText, HidesAShortSecretOnlyWhereItStandsAlone) {
  const auto connection = parse_connection("postgresql://odo:x@h/d");
  EXPECT_EQ(without_secrets("role \"odo\" does not exist", connection),
            "role \"odo\" does not exist");
  EXPECT_EQ(without_secrets("password=x, 'x' or ax", connection), "password=***, '***' or ax");
}

TEST(ConnectionText, NamesTheServerOfAnOdbcText) {
  EXPECT_EQ(server_of(parse_connection("odbc://Driver=M;SERVER=db.test;PORT=3307;DATABASE=shop;"
                                       "UID=u;PWD=s3cret")),
            "db.test:3307/shop");
  EXPECT_EQ(server_of(parse_connection("odbc://Driver=M;Server={db.test};UID=u")), "db.test");
  for (const char* text : {"odbc://DSN=x;UID=u", "postgresql://h/d", "sqlite3:///crm.db",
                           "odbc://Driver=M;SERVER=db.test,PWD=s3cret;UID=u",
                           "odbc://SERVER=db.test\nPWD=s3cret;", "odbc://SERVER=u:s3cret@db.test"})
    EXPECT_EQ(server_of(parse_connection(text)), "") << text;
}

TEST(ConnectionText, FindsASecretBehindAWrongSeparator) {
  for (const char* text : {"odbc://SERVER=h,PWD=s3cret;UID=u", "odbc://SERVER=h\nPWD=s3cret;UID=u",
                           "odbc://SERVER=h\tPWD=s3cret;UID=u"})
    EXPECT_THAT(parse_connection(text).secrets, Contains("s3cret")) << text;
}

TEST(ConnectionText, FindsASecretWithBlanksWhereTheySeparateNothing) {
  EXPECT_THAT(parse_connection("odbc://DSN=x;PWD=a s3cret&b;UID=u").secrets,
              testing::ElementsAre("a s3cret&b"));
}

TEST(ConnectionText, FindsTheWholeOfASecretThatLibpqReads) {
  for (const char* text :
       {"postgresql://host=h password=ab;cd&ef", "postgresql://h/d?password=ab;cd%26ef"}) {
    EXPECT_THAT(parse_connection(text).secrets, Contains("ab;cd&ef")) << text;
    EXPECT_EQ(without_secrets("no ab;cd&ef!", parse_connection(text)), "no ***!") << text;
  }
  EXPECT_TRUE(has_password("postgresql://host=h user=u password = hunter2"));
  EXPECT_FALSE(has_password("postgresql://host=h user=u"));
}

TEST(ConnectionText, FindsTheWholeOfAQuotedSecret) {
  for (const char* text : {"odbc://DSN=x;PWD={a;b}}c d};UID=u", "odbc://PWD={a;b}}c d};DSN=x"}) {
    EXPECT_THAT(parse_connection(text).secrets, Contains("a;b}c d")) << text;
    EXPECT_EQ(without_secrets("no a;b}}c d, a;b}c d!", parse_connection(text)), "no ***, ***!");
  }
  EXPECT_THAT(parse_connection("postgresql://password='it\\'s a \\\\' dbname=d").secrets,
              Contains("it's a \\"));
}

// However a password looks, the text is read back as it was meant.
TEST(ConnectionText, TakesAPasswordAsTheFormOfTheTextWantsIt) {
  const auto with = [](const char* text, const char* password) {
    return with_password(text, password);
  };
  EXPECT_EQ(with("odbc://DSN=x;PWD=***;UID=u", "s3cret!"), "odbc://DSN=x;PWD=s3cret!;UID=u");
  EXPECT_EQ(with("odbc://DSN=x;PWD=***;UID=u", "a;b}c"), "odbc://DSN=x;PWD={a;b}}c};UID=u");
  EXPECT_EQ(with("odbc://DSN=x;PWD={***};UID=u", "a;b}c"), "odbc://DSN=x;PWD={a;b}}c};UID=u");
  EXPECT_EQ(with("postgresql://user=u password=*** dbname=d", "it's \\"),
            "postgresql://user=u password='it\\'s \\\\' dbname=d");
  EXPECT_EQ(with("postgresql://user=u password='***'", "it's"),
            "postgresql://user=u password='it\\'s'");
  EXPECT_EQ(with("postgresql://u:***@h/d", "a@b/c%"), "postgresql://u:a%40b%2Fc%25@h/d");
  EXPECT_EQ(with("postgresql://user=u dbname=d", "x"), "postgresql://user=u dbname=d");
  for (const char* text : {"odbc://DSN=x;PWD=***;UID=u", "odbc://PWD={***};DSN=x",
                           "postgresql://user=u password=*** dbname=d", "postgresql://u:***@h/d"}) {
    for (const char* password :
         {"s3cret!", "a;b", "a}b", "{a}", "it's", "a b", "a\\", "a&b=c", "'", "}", "%41"})
      EXPECT_THAT(parse_connection(with(text, password)).secrets, Contains(password)) << text;
  }
}

TEST(ConnectionText, RefusesWhatItDoesNotKnowAndShowsNoneOfIt) {
  for (const std::string& text :
       {std::string(), std::string("s3cret"), std::string("mysql://u:s3cret@h/d"),
        std::string("/var/s3cret.db"), std::string("://s3cret"), std::string("sqlite3://"),
        std::string("odbc://s3cret"), std::string("sqlite3://s3cret=\"x"),
        std::string("postgresql://s3cret\0", 20)}) {
    const auto error = error_of([&] { parse_connection(text); });
    EXPECT_EQ(error.kind, DatabaseError::Kind::connection) << text;
    EXPECT_THAT(error.what(), Not(HasSubstr("s3cret")));
  }
}

std::string parse_refusal(const std::string& text) {
  return refusal_of([&] { parse_connection(text); });
}

// libpq would say that it finds no host "s3cret@h", or no port "p".
TEST(ConnectionText, RefusesAPasswordThatCouldBeReadInSeveralWaysAndShowsNoneOfIt) {
  for (const char* text :
       {"postgresql://u:p@s3cret@h/d", "postgresql://u:p/s3cret@h/d", "postgresql://u:/s3cret@h/d",
        "postgres://u:p@/s3cret@h:5432/d?sslmode=require", "postgresql://u:p/s3@cret@h",
        "postgresql://u@s3cret:p@h/d", "postgresql://u:p@h/d?password=a@s3cret",
        "postgresql://h?user=u&password=p@s3cret", "postgresql://?password=p@s3cret",
        "postgresql://u:p?s3cret@h/d"}) {
    EXPECT_THAT(parse_refusal(text), testing::AllOf(HasSubstr("%40"), HasSubstr("%2F"))) << text;
    EXPECT_THAT(parse_refusal(text), Not(HasSubstr("s3"))) << text;
  }
  for (const char* text :
       {"postgresql://host=h password=a s3cret dbname=d", "postgresql://host=h password=a s3cret=b",
        "postgresql://u:s3cret%@h/d", "postgresql://host=h password='s3cret",
        "postgresql://PASSWORD=s3cret", "postgresql://h/d?s3cret=1"}) {
    EXPECT_THAT(parse_refusal(text), HasSubstr("libpq cannot read it")) << text;
    EXPECT_THAT(parse_refusal(text), Not(HasSubstr("s3cret"))) << text;
  }
  for (const char* text : {"postgresql://bridge:s3cret/crm", "postgresql://bridge:s3cret",
                           "postgresql://u:5s3/d", "postgresql://a:5432,bridge:s3cret/crm",
                           "postgresql://h/d?port=s3cret", "postgresql://bridge:s3%40cret/crm"}) {
    EXPECT_THAT(parse_refusal(text), HasSubstr("port")) << text;
    EXPECT_THAT(parse_refusal(text), Not(HasSubstr("s3"))) << text;
  }
  EXPECT_THAT(parse_refusal("postgresql://bridge:123456/crm"), Not(HasSubstr("1234")));
  EXPECT_THAT(parse_refusal("postgresql://bridge:123456/crm"), HasSubstr("port"));
  for (const char* text :
       {"postgresql://a:1,b:65535,c:/d", "postgresql://h:/d", "postgresql://u:p%3Fq@h/d",
        "postgresql://u:p%40s%2Fq@h:5432/d", "postgresql://host=h password='a@b/c d' dbname=d",
        "postgresql://u@[::1]/d", "postgresql://a,b/d", "postgresql://h/d?user=a%40b"})
    EXPECT_EQ(parse_refusal(text), "") << text;
}

TEST(ConnectionText, KnowsWhichServerOfTheNetworkIsNotVerified) {
  for (const auto& [text, host] : std::vector<std::pair<const char*, const char*>>{
           {"postgresql://u@db.test/d", "db.test"},
           {"postgresql://u@db.test/d?sslmode=require", "db.test"},
           {"postgresql://u@localhost,db.test/d", "db.test"},
           {"postgresql://host=10.0.0.7 dbname=d sslmode=prefer", "10.0.0.7"},
           {"postgresql://host=localhost hostaddr=10.0.0.7", "10.0.0.7"},
           {"odbc://Driver=MariaDB Unicode;Server=db.test;UID=u", "db.test"},
           {"odbc://DRIVER={MariaDB};SERVERNAME=db.test;FORCETLS=1;SSLVERIFY=0", "db.test"},
           {"odbc://Driver=PostgreSQL Unicode;Server=db.test;SSLmode=require", "db.test"},
           {"odbc://Driver=ODBC Driver 17 for SQL Server;Server=tcp:db.test,1433", "db.test"},
           {"odbc://Driver=ODBC Driver 18 for SQL Server;Server=db.test;TrustServerCertificate=yes",
            "db.test"},
           {"odbc://Driver=ODBC Driver 18 for SQL Server;Server=db.test;Encrypt=Optional",
            "db.test"},
           {"odbc://Driver=ODBC Driver 17 for SQL Server;Server=db.test;Encrypt=yes", ""},
           {"postgresql://u@db.test/d?sslmode=verify-full", ""},
           {"postgresql://u@db.test/d?sslmode=verify-ca", ""},
           {"postgresql://u@localhost/d", ""},
           {"postgresql://u@[::1]:5432/d", ""},
           {"postgresql://host=/run/postgresql dbname=d", ""},
           {"postgresql://host=db.test hostaddr=127.0.0.2", ""},
           {"postgresql:///d", ""},
           {"odbc://Driver=MariaDB Unicode;Server=127.0.0.1;UID=u", ""},
           {"odbc://Driver=MariaDB Unicode;SOCKET=/run/m.sock;UID=u", ""},
           {"odbc://Driver=MariaDB Unicode;Server=db.test;SSLVERIFY=1", ""},
           {"odbc://Driver=PostgreSQL Unicode;Server=db.test;SSLmode=verify-full", ""},
           {"odbc://Driver=ODBC Driver 18 for SQL Server;Server=tcp:db.test,1433", ""},
           {"odbc://DSN=crm", ""},
           {"sqlite3:///x", ""}})
    EXPECT_EQ(unverified_host(text), host) << text;
}

TEST(ConnectionText, WantsOfSqliteThePathAlone) {
  EXPECT_EQ(parse_refusal("sqlite3://db=/x"),
            "connection: sqlite3:// is followed by the path alone, without \"db=\"");
  EXPECT_THAT(parse_refusal("sqlite3://DbName=/x"), HasSubstr("without \"dbname=\""));
  EXPECT_EQ(parse_refusal("sqlite3:///var/db=x"), "");
}

}  // namespace
}  // namespace surveybridge::crm
