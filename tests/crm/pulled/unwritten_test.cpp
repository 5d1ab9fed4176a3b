// What was to be written into the CRM and is not there afterwards: by table, column and reason.
#include "connectors/crm/pulled/unwritten.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "tests/crm/pulled/write_back_fixture.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class UnwrittenCells : public WriteBack {
 protected:
  config::Write both() {
    return write({cell("id", "Data[OrderNumber]")},
                 {cell("score", kScore), cell("remark", "Answers[1200].Text")});
  }
  static Record said(std::int64_t id, const std::string& order, const std::string& text,
                     Value score = kGood) {
    Record record = answered(id, order, std::move(score));
    record.at("Answers").records.front().set("Text", text);
    return record;
  }
  // "3 orders.score: reason"
  std::vector<std::string> counted() {
    std::vector<std::string> all;
    for (const auto& [list, sort, records, since] : unwritten_counts(database))
      all.push_back(std::to_string(records) + " " + sort.table + "." + sort.column + ": " +
                    sort.reason);
    return all;
  }
  // A trigger before each change of an order's row. `sqlite`: a whole statement behind BEGIN.
  void before_update(const std::string& postgresql, const std::string& mariadb,
                     const std::string& sqlite, const char* when = "UPDATE") {
    switch (database.dialect()) {
      case Dialect::postgresql:
        run_statement(database,
                      "CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " +
                          postgresql + " END $$");
        run_statement(database, std::string("CREATE TRIGGER meddles BEFORE ") + when +
                                    " ON orders FOR EACH ROW EXECUTE FUNCTION meddle()");
        return;
      case Dialect::mariadb:
      case Dialect::mysql:
        run_statement(database, std::string("CREATE TRIGGER meddles BEFORE ") + when +
                                    " ON orders FOR EACH ROW " + mariadb);
        return;
      default:
        database.execute({"CREATE TRIGGER meddles " + sqlite, {}});
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Databases, UnwrittenCells, every_database(), server_name);

TEST_P(UnwrittenCells, AreCountedByColumnAndReason) {
  save(write({cell("id", "Data[OrderNumber]")}, {cell("score", "Answers[1200].Text")}),
       {answered(1, "1", kGood), answered(2, "2", kGood)});
  EXPECT_THAT(counted(), ElementsAre("2 orders.score: the value is none of the column's type"));
}

TEST_P(UnwrittenCells, HaveTheReasonOfTheDatabase) {
  database.execute({"CREATE UNIQUE INDEX once ON orders (remark)", {}});
  database.execute({"UPDATE orders SET remark = 'taken' WHERE id = 3", {}});
  const bool limits = database.dialect() != Dialect::sqlite;  // SQLite's varchar(10) takes all
  save(both(), {said(1, "1", limits ? "much longer than ten" : "taken"),
                said(2, "2", "taken", std::int64_t{100})});
  const std::string taken = " orders.remark: another row has the value, which must be unique";
  std::vector<std::string> expected = {(limits ? "1" : "2") + taken};
  if (limits) expected.push_back("1 orders.remark: the value is too long for the column");
  expected.push_back("1 orders.score: a CHECK of the table refuses the value");
  EXPECT_EQ(counted(), expected);
  EXPECT_THAT(column("score"), ElementsAre(Value{kGood}, Value{Null{}}, Value{Null{}}));
}

TEST_P(UnwrittenCells, AreToldOnceAndForgottenWhenTheyAreThere) {
  const auto first = save(score_of_order(), {answered(1, "1", std::int64_t{100})});
  ASSERT_THAT(first.unwritten, testing::SizeIs(1));
  EXPECT_EQ(first.unwritten.front().column, "score");
  const auto second = save(score_of_order(), {answered(2, "2", std::int64_t{101})});
  EXPECT_THAT(second.unwritten, IsEmpty()) << "the same column and reason";
  EXPECT_EQ(second.unfit, 1);
  EXPECT_THAT(counted(), ElementsAre(HasSubstr("2 orders.score")));
  save(score_of_order(), {answered(1, "1", std::int64_t{99})});
  EXPECT_THAT(counted(), ElementsAre(HasSubstr("1 orders.score")));
  save(score_of_order(), {answered(2, "2", std::int64_t{98})});
  EXPECT_THAT(counted(), IsEmpty());
  EXPECT_THAT(save(score_of_order(), {answered(2, "2", std::int64_t{102})}).unwritten,
              testing::SizeIs(1))
      << "it was gone in between";
}

TEST_P(UnwrittenCells, KeepTheTimeOfTheFirst) {
  const Instant first = database.now();
  save(score_of_order(), {answered(1, "1", std::int64_t{100})});
  database.advance(2h);
  save(score_of_order(),
       {answered(1, "1", std::int64_t{101}), answered(2, "2", std::int64_t{101})});
  const auto counts = unwritten_counts(database);
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts.front().since, first);
  EXPECT_EQ(counts.front().records, 2);
}

