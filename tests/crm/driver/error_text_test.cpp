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
                        {"42P01"}, "SELECT 'secret' FROM t"),
            "ERROR:  relation \"t\" does not exist (SQLSTATE 42P01)");
  EXPECT_EQ(
      shown_error("Cannot execute query. Fatal error. FEHLER:  Relation »t« existiert nicht\n",
                  {"42P01"}, "SELECT 1 FROM t"),
      "FEHLER:  Relation »t« existiert nicht (SQLSTATE 42P01)");
}

TEST(ErrorText, SaysThatAStatementWasEndedBecauseOfALock) {
  const std::string too_long =
      ": it waited for a lock of another session, takes longer than [crm] statement_timeout, or was"
      " cancelled";
  const std::string locked = ": another session holds the lock";
  EXPECT_EQ(shown_error("ERROR:  canceling statement due to statement timeout", {"57014"}),
            "ERROR:  canceling statement due to statement timeout (SQLSTATE 57014)" + too_long);
  EXPECT_EQ(
      shown_error("FEHLER:  storniere Anfrage wegen Zeitüberschreitung der Anfrage", {"57014"}),
      "FEHLER:  storniere Anfrage wegen Zeitüberschreitung der Anfrage (SQLSTATE 57014)" +
          too_long);
  for (const char* words : {"Query execution was interrupted (max_statement_time exceeded)",
                            "Ausführung der Abfrage wurde unterbrochen"})
    EXPECT_THAT(shown_error(words, {"70100", 1969}), HasSubstr(too_long));
  for (const char* words : {"ERROR:  canceling statement due to lock timeout",
                            "FEHLER:  storniere Anfrage wegen Zeitüberschreitung einer Sperre"})
    EXPECT_THAT(shown_error(words, {"55P03"}), HasSubstr("(SQLSTATE 55P03)" + locked));
  for (const char* words :
       {"Lock wait timeout exceeded; try restarting transaction",
        "Beim Warten auf eine Sperre wurde die zulässige Wartezeit überschritten"})
    EXPECT_EQ(shown_error(words, {"HY000", 1205}),
              "it waited too long for a lock (SQLSTATE HY000, error 1205)" + locked +
                  ", or this node of a cluster does not catch up");
}

// By their numbers: the servers speak many languages.
TEST(ErrorText, SaysWhatHappensInACluster) {
  for (const char* words : {"WSREP has not yet prepared node for application use", "…"}) {
    const auto* ready =
        "this node of the cluster is not ready: it has lost the others, or is catching up with them"
        " (SQLSTATE 08S01)";
    EXPECT_EQ(shown_error(words, {"08S01", 1047}, "SELECT 1 FROM t"), ready);
    EXPECT_EQ(shown_connect_error(words, {"08S01", 1047}), ready);
  }
  EXPECT_EQ(shown_error("Deadlock found when trying to get lock; try restarting transaction",
                        {"40001", 1213}, "INSERT INTO t VALUES (1)"),
            "the transaction was rolled back, because another one, here or on another node of the"
            " cluster, changes the same rows (SQLSTATE 40001)");
  EXPECT_EQ(shown_error("Got error 6 \"No such device or address\" during COMMIT", {"HY000", 1180}),
            "a COMMIT has failed: the server's disk is full, what it writes is too large for its"
            " cluster, or the node has left the cluster (SQLSTATE HY000, error 1180)");
  EXPECT_THAT(shown_error("Anweisung kann nicht ausgeführt werden", {"HY000", 1665}),
              HasSubstr("binlog_format is STATEMENT"));
}

