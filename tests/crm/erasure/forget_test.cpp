// Erasing a person, on every database.
#include "connectors/crm/erasure/forget.hpp"

#include <set>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "mapping/codec/codec.hpp"
#include "tests/crm/ledgers.hpp"
#include "tests/support/forwarding_database.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;

class ForgetTests : public Ledgers {
 protected:
  static Record customer(std::int64_t id, const std::string& email) {
    Record record(mapping::customer());
    record.set("Id", id);
    record.set("Email", email);
    Record answer(*mapping::customer().find("Answers")->of);
    answer.set("Text", email + " said it was good");
    record.at("Answers").records.push_back(answer);
    return record;
  }
  static Record rating(std::int64_t id, const std::string& name, const std::string& value) {
    Record record(mapping::rating());
    record.set("Id", id);
    record.at("Data").records.emplace_back(*mapping::rating().find("Data")->of);
    record.at("Data").records.back().set("DisplayName", name);
    record.at("Data").records.back().set("Value", value);
    return record;
  }
  static Record bouncer(const std::string& email) {
    Record record(mapping::bouncer());
    record.set("Email", email);
    return record;
  }
  void save(const mapping::Resource& root, const std::vector<Record>& records) {
    PullStore pulled(database, root, {});
    pulled.save(records, pulled.load("list", root.name.data()), std::nullopt);
  }
  std::int64_t rows(const std::string& from) {
    return number_in(database, "SELECT COUNT(*) FROM " + from);
  }
  Erased forget_ann(const std::vector<Emptying>& writes = {}) {
    return forget(database, database, "ann", "ann@example.test", {"OrderNumber"}, writes);
  }
  Found find_ann(const std::vector<Emptying>& writes = {}) {
    return find_person(database, database, "ann", "ann@example.test", {"OrderNumber"}, writes);
  }
  void expect_no_words_of_ann() {
    for (const char* where :
         {"survey_push WHERE LOWER(email) LIKE '%ann@%' OR LOWER(reason) LIKE '%ann@%'",
          "survey_push_event WHERE LOWER(detail) LIKE '%ann@%'",
          "survey_batch WHERE LOWER(detail) LIKE '%ann@%'"})
      EXPECT_EQ(rows(where), 0) << where;
  }
};

TEST_P(ForgetTests, LeaveNothingButTheHash) {
  ledger.claim({"b1", "orders", "one"},
               {{"1", "Ann@example.test", kDate, "ann"}, {"2", "bob@example.test", kDate, "b"}});
  ledger.settle("orders", "b1", {Outcome::refused, 400, "ANN@example.test is odd"},
                {{"1", State::quarantined, "refused: ann@EXAMPLE.test is odd"}});
  save(mapping::customer(), {customer(7, "ann@Example.test"), customer(8, "bob@example.test")});
  save(mapping::bouncer(), {bouncer("ann@example.test"), bouncer("bob@example.test")});
  save(mapping::rating(),
       {rating(1, "OrderNumber", "1"), rating(2, "OrderNumber", "2"), rating(3, "Grade", "1")});

  const Erased erased = forget(database, database, "ann", "ann@example.test", {"ordernumber"});
  EXPECT_EQ(erased.customers, 1);
  EXPECT_EQ(erased.bouncers, 1);
  EXPECT_EQ(erased.ratings, 1);
  EXPECT_EQ(erased.transactions, 1);
  EXPECT_EQ(rows("survey_customer"), 1);
  EXPECT_EQ(rows("survey_answer"), 1);
  EXPECT_EQ(rows("survey_rating_data"), 2);
  EXPECT_EQ(rows("survey_customer WHERE LOWER(email) LIKE '%ann@%'"), 0);
  expect_no_words_of_ann();
  EXPECT_EQ(rows("survey_push WHERE email = 'bob@example.test'"), 1);
  EXPECT_EQ(state_of("1"), State::quarantined);
  EXPECT_EQ(People(database).forgotten({"ann", "b"}).size(), 1u);
}

TEST_P(ForgetTests, NoteWhoDecidedIt) {
  ledger.claim({"b1", "orders", "one"},
               {{"1", "ann@example.test", kDate, "ann"}, {"2", "bob@example.test", kDate, "bob"}});
  ledger.settle("orders", "b1", {Outcome::accepted, 200, ""},
                {{"1", State::sent, ""}, {"2", State::sent, ""}});
  forget(database, database, "ann", "ann@example.test", {}, {}, "carl on pts/1");
  EXPECT_EQ(ledger.history("orders", "1").back().detail,
            "the person is forgotten, decided by carl on pts/1");
  EXPECT_EQ(ledger.history("orders", "1").back().state, State::sent);
  EXPECT_EQ(ledger.history("orders", "2").back().detail, "");
  EXPECT_EQ(rows("survey_person WHERE kind = 'forgotten' AND ref = 'forget by carl on pts/1'"), 1);
  const std::string fact = "survey_person WHERE kind = 'forgotten' AND at = '2026-01-01 10:00:00'";
  database.execute({"UPDATE survey_person SET at = '2026-01-01 10:00:00'", {}});
  forget(database, database, "ann", "ann@example.test", {}, {}, "dora");
  EXPECT_EQ(rows("survey_person WHERE kind = 'forgotten'"), 1) << "the first time stays";
  EXPECT_EQ(rows(fact), 1);
  EXPECT_EQ(ledger.history("orders", "1").back().detail,
            "the person is forgotten, decided by dora");
  forget(database, database, "bob", "bob@example.test", {}, {}, std::string(500, 'x'));
  EXPECT_EQ(People(database).forgotten({"ann", "bob"}).size(), 2u);
}