TEST_P(UnwrittenCells, AreThoseThatATriggerLeavesAsTheyWere) {
  before_update("RETURN NULL;", "SET NEW.score = OLD.score, NEW.remark = OLD.remark",
                "BEFORE UPDATE ON orders BEGIN SELECT RAISE(IGNORE); END");
  const auto saved = save(both(), {said(1, "1", "fine")});
  EXPECT_EQ(saved.unfit, 1);
  EXPECT_THAT(counted(), ElementsAre(AllOf(HasSubstr("1 orders.remark: the database has left the"
                                                     " column as it was")),
                                     HasSubstr("1 orders.score: the database has left")));
}

TEST_P(UnwrittenCells, AreThoseThatATriggerWritesOtherwise) {
  before_update("NEW.remark := 'censored'; RETURN NEW;", "SET NEW.remark = 'censored'",
                "AFTER UPDATE OF remark ON orders WHEN NEW.remark <> 'censored' BEGIN"
                " UPDATE orders SET remark = 'censored' WHERE id = NEW.id; END");
  const auto saved = save(both(), {said(1, "1", "fine"), said(2, "2", "good")});
  EXPECT_EQ(saved.written_back, 2);
  EXPECT_EQ(saved.unfit, 2);
  EXPECT_THAT(counted(),
              ElementsAre(HasSubstr("2 orders.remark: the database has stored another value")));
  EXPECT_EQ(column("score").at(0), Value{kGood});
}

TEST_P(UnwrittenCells, AreThoseOfARowThatIsNotMade) {
  before_update("RETURN NULL;", "SET NEW.id = NEW.id + 1000",
                "BEFORE INSERT ON orders BEGIN SELECT RAISE(IGNORE); END", "INSERT");
  auto made = score_of_order();
  made.insert = true;
  EXPECT_EQ(save(made, {answered(1, "77", kGood)}).unfit, 1);
  const bool is_made = speaks_mysql(database.dialect());
  EXPECT_THAT(
      counted(),
      ElementsAre(HasSubstr(is_made ? "1 orders.id: a new row has another value here"
                                    : "1 orders.score: the database has made no such row")));
  EXPECT_EQ(column("id").size(), 3u);
}

// Else each change of the record would make it once more.
TEST_P(UnwrittenCells, AreThoseOfARowThatWouldNotBeFoundAgain) {
  before_update("NEW.code := NEW.code || '!'; RETURN NEW;", "SET NEW.code = CONCAT(NEW.code, '!')",
                "AFTER INSERT ON orders BEGIN UPDATE orders SET code = code || '!'"
                " WHERE id = NEW.id; END",
                "INSERT");
  auto made = write({cell("code", "Data[OrderNumber]"), cell("id", "Id")}, {cell("score", kScore)});
  made.insert = true;
  for (int again = 0; again < 2; ++again) {
    const auto saved = save(made, {answered(77 + again, "x", kGood)});
    EXPECT_EQ(saved.unfit, 1);
    EXPECT_EQ(saved.written_back, 0);
  }
  EXPECT_THAT(counted(), ElementsAre("2 orders.code, id: " + std::string(kMadeOtherwise)));
  EXPECT_EQ(column("id").size(), 3u);
}