// The ways in which databases quote values of rows, in several languages; each value has "Zoe".
TEST(ErrorText, ShowsNoValueOfARow) {
  struct Case {
    const char* state;
    int number;
    const char* message;
  };
  static constexpr Case kCases[] = {
      {"22P02", 0, "ERROR:  invalid input syntax for type integer: \"Zoe\""},
      {"22P02", 0, "FEHLER:  ungültige Eingabesyntax für Typ bigint: »Zoe@example.test«"},
      {"22P02", 0, "ERREUR:  syntaxe en entrée invalide pour le type bigint : « Zoe Roe »"},
      {"22P02", 0, "ОШИБКА:  неверный синтаксис для типа bigint: \"Zoe\""},
      {"22P02", 0, "ERROR:  型integerの入力構文が不正です: 「Zoe」"},
      {"22P02", 0, "ERROR:  Zoe"},
      {"22003", 0, "ERROR:  value \"Zoe\" is out of range for type integer"},
      {"22023", 0, "ERROR:  Zoe is invalid"},
      {"23505", 0,
       "ERROR:  duplicate key value violates unique constraint \"k\"\nDETAIL:  Key "
       "(email)=(Zoe) already exists."},
      {"23505", 0, "ERROR:  Zoe has an order already\nCONTEXT:  PL/pgSQL function f()"},
      {"23000", 1062, "Duplicate entry 'Zoe' for key 'PRIMARY'"},
      {"23000", 1062, "Doppelter Eintrag 'Zoe' für Schlüssel 'PRIMARY'"},
      {"23000", 2627, "Violation of PRIMARY KEY constraint. The duplicate key value is (Zoe)."},
      {"22018", 0, "Conversion failed when converting the nvarchar value Zoe to data type int."},
      {"HY000", 1366, "Incorrect string value: 'Zoe' for column `c` at row 1"},
      {"HY000", 1366, "Falscher String-Wert: „Zoe“ für Feld `c` in Zeile 1"},
      {"22007", 1292, "Truncated incorrect DOUBLE value: 'Zoe'"},
      {"01000", 1265, "Data truncated for column 'Zoe' at row 1"},
      {"22001", 1406, "Data too long 'Zoe"},
      {"P0001", 0, "ERROR:  bad address Zoe"},
      {"45000", 1644, "closed account of Zoe"},
      {"42000", 1644, "closed account of Zoe"},
      {"42000", 50000, "closed account of Zoe"},
      {"42000", 30001, "closed account of Zoe"},
      {"42501", 0, "ERROR:  closed account of Zoe\nCONTEXT:  PL/pgSQL function f() at RAISE"},
      {"42501", 0, "FEHLER:  Konto von Zoe\nKONTEXT:  PL/pgSQL-Funktion f() Zeile 3 bei RAISE"},
      {"42601", 0, "ERROR:  syntax error at or near \"Zoe\""},
      {"42601", 0, "FEHLER:  Syntaxfehler bei »Zoe Roe« um die Stelle"},
      {"42601", 0, "FEHLER:  Syntaxfehler bei Zoe@example.test"},
      {"42703", 0, "ERROR:  there is no: Zoe"},
      {"42000", 1064, "Fehler in der SQL-Syntax. Die Anfrage in der Nähe von ‚Zoe Roe‘ in Zeile 1"},
      {"42P01", 0, "ERROR:  oh\nCONTEXT:  Zoe"},
      {"XX000", 0, "ERROR:  cache lookup of Zoe failed"},
      {"38001", 0, "ERROR:  Zoe"},
      {"", 1811, "closed account of Zoe"},
      {"", 1, "fts5: syntax error near \"Zoe\""},
      {"", 1, "malformed MATCH expression: [Zoe]"},
  };
  for (const auto& [state, number, message] : kCases) {
    const std::string shown =
        shown_error(message, {state, number}, "SELECT id, name FROM orders WHERE id = 1");
    EXPECT_THAT(shown, Not(HasSubstr("Zoe"))) << message;
    EXPECT_THAT(shown, Not(HasSubstr("Roe"))) << message;
    EXPECT_THAT(shown, HasSubstr(state)) << message;
  }
}

// SIGNAL ... SET MYSQL_ERRNO = 1142 looks as if the server had said it.
TEST(ErrorText, ShowsNoWordsWhereATriggerMayHaveSaidThem) {
  const std::string write = "UPDATE `orders` SET `state` = ? WHERE `id` = ?";
  for (const int number : {1054, 1064, 1142, 1143, 1146, 1305})
    EXPECT_THAT(shown_error("the account of Zoe is closed", {"42000", number}, write),
                Not(HasSubstr("Zoe")))
        << number;
  for (const char* clause : {"'WHERE'", "'where clause'"})
    EXPECT_EQ(
        shown_error(std::string("Unknown column 'state' in ") + clause, {"42S22", 1054}, write),
        "a column is not there: state (SQLSTATE 42S22)");
  EXPECT_EQ(shown_error("UPDATE command denied to user 'b'@'h' for table `crm`.`orders`",
                        {"42000", 1142}, write),
            "the account has no right on a table: crm.orders (SQLSTATE 42000)");
  EXPECT_EQ(shown_error("Access denied for user 'b'@'h' to database 'crm'", {"42000", 1044},
                        "CREATE TEMPORARY TABLE survey_push (push text)"),
            "the account has no right to do that in this database (SQLSTATE 42000)");
}

TEST(ErrorText, KeepsTheNamesOfTheStatement) {
  const char* sql = "INSERT INTO survey_push (push, key) VALUES ($1, $2)";
  EXPECT_EQ(shown_error("ERROR:  violates unique constraint \"survey_push_pkey\"", {"23505"}, sql),
            "a value that must be unique is there already: survey_push_pkey (SQLSTATE 23505)");
  EXPECT_EQ(shown_error("FEHLER:  doppelter Schlüsselwert verletzt Unique-Constraint"
                        " »survey_push_pkey«",
                        {"23505"}, sql),
            "a value that must be unique is there already: survey_push_pkey (SQLSTATE 23505)");
  EXPECT_EQ(shown_error("CREATE Befehl nicht erlaubt für Benutzer 'x'@'h' auf Tabelle"
                        " `crm`.`survey_push`",
                        {"42000", 1142}, sql),
            "the account has no right on a table: crm.survey_push (SQLSTATE 42000)");
  EXPECT_EQ(shown_error("Table 'crm.survey_push' doesn't exist", {"42S02", 1146}, sql),
            "a table is not there: crm.survey_push (SQLSTATE 42S02)");
  EXPECT_EQ(shown_error("near \")\": syntax error", {"", 1}, sql), "near \")\": syntax error");
  EXPECT_EQ(shown_error("UNIQUE constraint failed: survey_push.key", {"", 1555}, sql),
            "UNIQUE constraint failed: survey_push.key");
}

