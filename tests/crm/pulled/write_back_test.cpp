#include "connectors/crm/pulled/write_back.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/pulled/write_counts.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/pulled/write_back_fixture.hpp"
#include "tests/crm/records.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_P(WriteBack, SetsWhatWasAnswered) {
  const Saved saved =
      save(score_of_order(), {answered(1, "2", kGood), answered(2, "3", std::int64_t{5})});
  EXPECT_EQ(saved.written_back, 2);
  EXPECT_EQ(saved.matched_none, 0);
  EXPECT_EQ(saved.matched_many, 0);
  EXPECT_EQ(saved.unfit, 0);
  EXPECT_THAT(column("score"), ElementsAre(Value{Null{}}, Value{kGood}, Value{std::int64_t{5}}));
}

TEST_P(WriteBack, WritesNothingThatIsThereAlready) {
  save(score_of_order(), {answered(1, "2", kGood)});
  EXPECT_EQ(save(score_of_order(), {answered(1, "2", kGood)}).written_back, 0);
  EXPECT_EQ(save(score_of_order(), {answered(2, "2", kGood)}).written_back, 0)
      << "another customer, the same score";
  EXPECT_EQ(save(score_of_order(), {answered(2, "2", std::int64_t{3})}).written_back, 1);
}

TEST_P(WriteBack, WritesAndSeesNull) {
  EXPECT_EQ(save(score_of_order(), {answered(1, "1", Null{})}).written_back, 0);
  save(score_of_order(), {answered(1, "1", kGood)});
  EXPECT_EQ(save(score_of_order(), {answered(1, "1", Null{})}).written_back, 1);
  EXPECT_EQ(column("score").at(0), Value{Null{}});
}

TEST_P(WriteBack, CountsWhatMatchesNothing) {
  const Saved saved = save(score_of_order(), {answered(1, "99", kGood), answered(2, "n/a", kGood),
                                              answered(3, "", kGood), bare_customer(4)});
  EXPECT_EQ(saved.written_back, 0);
  EXPECT_EQ(saved.matched_none, 4);
  EXPECT_EQ(saved.changed, 4) << "the customers are stored all the same";
}

TEST_P(WriteBack, KnowsSinceWhenARecordWaitsForItsRow) {
  EXPECT_THAT(waiting_writes(database), IsEmpty());
  const Instant first = database.now();
  save(score_of_order(), {answered(1, "98", kGood)});
  database.advance(2h);
  save(score_of_order(), {answered(1, "98", std::int64_t{3}), answered(2, "99", kGood)});
  database.advance(2h);
  save(score_of_order(), {answered(1, "98", std::int64_t{2})});
  auto waiting = waiting_writes(database);
  ASSERT_EQ(waiting.size(), 1u);
  EXPECT_EQ(waiting[0].list, "customers");
  EXPECT_EQ(waiting[0].records, 2);
  EXPECT_EQ(waiting[0].since, first) << "a further try does not begin anew";
  database.execute({"INSERT INTO orders (id) VALUES (98)", {}});
  save(score_of_order(), {answered(1, "98", std::int64_t{1})});
  waiting = waiting_writes(database);
  ASSERT_EQ(waiting.size(), 1u);
  EXPECT_EQ(waiting[0].records, 1);
  EXPECT_EQ(waiting[0].since, first + 2h);
}

TEST_P(WriteBack, CountsWhatMatchesMany) {
  const auto by_code = write({cell("code", "Data[OrderNumber]")}, {cell("score", kScore)});
  const Saved saved = save(by_code, {answered(1, "twin", kGood)});
  EXPECT_EQ(saved.matched_many, 1);
  EXPECT_EQ(saved.written_back, 3);
  EXPECT_EQ(save(by_code, {answered(2, "twin", kGood)}).matched_many, 1)
      << "many, although none changed";
}

TEST_P(WriteBack, KeepsCountForPeople) {
  save(score_of_order(), {answered(1, "2", kGood), answered(2, "99", kGood)});
  save(score_of_order(), {answered(3, "n/a", kGood), answered(4, "3", std::int64_t{100})});
  save(write({cell("code", "Data[OrderNumber]")}, {cell("remark", "Answers[1200].Text")}),
       {answered(5, "twin", kGood)});
  EXPECT_THAT(write_counts(database), ElementsAre(WriteCount{"customers", "orders", 4, 2, 1, 1}));
}