TEST_P(UnwrittenCells, NameTheColumnThatANewRowNeeds) {
  run_statement(database,
                "CREATE TABLE feedback (code varchar(20), account integer NOT NULL, score smallint,"
                " made integer NOT NULL DEFAULT 7)");
  auto made = write({cell("code", "Data[OrderNumber]")}, {cell("score", kScore)}, "feedback");
  made.insert = true;
  std::vector<std::string> notes;
  EXPECT_THAT(check_writes(database, mapping::customer(), {made}, &notes), IsEmpty());
  EXPECT_THAT(notes, ElementsAre(HasSubstr("a new row of feedback needs a value in account,")));
  EXPECT_EQ(save(made, {answered(1, "77", kGood)}).unfit, 1);
  EXPECT_THAT(counted(), ElementsAre("1 feedback.account: a new row needs a value in this column,"
                                     " and the write gives none"));
}

TEST_P(UnwrittenCells, NameTheCellForWhichANewRowIsRefused) {
  run_statement(
      database,
      "CREATE TABLE feedback (code varchar(20), score smallint NOT NULL CHECK (score < 100),"
      " remark varchar(20) NOT NULL)");
  auto made = write({cell("code", "Data[OrderNumber]")},
                    {cell("score", kScore), cell("remark", "Answers[1200].Text")}, "feedback");
  made.insert = true;
  save(made, {said(1, "77", "fine", Null{}), said(2, "78", "fine", std::int64_t{100})});
  EXPECT_THAT(counted(),
              UnorderedElementsAre("1 feedback.score: the column takes no NULL",
                                   "1 feedback.score, remark: a CHECK of the table refuses the"
                                   " value"));
}

TEST_P(UnwrittenCells, NameTheUniqueKeyOfWhichAnotherRowHasTheValues) {
  run_statement(database,
                "CREATE TABLE feedback (code varchar(20) PRIMARY KEY, said varchar(20) NOT NULL,"
                " entity integer NOT NULL DEFAULT 1, score smallint NOT NULL, UNIQUE (score),"
                " CONSTRAINT by_said UNIQUE (said, entity))");
  database.execute({"INSERT INTO feedback (code, said, score) VALUES ('1', 'fine', 9)", {}});
  auto made = write({cell("code", "Data[OrderNumber]")},
                    {cell("said", "Answers[1200].Text"), cell("score", kScore)}, "feedback");
  made.insert = true;
  save(made, {said(1, "77", "fine"), said(2, "78", "well", std::int64_t{9})});
  EXPECT_THAT(counted(),
              UnorderedElementsAre(
                  "1 feedback.said, entity: another row has the value, which must be unique",
                  "1 feedback.score: another row has the value, which must be unique"));
}

TEST_P(UnwrittenCells, NameTheMatchThatNoNewRowMayHave) {
  run_statement(
      database,
      "CREATE TABLE feedback (code varchar(20) PRIMARY KEY, score smallint, CHECK (code <> '77'))");
  auto made = write({cell("code", "Data[OrderNumber]")}, {cell("score", kScore)}, "feedback");
  made.insert = true;
  EXPECT_EQ(save(made, {answered(1, "77", kGood), answered(2, "78", kGood)}).unfit, 1);
  EXPECT_THAT(counted(), ElementsAre("1 feedback.code: a CHECK of the table refuses the value"));
}

TEST_P(UnwrittenCells, AreNotFractionsThatTheColumnCannotHold) {
  const bool mariadb = speaks_mysql(database.dialect());
  run_statement(database, std::string("CREATE TABLE held (id integer, whole ") +
                              (mariadb ? "datetime" : "timestamp(0)") +
                              ", amount numeric(5,1), measured real, padded char(8))");
  database.execute({"INSERT INTO held (id) VALUES (1)", {}});
  Record customer = said(1, "1", "4.26");
  customer.set("UserAgent", std::string("x "));
  customer.set("DateInvited",
               Instant{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}} + 7ms);
  const auto all = write({cell("id", "Data[OrderNumber]")},
                         {cell("whole", "DateInvited"), cell("amount", "Answers[1200].Text"),
                          cell("measured", "Answers[1200].Text"), cell("padded", "UserAgent")},
                         "held");
  EXPECT_EQ(save(all, {customer}, "Europe/Amsterdam").unfit, 0);
  EXPECT_THAT(counted(), IsEmpty());
}