TEST(ErrorText, KeepsEveryLineOfAFailedConnectInOne) {
  EXPECT_EQ(shown_connect_error("Cannot connect.\n\tIs it running?\n", {}),
            "Cannot connect.  Is it running?");
}

TEST(ErrorText, IsBounded) {
  EXPECT_LE(shown_error(std::string(100'000, 'x'), {}).size(), 500u);
  EXPECT_LE(shown_error(std::string(100'000, 'x'), {"42000"}).size(), 550u);
  EXPECT_LE(shown_connect_error(std::string(100'000, 'x'), {"42000"}).size(), 550u);
}

TEST(ErrorText, ShowsTheWholeSentenceOfAConnectThatFailed) {
  EXPECT_EQ(shown_connect_error("[ma-3.1.15]Can't connect to server on '127.0.0.1' (115)",
                                {"HY000", 2002}),
            "Can't connect to server on '127.0.0.1' (115) (SQLSTATE HY000)");
  EXPECT_EQ(shown_connect_error(
                "[unixODBC][Driver Manager]Can't open lib 'MariaDB' : file not found", {"01000"}),
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
                                                  {"25P04", Fault::connection},
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
  for (const char* words : {"Access denied for user 'x'@'h' to database 'own'",
                            "Benutzer 'x'@'h' hat keine Zugriffsberechtigung für Datenbank 'own'"})
    EXPECT_EQ(shown_connect_error(words, {"42000", 1044}),
              std::string(words) +
                  "; the account has no right there: docs/GUIDE.md, \"The bridge's own tables in"
                  " another place\", names the GRANT (SQLSTATE 42000)");
}

TEST(ErrorOfAValue, IsToldByItsState) {
  const auto is_one = [](ErrorCode code, Fault kind = Fault::other) {
    return may_be_of_a_value({kind, "any words", std::move(code)});
  };
  EXPECT_TRUE(is_one({"22012"}));
  EXPECT_TRUE(is_one({"22P02"}));
  EXPECT_TRUE(is_one({"21000", 1242}));
  EXPECT_TRUE(is_one({"HY000", 1411}));
  EXPECT_TRUE(is_one({"HY000", 3699})) << "a regular expression takes too long";
  EXPECT_TRUE(is_one({"54001"})) << "nested too deep";
  EXPECT_TRUE(is_one({"XX001"})) << "damaged on the disk";
  EXPECT_TRUE(is_one({"23514"}, Fault::constraint)) << "a cast to a domain";
  EXPECT_TRUE(is_one({"", 1})) << "of SQLite";
  EXPECT_TRUE(is_one({"P0001"})) << "RAISE";
  EXPECT_TRUE(is_one({"45000", 1644})) << "SIGNAL";
  EXPECT_TRUE(is_one({"HY000", 1644}));
  EXPECT_TRUE(is_one({"2F005", 1321})) << "a function ends without RETURN";
  EXPECT_FALSE(is_one({"42703"}));
  EXPECT_FALSE(is_one({"25006"}));
  EXPECT_FALSE(is_one({"XX000"}));
  EXPECT_FALSE(is_one({"HY000", 1290}));
  EXPECT_FALSE(is_one({"22012"}, Fault::busy));
  EXPECT_FALSE(is_one({}));
}

TEST(LoginRefused, IsWhatAPersonMustMend) {
  const auto refused = [](ErrorCode code, Fault kind = Fault::connection) {
    return is_login_refused({kind, "any words", std::move(code)});
  };
  EXPECT_TRUE(refused({"28P01"}));
  EXPECT_TRUE(refused({"28000", 1045}));
  EXPECT_TRUE(refused({"3D000"}));
  EXPECT_TRUE(refused({"42501"})) << "no CONNECT on the database";
  EXPECT_TRUE(refused({"42000", 1044}));
  EXPECT_TRUE(refused({"42000", 1049}));
  EXPECT_TRUE(refused({"01000"})) << "the ODBC driver has no library";
  EXPECT_TRUE(refused({"IM002"})) << "there is no such ODBC driver";
  EXPECT_FALSE(refused({"42501"}, Fault::other)) << "of a statement";
  EXPECT_FALSE(refused({"HY000", 2002}));
  EXPECT_FALSE(refused({"57P03"}));
  EXPECT_FALSE(refused({}));
  EXPECT_FALSE(is_login_refused({Fault::connection, "Access denied for user 'x'", {}}));
}

}  // namespace
}  // namespace surveybridge::crm
