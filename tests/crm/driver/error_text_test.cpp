#include "connectors/crm/driver/error_text.hpp"

#include <gmock/gmock.h>

namespace surveybridge::crm {
namespace {

using testing::HasSubstr;
using testing::Not;
using Fault = DatabaseError::Kind;

TEST(ErrorText, ShowsTheFirstLineAndTheState) {
  EXPECT_EQ(shown_error("Cannot execute query. Fatal error. ERROR:  relation \"t\" does not exist\n"
                        "LINE 1: SELECT 'secret'\n",
                        "42P01"),
            "ERROR:  relation \"t\" does not exist (SQLSTATE 42P01)");
}

TEST(ErrorText, SaysThatAStatementWasEndedBecauseOfALock) {
  const std::string too_long =
      ": it waited for a lock of another session, or takes longer than [crm] statement_timeout";
  EXPECT_EQ(shown_error("ERROR:  canceling statement due to statement timeout", "57014"),
            "ERROR:  canceling statement due to statement timeout (SQLSTATE 57014)" + too_long);
  EXPECT_THAT(shown_error("Query execution was interrupted (max_statement_time exceeded)", "70100"),
              HasSubstr(too_long));
  EXPECT_EQ(shown_error("ERROR:  canceling statement due to lock timeout", "55P03"),
            "ERROR:  canceling statement due to lock timeout (SQLSTATE 55P03): another session"
            " holds the lock");
  EXPECT_THAT(shown_error("Lock wait timeout exceeded; try restarting transaction", "HY000"),
              HasSubstr("(SQLSTATE HY000): another session holds the lock"));
  EXPECT_THAT(shown_error("ERROR:  canceling statement due to user request", "57014"),
              testing::EndsWith("(SQLSTATE 57014)"));
}

// The ways in which each database quotes values of a row.
TEST(ErrorText, ShowsNoValueOfARow) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"22P02", "ERROR:  invalid input syntax for type integer: \"Zoe\""},
      {"22P02", "ERROR:  invalid input syntax for type integer: \"a\"Zoe\"b\""},
      {"22003", "ERROR:  value \"Zoe\" is out of range for type integer"},
      {"23505",
       "ERROR:  duplicate key value violates unique constraint \"k\"\nDETAIL:  Key "
       "(email)=(Zoe) already exists."},
      {"23000", "Duplicate entry 'Zoe' for key 'PRIMARY'"},
      {"23000", "Violation of PRIMARY KEY constraint. The duplicate key value is (Zoe)."},
      {"23000", "The duplicate key value is (x) Zoe)."},
      {"22018", "Conversion failed when converting the nvarchar value 'Zoe' to data type int."},
      {"HY000", "Incorrect string value: 'Zoe' for column `c` at row 1"},
      {"22001", "Data too long 'Zoe"},
      {"P0001", "ERROR:  bad address Zoe"},
      {"42P01", "ERROR:  oh\nCONTEXT:  Zoe"},
  };
  for (const auto& [state, message] : cases) {
    EXPECT_THAT(shown_error(message, state), Not(HasSubstr("Zoe"))) << message;
    EXPECT_THAT(shown_error(message, state), HasSubstr(state)) << message;
  }
}

TEST(ErrorText, KeepsTheNameOfAConstraint) {
  EXPECT_THAT(shown_error("ERROR:  violates unique constraint \"survey_push_pkey\"", "23505"),
              HasSubstr("survey_push_pkey"));
}

TEST(ErrorText, KeepsEveryLineOfAFailedConnectInOne) {
  EXPECT_EQ(shown_error("Cannot connect.\n\tIs it running?\n", ""),
            "Cannot connect.  Is it running?");
}

TEST(ErrorText, IsBounded) {
  EXPECT_LE(shown_error(std::string(100'000, 'x'), "").size(), 500u);
  EXPECT_LE(shown_error(std::string(100'000, 'x'), "42000").size(), 550u);
}

TEST(ErrorText, ShowsTheWholeSentenceOfAConnectThatFailed) {
  EXPECT_EQ(shown_connect_error("[ma-3.1.15]Can't connect to server on '127.0.0.1' (115)", "HY000"),
            "Can't connect to server on '127.0.0.1' (115) (SQLSTATE HY000)");
  EXPECT_EQ(shown_connect_error(
                "[unixODBC][Driver Manager]Can't open lib 'MariaDB' : file not found", "01000"),
            "Can't open lib 'MariaDB' : file not found; Driver= names a section of "
            "/etc/odbcinst.ini (SQLSTATE 01000)");
}

TEST(ErrorText, KnowsWhatAStateMeans) {
  for (const auto& [state, kind] :
       std::vector<std::pair<std::string, Fault>>{{"08006", Fault::connection},
                                                  {"57P01", Fault::connection},
                                                  {"57P03", Fault::connection},
                                                  {"53300", Fault::connection},
                                                  {"HYT01", Fault::connection},
                                                  {"25006", Fault::connection},
                                                  {"25P03", Fault::connection},
                                                  {"40001", Fault::busy},
                                                  {"40P01", Fault::busy},
                                                  {"55P03", Fault::busy},
                                                  {"HYT00", Fault::busy},
                                                  {"57014", Fault::busy},
                                                  {"23505", Fault::constraint},
                                                  {"23000", Fault::constraint},
                                                  {"42601", Fault::other},
                                                  {"HY000", Fault::other},
                                                  {"", Fault::other},
                                                  {"2", Fault::other}}) {
    EXPECT_EQ(kind_of_state(state), kind) << state;
  }
}

TEST(ShownConnectError, SaysWhereTheGrantOfAStoreIs) {
  EXPECT_EQ(shown_connect_error("Access denied for user 'x'@'h' to database 'own'", "42000"),
            "Access denied for user 'x'@'h' to database 'own'; the account has no right there: "
            "docs/GUIDE.md, \"The bridge's own tables in another place\", names the GRANT "
            "(SQLSTATE 42000)");
}

TEST(LoginRefused, IsWhatAPersonMustMend) {
  for (const char* refused :
       {"Access denied for user 'x'@'localhost' (using password: YES) (SQLSTATE 28000)",
        "Access denied for user 'x'@'localhost' to database 'own' (SQLSTATE 42000)",
        "Unknown database 'own' (SQLSTATE 42000)",
        "connection failed: FATAL:  password authentication failed for user \"x\"",
        "connection failed: FATAL:  role \"x\" does not exist"})
    EXPECT_TRUE(is_login_refused(refused)) << refused;
  for (const char* away : {"Can't connect to server on '127.0.0.1' (115) (SQLSTATE HY000)",
                           "connection refused", "FATAL:  the database system is starting up"})
    EXPECT_FALSE(is_login_refused(away)) << away;
}

}  // namespace
}  // namespace surveybridge::crm