TEST_P(UnwrittenCells, AreErasedWithTheirRecord) {
  save(score_of_order(),
       {answered(1, "1", std::int64_t{100}), answered(2, "2", std::int64_t{100})});
  erase(database, mapping::customer(), {Value{std::int64_t{1}}});
  EXPECT_THAT(counted(), ElementsAre(HasSubstr("1 orders.score")));
}

TEST_P(UnwrittenCells, AreThoseOfAWriteThatIsConfigured) {
  save(score_of_order(), {answered(1, "1", std::int64_t{100})});
  WrittenBack written;
  WriteBackStore other(database, database, mapping::customer(),
                       {write({cell("id", "Data[OrderNumber]")}, {cell("code", "Email")})});
  other.write_again("customers", {}, database.now(), written);
  EXPECT_THAT(counted(), IsEmpty());
}

TEST_P(UnwrittenCells, OfAnErasureStopIt) {
  save(both(), {said(1, "1", "fine")});
  before_update("RETURN NULL;", "SET NEW.score = OLD.score, NEW.remark = OLD.remark",
                "BEFORE UPDATE ON orders BEGIN SELECT RAISE(IGNORE); END");
  auto compiled = std::get<CompiledWrite>(compile(database, mapping::customer(), both(), "UTC"));
  const auto rows = rows_to_empty(compiled, {said(1, "1", "fine")});
  Transaction transaction(database);
  EXPECT_THAT(write_back(database, compiled, rows).missing, testing::SizeIs(2));
}

// A column's collation or type may take a text for the same that a person does not.
TEST_P(UnwrittenCells, AreNotTextsThatTheColumnComparesAsEqual) {
  const char* type = "varchar(20) COLLATE utf8mb4_general_ci";
  if (database.dialect() == Dialect::sqlite) type = "text COLLATE NOCASE";
  if (database.dialect() == Dialect::postgresql) {
    database.execute({"CREATE EXTENSION IF NOT EXISTS citext SCHEMA pg_catalog", {}});
    type = "citext";
  }
  database.execute({std::string("CREATE TABLE heard (id integer, said ") + type + ")", {}});
  database.execute({"INSERT INTO heard VALUES (1, 'SCHEDULED'), (2, 'fine'), (3, 'gut')", {}});
  const auto text =
      write({cell("id", "Data[OrderNumber]")}, {cell("said", "Answers[1200].Text")}, "heard");
  const auto saved =
      save(text, {said(1, "1", "Scheduled"), said(2, "2", "fine "), said(3, "3", "gut")});
  EXPECT_EQ(saved.written_back, 2);
  EXPECT_EQ(saved.unfit, 0);
  const auto now = database.query({"SELECT said FROM heard ORDER BY id", {}}).rows;
  EXPECT_EQ(now.at(0).at(0), Value{"Scheduled"});
  EXPECT_EQ(now.at(1).at(0), Value{"fine "});
  EXPECT_EQ(save(text, {said(4, "1", "Scheduled")}).written_back, 0);
}

class UnwrittenLarge : public UnwrittenCells {};
INSTANTIATE_TEST_SUITE_P(Databases, UnwrittenLarge,
                         testing::Values(Server::sqlite, Server::postgresql), server_name);

TEST_P(UnwrittenLarge, AreThoseThatAreTooLargeToBeReadAgain) {
  database.execute({"ALTER TABLE orders ADD COLUMN film text", {}});
  const std::string film_of_both = too_large_text(database.dialect());
  before_update("NEW.film := " + film_of_both + "; RETURN NEW;", "",
                "AFTER UPDATE OF film ON orders WHEN length(NEW.film) < 20 BEGIN"
                " UPDATE orders SET film = " +
                    film_of_both + " WHERE id = NEW.id; END",
                "UPDATE OF film");
  const auto film = write({cell("id", "Data[OrderNumber]")},
                          {cell("score", kScore), cell("film", "Answers[1200].Text")});
  EXPECT_EQ(save(film, {said(1, "1", "fine")}).unfit, 1);
  EXPECT_THAT(counted(), ElementsAre("1 orders.film: the value is too long for the column"));
  EXPECT_EQ(column("score").at(0), Value{kGood});
}