TEST_P(ForgetTests, SayWhatMayHaveLeftBefore) {
  ledger.claim({"b1", "orders", "one"}, {{"1", "ann@example.test", kDate, "ann"},
                                         {"2", "ann@example.test", kDate, "ann"},
                                         {"3", "ann@example.test", kDate, "ann"},
                                         {"4", "bob@example.test", kDate, "bob"}});
  ledger.settle("orders", "b1", {Outcome::unknown, 0, "no answer"},
                {{"1", State::sent, ""}, {"2", State::in_doubt, "no answer"}});
  const Erased erased = forget_ann();
  EXPECT_EQ(erased.transactions, 3);
  EXPECT_EQ(erased.under_way, 2) << "one in doubt, one claimed";
}

TEST_P(ForgetTests, AreNotUndoneByAnAnswerThatComesLater) {
  ledger.claim({"b1", "orders", "one"}, {{"1", "ann@example.test", kDate, "ann"}});
  EXPECT_EQ(forget_ann().under_way, 1);
  ledger.settle("orders", "b1", {Outcome::refused, 400, "ann@example.test is odd"},
                {{"1", State::quarantined, "refused: ann@example.test is odd"}});
  expect_no_words_of_ann();
}

TEST_P(ForgetTests, KeepThePersonOutOfAClaimThatWasRuledOnBefore) {
  People people(database);
  ASSERT_TRUE(people.contact_histories({"ann"}).empty());  // may be mailed
  forget_ann();
  EXPECT_TRUE(
      ledger.claim({"b1", "orders", "one"}, {{"1", "ann@example.test", kDate, "ann"}}).empty());
  EXPECT_EQ(rows("survey_push WHERE email IS NOT NULL"), 0);
}

TEST_P(ForgetTests, FindAnAddressWhateverItsLetters) {
  save(mapping::customer(), {customer(1, "JOS\u00c9@example.test")});
  EXPECT_EQ(forget(database, database, "jose", "JOS\u00c9@example.test", {}).customers, 1);
}

// By MariaDB's usual collations "ä" is "a", "X" is "x", and a blank at the end is nothing.
TEST_P(ForgetTests, LeaveAPersonWhoseAddressOrKeyIsOnlySimilar) {
  ledger.claim({"b1", "orders", "one"}, {{"x-1", "ann@example.test", kDate, "ann"},
                                         {"X-1", "\u00e4nn@example.test", kDate, "aenn"},
                                         {"x-1 ", "bob@example.test", kDate, "bob"}});
  save(mapping::customer(),
       {customer(1, "ann@example.test"), customer(2, "\u00e4nn@example.test")});
  save(mapping::bouncer(), {bouncer("ann@example.test"), bouncer("\u00e4nn@example.test")});
  save(mapping::rating(), {rating(1, "OrderNumber", "x-1"), rating(2, "OrderNumber", "X-1"),
                           rating(3, "OrderNumber", "x-1 ")});
  const Erased erased = forget_ann();
  EXPECT_EQ(erased.customers, 1);
  EXPECT_EQ(erased.bouncers, 1);
  EXPECT_EQ(erased.ratings, 1);
  EXPECT_EQ(rows("survey_customer WHERE id = 2"), 1);
  EXPECT_EQ(rows("survey_rating WHERE id IN (2, 3)"), 2);
  EXPECT_EQ(rows("survey_push WHERE email IS NULL"), 1);
}

// A result has at most 100,000 rows.
class ForgetAmongMany : public ForgetTests {
 protected:
  ForgetAmongMany() { count_far(store); }
  Database& store = open();
};
INSTANTIATE_TEST_SUITE_P(Databases, ForgetAmongMany, every_driver(), server_name);