TEST_P(WriteBack, CountsNothingThatIsNotStored) {
  PullStore tables(database, mapping::customer(), {score_of_order()});
  const Lease lost{"walk:customers:all", "somebody", 1, {}};
  EXPECT_ANY_THROW(tables.save({answered(1, "2", kGood)}, walk_of_all(), lost));
  EXPECT_THAT(write_counts(database), IsEmpty());
}

TEST_P(WriteBack, MatchesBySeveralColumns) {
  const auto both = write({cell("id", "Data[OrderNumber]"), cell("code", "Answers[1200].Text")},
                          {cell("score", kScore)});
  EXPECT_EQ(save(both, {answered(1, "1", kGood)}).matched_none, 1);
  database.execute({"UPDATE orders SET code = 'fine' WHERE id = 2", {}});
  EXPECT_EQ(save(both, {answered(2, "2", kGood)}).written_back, 1);
}

TEST_P(WriteBack, BelievesTheLaterOfTwoRecordsOnOneRow) {
  save(score_of_order(), {answered(1, "1", std::int64_t{1}), answered(2, "1", std::int64_t{2})});
  EXPECT_EQ(column("score").at(0), Value{std::int64_t{2}});
}

TEST_P(WriteBack, LeavesOutAValueThatIsNoneOfTheColumn) {
  const auto text_as_score =
      write({cell("id", "Data[OrderNumber]")}, {cell("score", "Answers[1200].Text")});
  const Saved saved = save(text_as_score, {answered(1, "1", kGood)});
  EXPECT_EQ(saved.unfit, 1);
  EXPECT_EQ(saved.written_back, 0);
  EXPECT_EQ(saved.changed, 1);
}

TEST_P(WriteBack, LeavesOutTheRowThatTheDatabaseRefusesAndWritesTheOthers) {
  const Saved saved =
      save(score_of_order(), {answered(1, "1", kGood), answered(2, "2", std::int64_t{100}),
                              answered(3, "3", std::int64_t{5})});
  EXPECT_EQ(saved.unfit, 1) << "a check of the table says below 100";
  EXPECT_EQ(saved.written_back, 2);
  EXPECT_EQ(saved.changed, 3);
  EXPECT_THAT(column("score"), ElementsAre(Value{kGood}, Value{Null{}}, Value{std::int64_t{5}}));
}

// A single statement may set the new row before it clears the old one; single updates need not.
TEST_P(WriteBack, HandsAUniqueValueFromRowToRow) {
  database.execute({"CREATE UNIQUE INDEX one_score ON orders (score)", {}});
  if (database.dialect() == Dialect::postgresql) {  // so that the table's order decides
    database.execute({"SET enable_nestloop = off", {}});
    database.execute({"SET enable_mergejoin = off", {}});
  }
  save(score_of_order(), {answered(1, "1", std::int64_t{1}), answered(2, "2", std::int64_t{2}),
                          answered(3, "3", std::int64_t{3})});
  const Saved saved =
      save(score_of_order(), {answered(1, "1", std::int64_t{4}), answered(2, "2", std::int64_t{1}),
                              answered(3, "3", std::int64_t{2})});
  EXPECT_EQ(saved.written_back, 3);
  const Saved back =
      save(score_of_order(), {answered(3, "3", std::int64_t{5}), answered(2, "2", std::int64_t{2}),
                              answered(1, "1", std::int64_t{1})});
  EXPECT_EQ(back.written_back, 3);
  EXPECT_EQ(back.unfit, 0);
}

TEST_P(WriteBack, StopsWhenTheTableIsNoLongerThere) {
  PullStore tables(database, mapping::customer(), {score_of_order()});
  database.execute({"DROP TABLE orders", {}});
  const auto error = error_of([&] {
    tables.save({answered(1, "1", kGood)}, {"customers", "all", {}, {}, "x", {}, 0, 0, {}, ""},
                std::nullopt);
  });
  EXPECT_THAT(error.what(), testing::StartsWith("the write-back into orders: "));
  EXPECT_THAT(database.query({"SELECT * FROM survey_customer", {}}).rows, IsEmpty());
  EXPECT_EQ(tables.load("customers", "all").cursor, "");
}