class UnwrittenWords : public UnwrittenCells {};
INSTANTIATE_TEST_SUITE_P(Databases, UnwrittenWords, every_mysql(), server_name);

TEST_P(UnwrittenWords, AreThoseWhoseLettersTheColumnLacks) {
  run_statement(database,
                "CREATE TABLE heard (id integer, said varchar(20) CHARACTER SET latin1, again text"
                " CHARACTER SET latin1, state varchar(4), score smallint)");
  auto words = write({cell("id", "Data[OrderNumber]")},
                     {cell("said", "Answers[1200].Text"), cell("again", "Answers[1200].Text"),
                      cell("state", "Status.StatusName"), cell("score", kScore)},
                     "heard");
  words.insert = true;
  words.set[2].meanings = {{"Finished", std::string("answered"), {}}};
  words.set[1].max_length = 30;
  words.set[0].max_length = 21;
  std::vector<std::string> notes;
  EXPECT_THAT(check_writes(database, mapping::customer(), {words}, &notes), IsEmpty());
  EXPECT_THAT(
      notes,
      ElementsAre("pull.customers.write.set.said.max_length: the column has room for 20"
                  " characters, and not for 21",
                  HasSubstr("set.said: the column's character set is latin1: a text with a letter"),
                  HasSubstr("set.again: the column's character set is latin1"),
                  HasSubstr("set.state: the column has room for 4 characters, and not for 8")));
  save(words, {said(1, "1", "Žižkov"), said(2, "2", "Škoda, 李"), said(3, "3", "Zoë")});
  EXPECT_THAT(counted(),
              ElementsAre("1 heard.again: the column's character set lacks a letter of the value",
                          "1 heard.said: the column's character set lacks a letter of the value"));
  EXPECT_EQ(number_in(database, "SELECT COUNT(*) FROM heard WHERE score = 4"), 3)
      << "what else of the row there is";
}

TEST_P(UnwrittenWords, AreThoseThatAnEnumDoesNotHave) {
  run_statement(database,
                "CREATE TABLE heard (id integer, said enum('open', 'done'), many set('a', 'b'))");
  run_statement(database,
                "INSERT INTO heard VALUES (1, NULL, NULL), (2, 'open', NULL), (3, NULL, 'a')");
  const auto words =
      write({cell("id", "Data[OrderNumber]")}, {cell("said", "Answers[1200].Text")}, "heard");
  const auto saved =
      save(words, {said(1, "1", "Scheduled"), said(2, "2", "Scheduled"), said(3, "3", "Open")});
  EXPECT_EQ(saved.unfit, 2);
  EXPECT_THAT(counted(), ElementsAre("2 heard.said: the value is none that the column takes"));
  EXPECT_EQ(save(words, {said(4, "3", "Open")}).written_back, 0) << "it is the word 'open'";
}

TEST_P(UnwrittenWords, AreNumbersThatAreNoWordOfAnEnum) {
  run_statement(database,
                "CREATE TABLE heard (id integer, said enum('open', 'done'), many set('a', 'b'),"
                " stars enum('3', '2', '1'))");
  run_statement(database, "INSERT INTO heard (id) VALUES (1)");
  const auto numbers =
      write({cell("id", "Data[OrderNumber]")},
            {cell("said", kScore), cell("many", kScore), cell("stars", kScore)}, "heard");
  save(numbers, {answered(1, "1", std::int64_t{1})});
  EXPECT_THAT(counted(), ElementsAre("1 heard.many: the value is none of the column's type",
                                     "1 heard.said: the value is none of the column's type"));
  EXPECT_EQ(number_in(database,
                      "SELECT COUNT(*) FROM heard WHERE said IS NULL AND many IS NULL"
                      " AND stars = '1'"),
            1)
      << "MariaDB would have stored 'open' and 'a'";
}