// By the patterns that the database is asked for they are all like the person's.
TEST_P(ForgetAmongMany, FindThePerson) {
  run_statement(store,
                "INSERT INTO survey_customer (id, email, digest, changed_at) WITH RECURSIVE n(i) AS"
                " (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001) SELECT i,"
                " 'amymail@example.test', '', CURRENT_TIMESTAMP FROM n");
  save(mapping::customer(), {customer(200'000, "mail@example.test")});
  ledger.set_aside("orders", State::quarantined, {{"1", "no mail for mail@example.test"}});
  const Erased erased = forget(store, store, "hash", "mail@example.test", {});
  EXPECT_EQ(erased.customers, 1);
  EXPECT_GE(erased.texts, 1);
  EXPECT_TRUE(erased.is_forgotten);
  EXPECT_EQ(rows("survey_customer"), 100'001);
  EXPECT_EQ(rows("survey_push WHERE reason LIKE '%mail%'"), 0);
}

// A grade may be the same text as a key.
TEST_P(ForgetAmongMany, FindTheRating) {
  run_statement(store,
                R"(INSERT INTO "survey_rating_data" ("rating_id", "position", "display_name",)"
                R"( "value") WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                R"( WHERE i < 100001) SELECT i, 0, 'Grade', '1' FROM n)");
  save(mapping::rating(),
       {rating(200'000, "Order Number", "1"), rating(200'001, "OrderNumber", "2"),
        rating(200'002, "ORDERNUMBER", "1")});
  ledger.claim({"b1", "orders", "one"}, {{"1", "ann@example.test", kDate, "ann"}});
  const Erased erased = forget(store, store, "ann", "ann@example.test", {"OrderNumber"});
  EXPECT_EQ(erased.ratings, 1);
  EXPECT_EQ(rows("survey_rating WHERE id IN (200000, 200001)"), 2);
  EXPECT_EQ(rows("survey_rating_data WHERE display_name = 'Grade'"), 100'001);
}

TEST_P(ForgetTests, LeaveTheWordsAboutAnAddressThatOnlyLooksAlike) {
  ledger.claim({"b1", "orders", "one"}, {{"1", "a", kDate, "p1"}});
  ledger.settle("orders", "b1", {Outcome::refused, 400, "axb@example.test is odd"},
                {{"1", State::quarantined, "axb@example.test is odd"}});
  forget(database, database, "p2", "a_b@example.test", {});
  EXPECT_EQ(rows("survey_push WHERE reason LIKE 'axb%'"), 1);
}

// What stands beside the address may be about others.
TEST_P(ForgetTests, FindOnlyTheAddressInTextsThatAreNotThePersons) {
  Record bob = customer(8, "bob@example.test");
  bob.at("Answers").records[0].set("Text", "Ann@example.test was late: I am ill");
  save(mapping::customer(), {bob});
  ledger.claim({"b1", "orders", "one"},
               {{"1", "ann@example.test", kDate, "ann"}, {"2", "bob@example.test", kDate, "b"}});
  ledger.settle("orders", "b1",
                {Outcome::refused, 400, "ann@example.test and bob@example.test are odd"},
                {{"1", State::quarantined, "refused"}});
  std::set<std::string> tables;
  const Found found = find_ann();
  for (const auto& [table, rows] : found.store) {
    tables.insert(table);
    for (const auto& cells : rows)
      for (const auto& [column, value] : cells)
        if (const auto* text = std::get_if<std::string>(&value)) {
          EXPECT_EQ(text->find("ill"), std::string::npos) << table << "." << column;
          EXPECT_EQ(text->find("bob"), std::string::npos) << table << "." << column;
        }
  }
  EXPECT_TRUE(tables.contains("survey_answer"));
  EXPECT_TRUE(tables.contains("survey_batch"));
}

// A CRM table with write-backs: the score of an order by its number.
class ForgetWrites : public ForgetTests {
 protected:
  ForgetWrites() {
    run_statement(database,
                  "CREATE TABLE orders (id integer PRIMARY KEY, remark varchar(99),"
                  " survey_status varchar(20), note varchar(20), CHECK (survey_status IS NOT"
                  " NULL OR note IS NULL))");
    for (const char* id : {"1", "2", "3"})
      run_statement(database,
                    std::string("INSERT INTO orders (id, remark) VALUES (") + id + ", 'x')");
  }
  static config::Write write(const mapping::Resource& root) {
    const bool of_rating = &root == &mapping::rating();
    config::Write made{{"bridge.toml", 6, 1},
                       "orders",
                       {{"id", "Data[OrderNumber]", {}}},
                       {{"survey_status", of_rating ? "Reactions[0].UserName" : "Language", {}}}};
    made.forget = config::Write::Forget::empties;
    return made;
  }
  Emptying emptying(const mapping::Resource& root) {
    return {&root, std::get<CompiledWrite>(compile(database, root, write(root), "UTC")),
            "pull.x.write"};
  }
  static Record of_order(Record record, const std::string& order) {
    auto& data = record.at("Data").records;
    data.assign(1, Record(*record.resource->find("Data")->of));
    const bool of_rating = record.resource == &mapping::rating();
    data[0].set(of_rating ? "DisplayName" : "Name", "OrderNumber");
    data[0].set("Value", order);
    if (!of_rating) record.set("Language", "nl-" + order);
    return record;
  }
  void save(const mapping::Resource& root, const std::vector<Record>& records) {
    PullStore pulled(database, root, {write(root)});
    pulled.save(records, pulled.load("list", root.name.data()), std::nullopt);
  }
  std::vector<Value> statuses() {
    return cells_in(database, "SELECT survey_status FROM orders ORDER BY id");
  }
};

TEST_P(ForgetWrites, EmptyWhatTheyPutIntoTheCrmAndNothingElse) {
  save(mapping::customer(), {of_order(customer(7, "Ann@example.test"), "1"),
                             of_order(customer(8, "ann@example.test"), "3"),
                             of_order(customer(9, "bob@example.test"), "2")});
  EXPECT_EQ(statuses(), (std::vector<Value>{"nl-1", "nl-2", "nl-3"}));
  const Erased erased = forget_ann({emptying(mapping::customer()), emptying(mapping::bouncer())});
  EXPECT_EQ(erased.customers, 2);
  ASSERT_EQ(erased.emptied.size(), 2u);
  EXPECT_EQ(erased.emptied[0].table, "orders");
  EXPECT_EQ(erased.emptied[0].rows, 2);
  EXPECT_EQ(erased.emptied[1].rows, 0);
  EXPECT_EQ(statuses(), (std::vector<Value>{mapping::Null{}, "nl-2", mapping::Null{}}));
  EXPECT_EQ(rows("orders WHERE remark = 'x'"), 3);
}

// Nothing would empty it again, and its key may hold the address.
TEST_P(ForgetWrites, MakeNoRowWhereTheCrmHasRemovedTheirs) {
  save(mapping::customer(), {of_order(customer(7, "ann@example.test"), "1")});
  database.execute({"DELETE FROM orders WHERE id = 1", {}});
  Emptying made = emptying(mapping::customer());
  made.write.insert = true;
  EXPECT_EQ(forget_ann({made}).not_found.at("orders"), 1) << "it may stand under another number";
  EXPECT_EQ(rows("orders"), 2);
  EXPECT_EQ(rows("survey_customer"), 0);
}

TEST_P(ForgetWrites, EmptyExactlyTheCellsThatAreFoundOfThePerson) {
  save(mapping::customer(), {of_order(customer(7, "Ann@example.test"), "1"),
                             of_order(customer(8, "ann@example.test"), "3"),
                             of_order(customer(9, "bob@example.test"), "2")});
  const std::vector<Emptying> all = {emptying(mapping::customer()), emptying(mapping::bouncer())};
  const auto found = find_ann(all);
  EXPECT_EQ(statuses(), (std::vector<Value>{"nl-1", "nl-2", "nl-3"}));
  ASSERT_EQ(found.crm.size(), 1u) << "the bouncers have written nothing";
  EXPECT_EQ(found.crm[0].table, "orders");
  std::set<std::string> cells;
  for (const auto& row : found.crm[0].rows) {
    ASSERT_EQ(row.size(), 2u);
    EXPECT_EQ(row[0].first, "id");
    EXPECT_EQ(row[1].first, "survey_status");
    cells.insert(mapping::text_of(row[1].second));
  }
  EXPECT_EQ(cells, (std::set<std::string>{"nl-1", "nl-3"}));
  forget_ann(all);
  EXPECT_TRUE(find_ann(all).crm.empty());
  EXPECT_EQ(statuses(), (std::vector<Value>{mapping::Null{}, "nl-2", mapping::Null{}}));
}

// Several people of a company mean one row of the CRM.
TEST_P(ForgetWrites, LeaveWhatAnotherPersonsRecordHasWritten) {
  save(mapping::customer(), {of_order(customer(7, "ann@example.test"), "1")});
  save(mapping::customer(), {of_order(customer(9, "bob@example.test"), "1")});
  const std::vector<Emptying> all = {emptying(mapping::customer())};
  EXPECT_TRUE(find_ann(all).crm.empty());
  EXPECT_EQ(forget_ann(all).emptied[0].rows, 0);
  EXPECT_EQ(statuses()[0], Value{"nl-1"});
}

TEST_P(ForgetWrites, LeaveWhatTheCrmHasWhereTheyHaveWrittenNothing) {
  database.execute({"UPDATE orders SET survey_status = 'staff' WHERE id = 1", {}});
  Record silent = of_order(customer(7, "ann@example.test"), "1");
  silent.set("Language", mapping::Null{});
  save(mapping::customer(), {silent});
  const std::vector<Emptying> all = {emptying(mapping::customer())};
  EXPECT_TRUE(find_ann(all).crm.empty());
  forget_ann(all);
  EXPECT_EQ(statuses()[0], Value{"staff"});
}

// The service has mended the number of an order; and a write that the configuration has no longer.
TEST_P(ForgetWrites, SayWhichRowsTheyDoNotFindAnyMore) {
  save(mapping::customer(), {of_order(customer(7, "ann@example.test"), "1")});
  save(mapping::customer(), {of_order(customer(7, "ann@example.test"), "2")});
  save(mapping::bouncer(), {of_order(bouncer("ann@example.test"), "3")});
  const Erased erased = forget_ann({emptying(mapping::customer())});
  EXPECT_EQ(erased.emptied[0].rows, 1);
  EXPECT_EQ(erased.not_found, (std::map<std::string, std::int64_t>{{"orders", 2}}));
  EXPECT_TRUE(forget_ann({emptying(mapping::customer())}).not_found.empty());
}

TEST_P(ForgetWrites, EmptyWhatABounceOrARatingPutThere) {
  ledger.claim({"b1", "orders", "one"}, {{"3", "ann@example.test", kDate, "ann"}});
  Record rated = of_order(rating(1, "", ""), "3");
  rated.at("Reactions").records.emplace_back(*mapping::rating().find("Reactions")->of);
  rated.at("Reactions").records.back().set("UserName", "Ann");
  save(mapping::bouncer(), {of_order(bouncer("ann@example.test"), "1")});
  save(mapping::rating(), {rated});
  EXPECT_EQ(statuses(), (std::vector<Value>{"nl-1", mapping::Null{}, "Ann"}));
  const Erased erased = forget_ann({emptying(mapping::bouncer()), emptying(mapping::rating())});
  EXPECT_EQ(erased.bouncers + erased.ratings, 2);
  EXPECT_EQ(statuses(), std::vector<Value>(3));
}

// As a page does that shows a forgotten person: `forget` finds by the record what it empties.
TEST_P(ForgetWrites, AreEmptiedWithTheRecordThatAPageErases) {
  save(mapping::customer(), {of_order(customer(7, "ann@example.test"), "1"),
                             of_order(customer(9, "bob@example.test"), "2")});
  erase_with_writes(database, database, mapping::customer(), {std::int64_t{7}},
                    {emptying(mapping::customer()), emptying(mapping::bouncer())});
  EXPECT_EQ(rows("survey_customer"), 1);
  EXPECT_EQ(rows("survey_answer"), 1);
  EXPECT_EQ(statuses(), (std::vector<Value>{mapping::Null{}, "nl-2", mapping::Null{}}));
}

// It comes from another node of a cluster, whose page nothing keeps waiting; the ledger knows its
// number before. What it wrote back is found by the record alone.
TEST_P(ForgetWrites, EraseNoRecordThatComesAfterTheyLookedForWhatItWrote) {
  ledger.claim({"b1", "orders", "one"}, {{"1", "ann@example.test", kDate, "ann"}});
  run_statement(database, R"(UPDATE "survey_push" SET "customer_id" = 7)");
  save(mapping::customer(), {of_order(customer(7, "ann@example.test"), "1")});
  run_statement(database, "UPDATE survey_customer SET id = 70, email = 'not yet'");
  const auto come = [&] {
    run_statement(database, "UPDATE survey_customer SET id = 7, email = 'ann@example.test'");
  };
  bool was_late = false;
  support::LookedAtDatabase during(database, [&](const std::string& sql) {
    const bool begins = sql.starts_with("UPDATE") && sql.find("survey_seal") < 9;
    if (was_late ? begins : sql.starts_with("DELETE")) come();
    was_late = was_late || sql.starts_with("DELETE");
  });
  const std::vector<Emptying> emptyings{emptying(mapping::customer())};
  EXPECT_THROW(erase_with_writes(during, during, mapping::customer(), {std::int64_t{7}}, emptyings),
               DatabaseError);
  was_late = false;
  const Erased erased = forget(during, during, "ann", "ann@example.test", {}, emptyings);
  EXPECT_EQ(erased.customers, 1);
  EXPECT_EQ(rows("survey_customer"), 0);
  EXPECT_EQ(statuses(), (std::vector<Value>(3, mapping::Null{})));
}

TEST_P(ForgetWrites, LeaveAllAsItWasWhenOneCannotBeEmptied) {
  save(mapping::bouncer(), {of_order(bouncer("ann@example.test"), "1")});
  save(mapping::customer(), {of_order(customer(7, "ann@example.test"), "1")});
  database.execute({"UPDATE orders SET note = 'needs its status' WHERE id = 1", {}});
  const auto error = error_of([&] { forget_ann({emptying(mapping::customer())}); });
  EXPECT_EQ(error.kind, DatabaseError::Kind::constraint);
  EXPECT_THAT(error.what(), testing::StartsWith("pull.x.write: cannot be emptied: "));
  EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("ann@")));
  EXPECT_THROW(erase_with_writes(database, database, mapping::customer(), {std::int64_t{7}},
                                 {emptying(mapping::customer())}),
               NotEmptied);
  EXPECT_EQ(rows("survey_customer"), 1);
  EXPECT_EQ(rows("survey_answer"), 1);
  EXPECT_EQ(rows("survey_bouncer"), 1);
  EXPECT_EQ(statuses()[0], Value{"nl-1"});
  EXPECT_TRUE(People(database).forgotten({"ann"}).empty());
}

INSTANTIATE_TEST_SUITE_P(Databases, ForgetWrites, every_database(), server_name);

// A write-back that makes tasks, and `forget` is to delete those.
class ForgetMade : public ForgetWrites {
 protected:
  ForgetMade() { make_table("tasks", "varchar(20)"); }
  void make_table(const std::string& name, const std::string& type_of_said) {
    const char* key = database.dialect() == Dialect::sqlite ? "integer PRIMARY KEY"
                      : database.dialect() == Dialect::postgresql
                          ? "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
                          : "bigint AUTO_INCREMENT PRIMARY KEY";
    run_statement(database, "CREATE TABLE " + name + " (id " + key +
                                ", order_id integer, kind varchar(20), said " + type_of_said +
                                ", done integer DEFAULT 0)");
  }
  static config::Write tasks() {
    config::Write made{{"bridge.toml", 6, 1},
                       "tasks",
                       {{"order_id", "Data[OrderNumber]", {}}, {"kind", "", {}}},
                       {{"said", "Language", {}}}};
    made.match[1].value = std::string("survey");
    made.insert = true;
    made.forget = config::Write::Forget::deletes;
    return made;
  }
  static std::vector<Emptying> emptyings(Database& crm) {
    const auto& root = mapping::customer();
    return {{&root, std::get<CompiledWrite>(compile(crm, root, tasks(), "UTC")), "pull.x.write"}};
  }
  void task_of(const std::string& order) {
    run_statement(database,
                  "INSERT INTO tasks (order_id, kind, said) VALUES (" + order + ", 'survey', 'x')");
  }
  void save(const std::vector<Record>& records) {
    PullStore pulled(database, mapping::customer(), {tasks()});
    pulled.save(records, pulled.load("customers", "x"), std::nullopt);
  }
  // The CRM has a task for order 2 already.
  void make_tasks() {
    task_of("2");
    save({of_order(customer(7, "ann@example.test"), "1"),
          of_order(customer(8, "ann@example.test"), "2"),
          of_order(customer(9, "bob@example.test"), "3")});
    ASSERT_EQ(rows("tasks"), 3);
    ASSERT_EQ(made_rows(), 2);
  }
  std::int64_t made_rows(const std::string& where = "1 = 1") {
    return rows("survey_written WHERE cell = '' AND " + where);
  }
  Erased forget_all(Database& crm) {
    return forget(database, crm, "ann", "ann@example.test", {"OrderNumber"}, emptyings(crm));
  }
};
INSTANTIATE_TEST_SUITE_P(Databases, ForgetMade, every_dialect(), server_name);

// To know its primary key, the account would need a right that only a deletion needs.
TEST_P(ForgetMade, RemembersNoRowThatIsNotToBeDeleted) {
  auto kept = tasks();
  kept.forget = config::Write::Forget::empties;
  PullStore pulled(database, mapping::customer(), {kept});
  pulled.save({of_order(customer(7, "ann@example.test"), "1")}, pulled.load("customers", "x"),
              std::nullopt);
  EXPECT_EQ(rows("tasks"), 1);
  EXPECT_EQ(made_rows(), 0);
}

TEST_P(ForgetMade, DeleteTheRowsThatWereMadeForThemAndEmptyTheOthers) {
  make_tasks();
  const Erased erased = forget_all(database);
  ASSERT_EQ(erased.emptied.size(), 1u);
  EXPECT_EQ(erased.emptied[0].deleted, 1);
  EXPECT_EQ(erased.emptied[0].rows, 1);
  EXPECT_EQ(rows("tasks WHERE order_id = 1"), 0);
  EXPECT_EQ(rows("tasks WHERE order_id = 2 AND kind = 'survey' AND said IS NULL"), 1)
      << "the CRM's own";
  EXPECT_EQ(rows("tasks WHERE order_id = 3 AND said = 'nl-3'"), 1) << "somebody else's";
  EXPECT_EQ(made_rows(), 1);
  const Erased again = forget_all(database);
  EXPECT_EQ(again.emptied[0].deleted + again.emptied[0].rows, 0);
  EXPECT_EQ(rows("tasks"), 2);
}

TEST_P(ForgetMade, FindWholeTheRowsThatTheyWouldDelete) {
  make_tasks();
  const Found found = find_ann(emptyings(database));
  EXPECT_EQ(rows("tasks"), 3);
  ASSERT_EQ(found.crm.size(), 1u);
  const auto& tasks = found.crm[0].rows;
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].size(), 5u) << "all columns of the one that goes";
  EXPECT_EQ(tasks[0][1], (std::pair<std::string, Value>{"order_id", std::int64_t{1}}));
  EXPECT_EQ(tasks[1].size(), 3u) << "match and cell of the one that stays";
  EXPECT_EQ(tasks[1][0], (std::pair<std::string, Value>{"order_id", std::int64_t{2}}));
  const auto notes = std::ranges::find(found.store, "survey_written", &FoundTable::table);
  ASSERT_NE(notes, found.store.end());
  EXPECT_EQ(notes->rows.size(), 3u) << "two cells, and a row that was made";
  forget_all(database);
  EXPECT_TRUE(find_ann(emptyings(database)).crm.empty());
}

TEST_P(ForgetMade, KeepARowThatTheCrmHasMadeInThePlaceOfOne) {
  make_tasks();
  database.execute({"DELETE FROM tasks WHERE order_id = 1", {}});
  task_of("1");
  const Erased erased = forget_all(database);
  EXPECT_EQ(erased.emptied[0].deleted, 0);
  EXPECT_EQ(rows("tasks WHERE order_id = 1 AND said IS NULL"), 1);
}

// Two records may mean one row; whoever came first has made it.
TEST_P(ForgetMade, DeleteARowOfTheirsThatAnothersRecordHasMade) {
  save({of_order(customer(7, "bob@example.test"), "1")});
  save({of_order(customer(8, "ann@example.test"), "1")});
  ASSERT_EQ(made_rows("record = '7'"), 1);
  EXPECT_EQ(forget_all(database).emptied[0].deleted, 1);
  EXPECT_EQ(rows("tasks"), 0);
  EXPECT_EQ(made_rows(), 0) << "a row that is made anew would count as this one";
}

TEST_P(ForgetMade, KeepARowThatAnothersRecordHasMadeAndTheyHaveNotWritten) {
  save({of_order(customer(7, "bob@example.test"), "1")});
  Record silent = of_order(customer(8, "ann@example.test"), "1");
  silent.set("Language", mapping::Null{});
  save({silent});
  EXPECT_TRUE(find_ann(emptyings(database)).crm.empty());
  EXPECT_EQ(forget_all(database).emptied[0].deleted, 0);
  EXPECT_EQ(rows("tasks WHERE said = 'nl-1'"), 1);
}

TEST_P(ForgetMade, AreDeletedWithTheRecordThatAPageErases) {
  make_tasks();
  erase_with_writes(database, database, mapping::customer(), {std::int64_t{7}, std::int64_t{8}},
                    emptyings(database));
  EXPECT_EQ(rows("tasks"), 2);
  EXPECT_EQ(rows("tasks WHERE order_id = 2 AND said IS NULL"), 1);
  EXPECT_EQ(made_rows(), 1);
}

// The CRM's transaction has ended, and the store's has not.
TEST_P(ForgetMade, GoOnWhereTheyWereInterrupted) {
  make_tasks();
  Database& crm = open();
  support::LookedAtDatabase interrupted(database, [&](const std::string&) {
    if (rows("tasks") < 3)
      throw DatabaseError(DatabaseError::Kind::connection, "the store is away");
  });
  EXPECT_THROW(forget(interrupted, crm, "ann", "ann@example.test", {"OrderNumber"}, emptyings(crm)),
               DatabaseError);
  EXPECT_EQ(rows("tasks"), 2);
  EXPECT_EQ(rows("survey_customer"), 3) << "nothing is erased yet";
  const Erased again = forget_all(crm);
  EXPECT_TRUE(again.is_forgotten);
  EXPECT_EQ(again.customers, 2);
  EXPECT_EQ(rows("tasks"), 2);
  EXPECT_EQ(made_rows(), 1);
}

TEST_P(ForgetMade, LeaveAllAsItWasWhereTheCrmKeepsARow) {
  make_tasks();
  const char* type = database.dialect() == Dialect::sqlite ? "integer" : "bigint";
  run_statement(database, std::string("CREATE TABLE replies (task ") + type +
                              ", FOREIGN KEY (task) REFERENCES tasks (id))");
  database.execute({"INSERT INTO replies SELECT id FROM tasks WHERE order_id = 1", {}});
  EXPECT_THROW(forget_all(database), NotEmptied);
  EXPECT_EQ(rows("tasks WHERE said IS NOT NULL"), 3);
  EXPECT_EQ(rows("survey_customer"), 3);
  database.execute({"DELETE FROM replies", {}});
  EXPECT_EQ(forget_all(database).emptied[0].deleted, 1);
}

TEST_P(ForgetMade, DeleteWhatRefersToARowBeforeTheRow) {
  const std::string columns = " (order_id integer PRIMARY KEY, kind varchar(20), said varchar(20)";
  database.execute({"CREATE TABLE cases" + columns + ")", {}});
  run_statement(database, "CREATE TABLE case_notes" + columns +
                              ", FOREIGN KEY (order_id) REFERENCES cases (order_id))");
  std::vector<config::Write> writes{tasks(), tasks()};
  writes[0].table = "cases";
  writes[1].table = "case_notes";
  PullStore pulled(database, mapping::customer(), writes);
  pulled.save({of_order(customer(7, "ann@example.test"), "1")}, pulled.load("customers", "x"),
              std::nullopt);
  std::vector<Emptying> both;
  for (const auto& write : writes)
    both.push_back({&mapping::customer(),
                    std::get<CompiledWrite>(compile(database, mapping::customer(), write, "UTC")),
                    write.table});
  ASSERT_EQ(rows("case_notes"), 1);
  const Erased erased = forget_ann(both);
  ASSERT_EQ(erased.emptied.size(), 2u);
  EXPECT_EQ(erased.emptied[0].table, "cases");
  EXPECT_EQ(erased.emptied[0].deleted, 1);
  EXPECT_EQ(erased.emptied[1].deleted, 1);
  EXPECT_EQ(rows("cases") + rows("case_notes"), 0);
}

TEST_P(ForgetMade, NeedAKeyByWhichARowIsKnownAgain) {
  run_statement(database,
                "CREATE TABLE keyless (order_id integer, kind varchar(20), said varchar(20))");
  auto keyless = tasks();
  keyless.table = "keyless";
  const auto problems = check_writes(database, mapping::customer(), {keyless});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(to_string(problems.front()),
            "bridge.toml:6:1: pull.customers.write.forget: \"delete\" needs a primary key of one "
            "column, an integer or a text, by which a row that was made is known again: the table "
            "\"keyless\" has none");
  EXPECT_TRUE(check_writes(database, mapping::customer(), {tasks()}).empty());
}

TEST_P(ForgetMade, DeleteARowOfWhichAColumnMustHoldSomething) {
  make_table("strict", "varchar(20) NOT NULL");
  auto strict = tasks();
  strict.table = "strict";
  std::vector<std::string> notes;
  EXPECT_TRUE(check_writes(database, mapping::customer(), {strict}, &notes).empty());
  EXPECT_THAT(
      notes,
      testing::ElementsAre(
          testing::HasSubstr("no row of strict is made without a value in said"),
          testing::HasSubstr("\"delete\" cannot empty said (NOT NULL) in a row of strict that")));
  database.execute({"INSERT INTO strict (order_id, kind, said) VALUES (2, 'survey', 'x')", {}});
  PullStore pulled(database, mapping::customer(), {strict});
  pulled.save({of_order(customer(7, "ann@example.test"), "1"),
               of_order(customer(8, "ann@example.test"), "2"),
               of_order(customer(9, "bob@example.test"), "3")},
              pulled.load("customers", "x"), std::nullopt);
  const auto compiled = compile(database, mapping::customer(), strict, "UTC");
  const std::vector<Emptying> all = {
      {&mapping::customer(), std::get<CompiledWrite>(compiled), "pull.x.write"}};
  const auto error = error_of([&] { forget_ann(all); });
  EXPECT_THAT(error.what(), testing::EndsWith("; the row was not made here: delete it in the CRM"));
  EXPECT_EQ(rows("strict"), 3);
  database.execute({"DELETE FROM strict WHERE order_id = 2", {}});
  EXPECT_EQ(forget_ann(all).emptied.at(0).deleted, 1);
  EXPECT_EQ(rows("strict WHERE said = 'nl-3'"), 1);
  EXPECT_EQ(rows("strict"), 1);
}

// As JSON, in which the CRM has members of its own.
TEST_P(ForgetWrites, TakeOnlyTheirKeysOutOfAnObject) {
  const std::string type = database.dialect() == Dialect::postgresql ? "jsonb"
                           : database.dialect() == Dialect::sqlite   ? "text"
                                                                     : "json";
  database.execute({"ALTER TABLE orders ADD COLUMN extra " + type, {}});
  const bool is_cast = type != "text" && database.dialect() != Dialect::mariadb;
  const std::string set =
      "UPDATE orders SET extra = " + (is_cast ? "CAST(:p1 AS " + type + ")" : ":p1");
  database.execute({set + " WHERE id < 3", {R"({"own":1})"}});
  database.execute({set + " WHERE id = 3", {"[1]"}});
  config::Write keyed = write(mapping::customer());
  keyed.set = {{"extra", "Language", {}}};
  keyed.set[0].key = "said";
  PullStore pulled(database, mapping::customer(), {keyed});
  pulled.save({of_order(customer(7, "ann@example.test"), "1"),
               of_order(customer(8, "ann@example.test"), "3"),
               of_order(customer(9, "bob@example.test"), "2")},
              pulled.load("customers", "x"), std::nullopt);
  const std::vector<Emptying> all = {
      {&mapping::customer(),
       std::get<CompiledWrite>(compile(database, mapping::customer(), keyed, "UTC")), "write"}};
  const Found found = find_ann(all);
  ASSERT_EQ(found.crm.size(), 1u);
  ASSERT_EQ(found.crm[0].rows.size(), 1u) << "the list holds nothing of them";
  EXPECT_EQ(found.crm[0].rows[0].at(1), (std::pair<std::string, Value>{"extra[said]", "nl-1"}));
  EXPECT_EQ(forget_ann(all).emptied[0].rows, 1);
  EXPECT_TRUE(find_ann(all).crm.empty());
  const auto extra = [&](const char* id) {
    return mapping::text_of(
        database.query({std::string("SELECT extra FROM orders WHERE id = ") + id, {}}).rows[0][0]);
  };
  EXPECT_EQ(mapping::read_member(extra("1"), "own"), Value{std::int64_t{1}});
  EXPECT_EQ(extra("1").find("said"), std::string::npos);
  EXPECT_EQ(mapping::read_member(extra("2"), "said"), Value{"nl-2"});
  EXPECT_EQ(extra("3"), "[1]");
}

TEST_P(ForgetTests, LeaveAStrangerWhereTheyAreToldTo) {
  const auto leave = [&](const std::string& person, const std::string& address) {
    return forget(database, database, person, address, {""}, {}, "carl", Unknown::leave);
  };
  const Erased erased = leave("hash", "nobody@example.test");
  EXPECT_TRUE(erased.has_found_nothing());
  EXPECT_FALSE(erased.is_forgotten);
  EXPECT_TRUE(People(database).forgotten({"hash"}).empty());
  EXPECT_EQ(People(database).forgets(), 0);

  ledger.claim({"b1", "orders", "one"}, {{"1", "bob@example.test", kDate, "bob"}});
  ledger.settle("orders", "b1", {Outcome::unknown, 0, "no mail for <ann@example.test>"}, {});
  EXPECT_FALSE(leave("nn", "nn@example.test").is_forgotten) << "a part of another address";
  EXPECT_FALSE(leave("ann-", "ann@example.te").is_forgotten) << "a part of another address";
  EXPECT_EQ(database.query({"SELECT detail FROM survey_batch", {}}).rows.at(0).at(0),
            Value{"no mail for <ann@example.test>"});
  EXPECT_TRUE(leave("ann", "ann@example.test").is_forgotten) << "the service's words have it";
  EXPECT_TRUE(leave("bob", "bob@example.test").is_forgotten) << "a transaction is theirs";
  People(database).note({{"eve", FactKind::invited, "7", database.now()}});
  EXPECT_TRUE(leave("eve", "eve@example.test").is_forgotten) << "they were invited";
  EXPECT_FALSE(leave("dan", "dan@example.test").was_forgotten);
  EXPECT_TRUE(leave("eve", "eve@example.test").was_forgotten);
  EXPECT_EQ(People(database).forgotten({"ann", "bob", "eve", "dan"}).size(), 3u);
}

TEST_P(ForgetTests, TakeAStrangerAsWell) {
  const Erased erased = forget(database, database, "hash", "nobody@example.test", {""});
  EXPECT_EQ(erased.customers + erased.bouncers + erased.ratings + erased.transactions, 0);
  EXPECT_EQ(People(database).forgotten({"hash"}).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Databases, ForgetTests, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