TEST_P(WriteBack, FitsDatesBooleansAndDecimals) {
  Record customer = answered(1, "1", kGood);
  customer.set("OptedOut", true);
  customer.set("DateInvited", Instant{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}} +
                                  std::chrono::hours{23} + std::chrono::microseconds{5});
  const auto all = write({cell("id", "Data[OrderNumber]")},
                         {cell("done", "OptedOut"), cell("day", "DateInvited"),
                          cell("at", "DateInvited"), cell("amount", kScore)});
  EXPECT_EQ(save(all, {customer}, "Europe/Amsterdam").written_back, 1);
  customer.set("UserAgent", std::string{"x"});
  EXPECT_EQ(save(all, {customer}, "Europe/Amsterdam").written_back, 0);
  const bool number = speaks_mysql(GetParam());  // MariaDB's boolean is a number
  EXPECT_EQ(column("done").at(0), number ? Value{std::int64_t{1}} : Value{true});
  const auto midnight = std::chrono::local_days{std::chrono::year{2026} / 11 / 2};
  EXPECT_EQ(column("day").at(0), Value{mapping::LocalTime{midnight}});
  const Instant at{std::chrono::sys_days{midnight.time_since_epoch()} - std::chrono::hours{1}};
  if (number) {
    EXPECT_EQ(column("at").at(0), Value{at}) << "a TIMESTAMP of MariaDB";
  }
}

TEST_P(WriteBack, NamesWhatIsWrongAllAtOnce) {
  EXPECT_THAT(problems(write({cell("idd", "Data[OrderNumber]")},
                             {cell("score", "Answers[1200].Txt"), cell("day", "OptedOut")})),
              ElementsAre(AllOf(HasSubstr("bridge.toml:7:3: pull.customers.write.match.idd"),
                                HasSubstr("no column \"idd\" (did you mean \"id\"?)")),
                          AllOf(HasSubstr("pull.customers.write.set.score"), HasSubstr("Txt")),
                          AllOf(HasSubstr("pull.customers.write.set.day"),
                                HasSubstr("\"OptedOut\" is boolean"))));
}

TEST_P(WriteBack, TakesNoColumnToEmptyThatMustHoldSomething) {
  run_statement(database, R"(CREATE TABLE strict (id integer PRIMARY KEY, score smallint NOT NULL,)"
                          R"( remark varchar(10), "order" integer NOT NULL DEFAULT 0))");
  auto strict =
      write({cell("order", "Data[OrderNumber]")},
            {cell("id", "Id"), cell("score", kScore), cell("remark", "UserAgent")}, "strict");
  EXPECT_THAT(problems(strict), IsEmpty()) << "nobody asked to empty it";
  strict.forget = config::Write::Forget::empties;
  EXPECT_THAT(problems(strict),
              ElementsAre(HasSubstr("pull.customers.write.set.id: forget = true"),
                          "bridge.toml:7:3: pull.customers.write.set.score: forget = true empties"
                          " it, but the column is NOT NULL"));
  strict.set = {cell("remark", "UserAgent")};
  EXPECT_THAT(problems(strict), IsEmpty());
}

TEST_P(WriteBack, RefusesAColumnThatTheDatabaseComputesAndMayMatchIt) {
  run_statement(database,
                "CREATE TABLE computed (id integer PRIMARY KEY, score smallint,"
                " twice integer GENERATED ALWAYS AS (score * 2) STORED)");
  const auto id = cell("id", "Data[OrderNumber]"), twice = cell("twice", "Data[OrderNumber]");
  EXPECT_THAT(problems(write({id}, {cell("twice", kScore)}, "computed")),
              ElementsAre(HasSubstr("pull.customers.write")));
  EXPECT_THAT(problems(write({twice}, {cell("score", kScore)}, "computed")), IsEmpty());
}

TEST_P(WriteBack, NamesATableThatIsNotThere) {
  EXPECT_THAT(problems(write({cell("id", "Id")}, {cell("score", kScore)}, "ordes")),
              ElementsAre(AllOf(HasSubstr("bridge.toml:6:1"), HasSubstr("\"ordes\""))));
  EXPECT_THAT(problems(write({cell("id", "Id")}, {cell("score", kScore)}, "")),
              ElementsAre(HasSubstr("needs a table")));
  EXPECT_THAT(problems(write({cell("id", "Id")}, {cell("score", kScore)}, "or\"d; DROP.x")),
              testing::SizeIs(1));
}