// The statement has each cell twice, and a packet of MariaDB's has 16 MiB; one of MySQL's has 64
// MiB.
TEST_P(UnwrittenWords, AreThoseThatAPacketDoesNotTake) {
  if (GetParam() == Server::mysql) return;
  database.execute({"ALTER TABLE orders ADD COLUMN film longtext", {}});
  const auto film = write({cell("id", "Data[OrderNumber]")},
                          {cell("score", kScore), cell("film", "Answers[1200].Text")});
  const auto saved = save(film, {said(1, "1", std::string(9'000'000, 'x')), said(2, "2", "fine")});
  EXPECT_EQ(saved.unfit, 1);
  EXPECT_THAT(counted(), ElementsAre("1 orders.film: " + std::string(kTooLarge)));
  EXPECT_EQ(column("score").at(0), Value{kGood});
  EXPECT_EQ(column("film").at(1), Value{"fine"});
}

TEST_P(UnwrittenWords, AreToldOfAServerThatIsNotStrict) {
  database.execute({"SET SESSION sql_mode = ''", {}});
  run_statement(database,
                "CREATE TABLE heard (id integer, said enum('open', 'done'), short char(3))");
  database.execute({"INSERT INTO heard VALUES (1, 'open', NULL)", {}});
  save(write({cell("id", "Data[OrderNumber]")},
             {cell("said", "Answers[1200].Text"), cell("short", "Answers[1200].Text")}, "heard"),
       {said(1, "1", "Scheduled")});
  EXPECT_THAT(counted(),
              ElementsAre(HasSubstr("1 heard.said: the database has stored another value"),
                          HasSubstr("1 heard.short: the database has stored another value")));
}

class UnwrittenPolicies : public UnwrittenCells {};
INSTANTIATE_TEST_SUITE_P(Databases, UnwrittenPolicies, every_postgresql(), server_name);

TEST_P(UnwrittenPolicies, NameTheMatchThatTheDatabaseNumbersItself) {
  run_statement(
      database,
      "CREATE TABLE feedback (id bigint GENERATED ALWAYS AS IDENTITY, account integer NOT NULL,"
      " score smallint)");
  auto made = write({cell("id", "Data[OrderNumber]")}, {cell("score", kScore)}, "feedback");
  made.insert = true;
  EXPECT_EQ(save(made, {answered(1, "77", kGood)}).unfit, 1);
  EXPECT_THAT(counted(),
              ElementsAre("1 feedback.id: the database makes the column's value itself"));
}

// Two of our rows may mean one row of the CRM: one of them counts.
TEST_P(UnwrittenPolicies, AreNotThoseOfAnotherRecordOfTheSameRow) {
  database.execute({"CREATE EXTENSION IF NOT EXISTS citext SCHEMA pg_catalog", {}});
  database.execute({"CREATE TABLE heard (code citext, score smallint)", {}});
  database.execute({"INSERT INTO heard VALUES ('a1', NULL)", {}});
  const auto by_code = write({cell("code", "Data[OrderNumber]")}, {cell("score", kScore)}, "heard");
  EXPECT_EQ(
      save(by_code, {answered(1, "a1", std::int64_t{1}), answered(2, "A1", std::int64_t{2})}).unfit,
      0);
}

// MySQL spells a JSON anew, and compares it with no text.
class UnwrittenJson : public UnwrittenCells {};
INSTANTIATE_TEST_SUITE_P(Databases, UnwrittenJson,
                         testing::Values(Server::postgresql, Server::odbc, Server::mysql),
                         server_name);

TEST_P(UnwrittenJson, IsWrittenOnce) {
  database.execute({"CREATE TABLE heard (id integer, said json)", {}});
  database.execute({"INSERT INTO heard VALUES (1, NULL), (2, NULL)", {}});
  const auto text =
      write({cell("id", "Data[OrderNumber]")}, {cell("said", "Answers[1200].Text")}, "heard");
  EXPECT_EQ(save(text, {said(1, "1", R"({"b":1,"a":2})"), said(2, "2", "none")}).written_back, 1);
  EXPECT_EQ(save(text, {said(3, "1", R"({"b":1,"a":2})")}).written_back, 0);
  EXPECT_THAT(counted(), ElementsAre("1 heard.said: the value is none that the column takes"));
}

}  // namespace
}  // namespace surveybridge::crm