TEST_P(WriteBack, RefusesToWriteWithoutAMatchOrIntoTheBridgesOwnTables) {
  EXPECT_THAT(problems(write({}, {cell("score", kScore)})), ElementsAre(HasSubstr("match")));
  EXPECT_THAT(problems(write({cell("id", "Id")}, {})), ElementsAre(HasSubstr("nothing to set")));
  EXPECT_THAT(problems(write({cell("key", "Id")}, {cell("state", "Email")}, "survey_push")),
              ElementsAre(HasSubstr("the bridge's own")));
}

TEST_P(WriteBack, LeavesTheBridgesTablesAloneInAnyCaseAndNoOthers) {
  EXPECT_THAT(problems(write({cell("id", "Id")}, {cell("email", "Email")}, "main.SURVEY_Customer")),
              ElementsAre(HasSubstr("the bridge's own")));
  database.execute({"CREATE TABLE survey_scores (id integer, score smallint)", {}});
  EXPECT_THAT(problems(write({cell("id", "Id")}, {cell("score", kScore)}, "survey_scores")),
              IsEmpty());
}

TEST_P(WriteBack, FindsATableInItsSchema) {
  const char* of_server =
      speaks_mysql(GetParam()) ? "SELECT DATABASE()" : "SELECT current_schema()";
  const bool sqlite = GetParam() == Server::sqlite;
  const auto schema = cells_in(database, sqlite ? "SELECT 'main'" : of_server);
  const std::string table = std::get<std::string>(schema.at(0)) + ".orders";
  const auto named = write({cell("id", "Data[OrderNumber]")}, {cell("score", kScore)}, table);
  EXPECT_EQ(save(named, {answered(1, "1", kGood)}).written_back, 1);
}

TEST_P(WriteBack, ChecksWithoutLeavingATrace) {
  EXPECT_THAT(problems(score_of_order()), IsEmpty());
  EXPECT_THROW(PullStore(database, mapping::customer(),
                         {write({cell("no", "Id")}, {cell("score", kScore)})}),
               std::invalid_argument);
  EXPECT_THAT(column("score"), ElementsAre(Value{Null{}}, Value{Null{}}, Value{Null{}}));
  EXPECT_NO_THROW(database.begin()) << "no transaction was left open";
  database.rollback();
}

TEST_P(WriteBack, WritesTwoTablesFromOnePage) {
  const auto spoken = [&](const char* sql) { return in_dialect(database.dialect(), sql); };
  database.execute(
      {spoken(R"(CREATE TABLE "Odd Name" ("the key" integer, "order" varchar(50)))"), {}});
  database.execute({spoken(R"(INSERT INTO "Odd Name" VALUES (9, NULL))"), {}});
  const auto odd =
      write({cell("the key", "Id")}, {cell("order", "Answers[1200].Text")}, "Odd Name");
  PullStore tables(database, mapping::customer(), {score_of_order(), odd});
  const Saved saved = tables.save({answered(9, "1", kGood)}, walk_of_all(), std::nullopt);
  EXPECT_EQ(saved.written_back, 2);
}

INSTANTIATE_TEST_SUITE_P(Databases, WriteBack, every_database(), server_name);

// The push has the text of whatever a cell holds.
class WriteBackOfSqlite : public WriteBack {};

TEST_P(WriteBackOfSqlite, FindsTheIntegerOfAColumnWithoutAType) {
  run_statement(database, "CREATE TABLE loose (id, score smallint)");
  run_statement(database, "INSERT INTO loose VALUES (7, NULL), ('8', NULL), ('007', NULL)");
  const auto loose = write({cell("id", "Data[OrderNumber]")}, {cell("score", kScore)}, "loose");
  EXPECT_EQ(save(loose, {answered(1, "7", kGood), answered(2, "8", kGood)}).written_back, 2);
  EXPECT_EQ(number_in(database, "SELECT COUNT(*) FROM loose WHERE id IN (7, '8') AND score = 4"),
            2);
  EXPECT_EQ(save(loose, {answered(3, "7.0", kGood)}).matched_none, 1);
}

INSTANTIATE_TEST_SUITE_P(Databases, WriteBackOfSqlite, testing::Values(Server::sqlite),
                         server_name);

// A row that cannot be found again is taken back, or each try makes one more.
class WriteBackOfMysql : public WriteBack {};

TEST_P(WriteBackOfMysql, MakesNoRowWhereItCannotBeTakenBack) {
  run_statement(database, "CREATE TABLE feedback (code varchar(20), score smallint) ENGINE=MyISAM");
  auto made = write({cell("code", "Data[OrderNumber]")}, {cell("score", kScore)}, "feedback");
  EXPECT_THAT(problems(made), IsEmpty());
  made.insert = true;
  EXPECT_THAT(problems(made), ElementsAre(AllOf(HasSubstr("pull.customers.write.insert: "),
                                                HasSubstr("\"feedback\""), HasSubstr("MyISAM"))));
  run_statement(database, "ALTER TABLE feedback ENGINE=InnoDB");
  EXPECT_THAT(problems(made), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Databases, WriteBackOfMysql, every_mysql(), server_name);

class WriteBackOfPostgresql : public WriteBack {};

// A query returns at most 100,000 rows.
TEST_P(WriteBackOfPostgresql, ChangesMoreRowsThanAQueryReturns) {
  run_statement(
      database,
      "INSERT INTO orders (id, code) SELECT i, 'many' FROM generate_series(11, 100011) AS i");
  const auto compiled =
      compile(database, mapping::customer(),
              write({cell("code", "Data[OrderNumber]")}, {cell("score", kScore)}), "UTC");
  ASSERT_TRUE(std::holds_alternative<CompiledWrite>(compiled));
  const auto& by_code = std::get<CompiledWrite>(compiled);
  const auto rows = rows_for(by_code, {answered(1, "many", kGood)}).rows;
  ASSERT_EQ(rows.size(), 1u);
  Transaction transaction(database);
  const Written written = write_back(database, by_code, rows);
  transaction.commit();
  EXPECT_EQ(written.changed, 100'001);
  EXPECT_EQ(written.matched_many, 1);
  EXPECT_THAT(written.missing, IsEmpty());
  EXPECT_EQ(number_in(database, "SELECT COUNT(*) FROM orders WHERE score = 4"), 100'001);
}

// PostgreSQL would check such a constraint only at the COMMIT.
TEST_P(WriteBackOfPostgresql, LeavesOutTheRowThatADeferredConstraintRefuses) {
  run_statement(database,
                "ALTER TABLE orders ADD CONSTRAINT one_score UNIQUE (score) DEFERRABLE"
                " INITIALLY DEFERRED");
  const Saved saved =
      save(score_of_order(), {answered(1, "1", kGood), answered(2, "2", std::int64_t{5}),
                              answered(3, "3", std::int64_t{5})});
  EXPECT_EQ(saved.changed, 3);
  EXPECT_EQ(saved.written_back, 2);
  EXPECT_EQ(saved.unfit, 1);
}

TEST_P(WriteBackOfPostgresql, NamesTheRightThatANewRowLacks) {
  const auto as_admin = [&](const std::string& sql) { database.execute({sql, {}}); };
  as_admin("CREATE TABLE feedback (id serial PRIMARY KEY, code varchar(20), score smallint)");
  as_admin("DROP ROLE IF EXISTS writes_back");
  as_admin("CREATE ROLE writes_back");
  Database& session = open();
  session.execute({"SET ROLE writes_back", {}});
  auto made = write({cell("code", "Data[OrderNumber]")}, {cell("score", kScore)}, "feedback");
  made.insert = true;
  made.forget = config::Write::Forget::deletes;
  const auto found = [&] {
    std::string text;
    for (const auto& problem : check_writes(session, mapping::customer(), {made}))
      text += problem.rule;
    return text;
  };
  const std::string right = R"(types: GRANT SELECT, UPDATE, INSERT, DELETE ON "feedback" TO )";
  EXPECT_THAT(found(), EndsWith(right + "writes_back"));
  as_admin("GRANT SELECT, UPDATE ON feedback TO writes_back");
  EXPECT_THAT(found(), EndsWith(right + "writes_back"));
  as_admin("GRANT DELETE ON feedback TO writes_back");
  EXPECT_THAT(found(), EndsWith("types: GRANT USAGE ON SEQUENCE public.feedback_id_seq TO "
                                "writes_back"));
  as_admin("GRANT USAGE ON SEQUENCE feedback_id_seq TO writes_back");
  EXPECT_THAT(found(), EndsWith(right + "writes_back"));
  as_admin("GRANT INSERT ON feedback TO writes_back");
  EXPECT_EQ(found(), "");
  as_admin("DROP OWNED BY writes_back");
  as_admin("DROP ROLE writes_back");
}

INSTANTIATE_TEST_SUITE_P(Databases, WriteBackOfPostgresql, every_postgresql(), server_name);

}  // namespace
}  // namespace surveybridge::crm
