// After `forget` no column of no table holds the address, in no notation, and a longer address is
// still there; on every database.
#include "connectors/crm/erasure/traces.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "config/text.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/pulled/unreadable_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/source/source.hpp"
#include "mapping/values/person.hpp"
#include "tests/crm/ledgers.hpp"

namespace surveybridge::crm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kHashKey = "a key of tests";
constexpr const char* kAnn = "ann.lee@example.test";

const std::vector<std::string>& notations() {
  static const std::vector<std::string> all = {
      "ann.lee@example.test",
      "ANN.Lee@Example.TEST",
      "ann.lee%40example.test",
      "ann%2Elee%40example.test",
      "%61nn.lee@example.test",
      "ann.lee%2540example.test",
      R"(ann.lee\u0040example.test)",
      R"({"Email":"ann.lee@example.test"})",
      R"({\"Email\":\"ann.lee\u0040example.test\"})",
      R"(https:\/\/x.test\/ann.lee@example.test\/)",
      "ann.lee&#64;example.test",
      "ann.lee&#x40;example.test",
      "ann.lee=40example.test",
      "Ann Lee <ann.lee@example.test>",
      "mailto:ann.lee@example.test?subject=x",
      "Email=ann.lee%40example.test&x=1",
      "refused 'ann.lee@example.test'.",
      "order-7/ann.lee@example.test",
      "a@x.test; ann.lee@example.test",
  };
  return all;
}

// Where it stands, though not by itself.
const std::vector<std::string>& others() {
  static const std::vector<std::string> all = {"joann.lee@example.test", "ann.lee@example.tests",
                                               "annxlee@example.test", "ann.lee@example.org",
                                               "Ann Lee"};
  return all;
}

bool is_text(const mapping::TableColumn& column) {
  return column.type == ColumnType::text || column.type == ColumnType::key_text;
}

// Wherever the table takes a text it has this one.
std::vector<Value> row_with(const Table& table, const std::string& text, std::int64_t number,
                            Instant now) {
  std::vector<Value> row;
  for (const auto& column : table.columns) {
    if (is_text(column))
      row.emplace_back(text);
    else if (column.type == ColumnType::integer)
      row.emplace_back(number);
    else if (column.type == ColumnType::instant)
      row.emplace_back(now);
    else if (column.type == ColumnType::boolean)
      row.emplace_back(false);
    else
      row.emplace_back(mapping::Null{});
  }
  return row;
}

class TraceTests : public Ledgers {
 protected:
  TraceTests() { People(database).hash_key(kHashKey); }

  static std::string person(const std::string& address) {
    return mapping::person_of(kHashKey, address);
  }
  Erased forget_ann(Unknown unknown = Unknown::forget) {
    return forget(database, database, person(kAnn), kAnn, {"OrderNumber"}, {}, "", unknown);
  }
  void fill_every_table(const std::vector<std::string>& all) {
    std::int64_t number = 100;
    for (const auto& text : all) {
      ++number;
      for (auto [table, numbering] : every_table()) {
        if (numbering == Numbering::database) {
          table.columns.erase(table.columns.begin());
          table.key_size = 0;
        }
        insert_rows(database, table, {row_with(table, text, number, kDate)});
      }
    }
  }
  Result all_of(const Table& table) {
    return database.query({"SELECT * FROM " + quoted(database.dialect(), table.name), {}});
  }
  // Every text of every table, by table; with the columns that the database has.
  std::multimap<std::string, std::string> texts() {
    std::multimap<std::string, std::string> all;
    for (const auto& [table, numbering] : every_table()) {
      const Result found = all_of(table);
      EXPECT_EQ(found.columns.size(), table.columns.size()) << table.name;
      for (const auto& row : found.rows)
        for (const auto& cell : row)
          if (const auto* text = std::get_if<std::string>(&cell)) all.emplace(table.name, *text);
    }
    return all;
  }
  // The columns of each row, by table and key, with their values.
  using Rows = std::map<std::string, std::map<std::string, std::map<std::string, Value>>>;
  static std::string key_in(const Table& table, const std::map<std::string, Value>& cells) {
    std::string key;
    for (std::size_t at = 0; at < table.key_size; ++at)
      key += text_in(cells.at(table.columns[at].name)) + "\n";
    return key;
  }
  // Without the seals, which count.
  Rows all_rows() {
    Rows all;
    for (const auto& [table, numbering] : every_table()) {
      if (table.name == "survey_seal") continue;
      const Result found = all_of(table);
      for (const auto& row : found.rows) {
        std::map<std::string, Value> cells;
        for (std::size_t at = 0; at < row.size(); ++at)
          cells.emplace(found.columns[at].name, row[at]);
        all[table.name].emplace(key_in(table, cells), cells);
      }
    }
    return all;
  }
  // What was there and is no more: rows that are gone whole, and cells of those that stay.
  static Rows lost(const Rows& before, const Rows& after) {
    Rows all;
    for (const auto& [table, rows] : before) {
      for (const auto& [key, cells] : rows) {
        const auto here = after.find(table);
        const auto stays = here == after.end() ? nullptr : &here->second;
        const bool gone = stays == nullptr || !stays->contains(key);
        for (const auto& [column, value] : cells)
          if (gone || stays->at(key).at(column) != value) all[table][key].emplace(column, value);
      }
    }
    return all;
  }
  void expect_no_trace() {
    for (const auto& [table, text] : texts()) {
      const std::string folded = config::lower_case(text);
      for (const char* trace : {"nn.lee@example.te", "lee%40example.test", "lee%2540", "lee\\u0040",
                                "lee&#64;", "lee&#x40;", "lee=40"})
        EXPECT_EQ(folded.find(trace), std::string::npos) << table << ": " << text;
    }
  }
};

// A key is left: it is found again by whole addresses only.
TEST_P(TraceTests, EraseACutAddressFromEveryColumnButKeys) {
  const std::string cut = "refused: ann.lee@example.te\u2026 (400)";
  fill_every_table({cut});
  forget_ann();
  for (const auto& [table, numbering] : every_table()) {
    for (const auto& row : all_of(table).rows) {
      for (std::size_t at = table.key_size; at < row.size(); ++at) {
        const auto* text = std::get_if<std::string>(&row[at]);
        if (text == nullptr || table.columns[at].type == ColumnType::key_text) continue;
        EXPECT_EQ(text->find("ann.lee@example.te"), std::string::npos)
            << table.name << "." << table.columns[at].name;
      }
    }
  }
}

TEST_P(TraceTests, EraseTheAddressFromEveryColumnInEveryNotation) {
  fill_every_table(notations());
  forget_ann();
  expect_no_trace();
}

TEST_P(TraceTests, EraseExactlyWhatIsFoundOfThePerson) {
  fill_every_table({kAnn, "ann.lee%40example.test", "joann.lee@example.test"});
  ledger.claim({"b1", "orders", "one"},
               {{"1", kAnn, kDate, person(kAnn)}, {"2", "bob@example.test", kDate, "bob"}});
  for (const Table* table :
       {&listed_table(), &unreadable_table(), &unwritten_table(), &written_table()}) {
    auto row = row_with(*table, "x", 300, kDate);
    for (std::size_t at = 0; at < table->columns.size(); ++at) {
      if (table->columns[at].name == "person") row[at] = person(kAnn);
      if (table->columns[at].name == "list") row[at] = "customers";
      if (table->columns[at].name == "record") row[at] = "101";
    }
    insert_rows(database, *table, {row});
  }
  const Rows before = all_rows();
  const Found found = find_person(database, database, person(kAnn), kAnn, {"OrderNumber"});
  EXPECT_EQ(all_rows(), before) << "a search changes nothing";
  EXPECT_THAT(found.crm, IsEmpty());
  forget_ann();
  const Rows after = all_rows();
  const Rows erased = lost(before, after);

  std::map<std::string, std::set<std::string>> tables_found, tables_erased;
  for (const auto& [name, rows] : erased)
    for (const auto& [key, cells] : rows)
      tables_erased[name].insert(key);
  for (const auto& [name, rows] : found.store) {
    if (name == "survey_seal") continue;
    const Table& table = table_named(name).table;
    for (const auto& row : rows) {
      const std::map<std::string, Value> cells(row.begin(), row.end());
      const std::string key = key_in(table, cells);
      tables_found[name].insert(key);
      if (!erased.contains(name) || !erased.at(name).contains(key)) continue;
      if (!after.contains(name) || !after.at(name).contains(key)) continue;
      EXPECT_EQ(cells.size(), table.key_size + erased.at(name).at(key).size()) << name;
      for (const auto& [column, value] : erased.at(name).at(key))
        EXPECT_TRUE(cells.contains(column)) << name << "." << column;
    }
  }
  EXPECT_EQ(tables_found, tables_erased);
  EXPECT_GE(tables_found.size(), 20u);
  for (const char* table : {"survey_customer", "survey_answer", "survey_invitation",
                            "survey_customer_history", "survey_unwritten", "survey_written",
                            "survey_listed", "survey_unreadable", "survey_push", "survey_batch"})
    EXPECT_TRUE(tables_found.contains(table)) << table;
  const auto customers = std::ranges::find(found.store, "survey_customer", &FoundTable::table);
  ASSERT_NE(customers, found.store.end());
  EXPECT_EQ(customers->rows.at(0).size(), table_named("survey_customer").table.columns.size());
}

TEST_P(TraceTests, LeaveLongerAddressesInEveryColumn) {
  fill_every_table(others());
  const auto before = texts();
  forget_ann();
  const auto after = texts();
  for (const auto& one : before) {
    if (one.first == "survey_seal") continue;  // it counts
    const auto [first, last] = after.equal_range(one.first);
    EXPECT_NE(std::find(first, last, one), last) << one.first << ": " << one.second;
  }
}

// Others' records are others': a mark before the address makes it another one there.
TEST_P(TraceTests, LeaveAnotherPersonsRecordButForTheAddressInIt) {
  mapping::Record record(mapping::customer());
  record.set("Id", std::int64_t{7});
  record.set("Email", std::string("jo-ann.lee@example.test"));
  mapping::Record answer(*mapping::customer().find("Answers")->of);
  answer.set("Text", std::string("ask Ann (ann.lee@example.test) or jo-ann.lee@example.test."));
  record.at("Answers").records.push_back(answer);
  PullStore pulled(database, mapping::customer(), {});
  pulled.save({record}, pulled.load("customers", "x"), std::nullopt);
  EXPECT_EQ(forget_ann().texts, 1);
  EXPECT_THAT(cells_in(database, "SELECT email FROM survey_customer"),
              ElementsAre(Value{"jo-ann.lee@example.test"}));
  EXPECT_THAT(cells_in(database, "SELECT text FROM survey_answer"),
              ElementsAre(Value{"ask Ann ((erased)) or jo-ann.lee@example.test."}));
}

TEST_P(TraceTests, EraseWordsThatHideLettersOfTheAddress) {
  const std::vector<std::string> all = {
      R"(no mail for \u0061nn.lee@example.test)", "no mail for &#97;nn.lee@example.test",
      "no mail for &amp;#97;nn.lee@example.test", "no mail for an=\nn.lee@example.test",
      "no mail for an=\r\nn.lee@exam=\r\nple.test"};
  for (std::size_t i = 0; i < all.size(); ++i)
    ledger.set_aside("orders", State::quarantined, {{std::to_string(i), all[i]}});
  forget_ann();
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(ledger.find("orders", std::to_string(i))->reason, kErased) << all[i];
}

// The small letter of an I is another one in Turkish.
TEST_P(TraceTests, EraseTheAddressWhateverTheLanguageOfTheDatabase) {
  if (database.dialect() == Dialect::postgresql)
    database.execute(
        {"ALTER TABLE survey_push ALTER COLUMN reason TYPE text COLLATE \"tr-x-icu\"", {}});
  ledger.set_aside("orders", State::quarantined, {{"1", "no mail for INFO@EXAMPLE.test"}});
  const std::string info = "info@example.test";
  forget(database, database, person(info), info, {});
  EXPECT_EQ(ledger.find("orders", "1")->reason, kErased);
}

TEST_P(TraceTests, LeaveAStrangerOfWhomOnlyALongerAddressIsThere) {
  ledger.set_aside("orders", State::quarantined, {{"1", "no mail for joann.lee@example.test"}});
  EXPECT_FALSE(forget_ann(Unknown::leave).is_forgotten);
  ledger.set_aside("orders", State::quarantined, {{"2", "no mail for ann.lee%40example.test"}});
  EXPECT_TRUE(forget_ann(Unknown::leave).is_forgotten);
  EXPECT_EQ(ledger.find("orders", "2")->reason, kErased);
  EXPECT_EQ(ledger.find("orders", "1")->reason, "no mail for joann.lee@example.test");
}

// What the service says later, and what a command notes.
TEST_P(TraceTests, LetNoWordsBringTheAddressBack) {
  forget_ann();
  const std::string words = "refused: ann.lee@example.test is odd";
  claim("b1", {"1"});
  ledger.settle("orders", "b1", {Outcome::refused, 400, words}, {{"1", State::quarantined, words}});
  ledger.set_aside("orders", State::suppressed, {{"2", words}});
  ledger.retry("orders", {"1"}, "by ann.lee@example.test on pts/1");
  expect_no_trace();
  mapping::Record record(mapping::customer());
  record.set("Id", std::int64_t{9});
  KeptNames kept;
  const std::string raw = R"({"Id":9,"Note":"ann.lee\u0040example.test"})";
  keep_unreadable(database, "customers", {{{{"Customers[0]", "odd"}, record, raw}}}, kDate, kept);
  expect_no_trace();
}

TEST_P(TraceTests, CutNoReasonWithinAnAddress) {
  const std::string before(kReasonBytesMax - 12, 'x');
  ledger.set_aside("orders", State::quarantined, {{"1", before + " ann.lee@example.test is odd"}});
  EXPECT_EQ(ledger.find("orders", "1")->reason, before + " ");
}

// What is gone from the pulled tables (`keep`) is still in those of reports.
TEST_P(TraceTests, EraseWhatReportsKeepOfRecordsThatAreGone) {
  ledger.claim({"b1", "orders", "one"}, {{"1", kAnn, kDate, person(kAnn)}});
  ledger.settle("orders", "b1", {Outcome::accepted, 200, ""}, {{"1", State::sent, ""}});
  People(database).note({{person(kAnn), FactKind::invited, "8", kDate},
                         {person(kAnn), FactKind::bounced_hard, "bounce-8", kDate},
                         {person(kAnn), FactKind::invited, "9", kDate}});
  std::map<std::string, std::vector<std::vector<Value>>> rows;
  const auto add = [&](const char* name, std::int64_t number, const std::string& id,
                       const std::string& key) {
    for (const auto& [table, numbering] : every_table()) {
      if (table.name != name) continue;
      auto row = row_with(table, "x", number, kDate);
      for (std::size_t at = 0; at < table.columns.size(); ++at) {
        if (table.columns[at].name == "push") row[at] = "orders";
        if (table.columns[at].name == "key") row[at] = key;
        if (table.columns[at].name == "email") row[at] = "bob@example.test";
        if (at == 0 && is_text(table.columns[at])) row[at] = id;
      }
      insert_rows(database, table, {row});
    }
  };
  add("survey_invitation", 7, "", "1");  // the transaction's
  add("survey_invitation", 8, "", "77");
  add("survey_customer_history", 8, "", "");
  add("survey_bounce", 0, "bounce-7", "1");
  add("survey_bounce", 0, "bounce-8", "77");
  add("survey_rating_match", 7, "", "1");
  add("survey_invitation", 9, "", "78");  // that number is somebody else's now
  add("survey_customer", 9, "", "");
  add("survey_invitation", 10, "", "79");
  forget_ann();
  const auto ids = [&](const std::string& table) {
    return cells_in(database, "SELECT * FROM " + table + " ORDER BY 1");
  };
  EXPECT_THAT(ids("survey_invitation"),
              ElementsAre(Value{std::int64_t{9}}, Value{std::int64_t{10}}));
  EXPECT_THAT(ids("survey_customer"), ElementsAre(Value{std::int64_t{9}}));
  EXPECT_THAT(ids("survey_customer_history"), IsEmpty());
  EXPECT_THAT(ids("survey_bounce"), IsEmpty());
  EXPECT_THAT(ids("survey_rating_match"), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Databases, TraceTests, every_dialect(), server_name);

// Transactions whose keys are addresses.
class ErasedKeyTests : public TraceTests {
 protected:
  ErasedKeyTests() {
    const char* type = GetParam() == Server::sqlite ? "TEXT" : "VARCHAR(99)";
    run_statement(database, std::string("CREATE TABLE visits (k ") + type + ", at " +
                                (speaks_mysql(GetParam()) ? "DATETIME" : "TIMESTAMP") + ")");
  }
  void visit(const std::string& key) {
    database.execute({"INSERT INTO visits (k, at) VALUES (:p1, '2026-11-01 00:00:00')", {key}});
  }
  Source source() { return {database, {"orders", "SELECT k, at FROM visits", "k", "at", "UTC"}}; }
  std::vector<std::string> found() {
    std::vector<std::string> keys;
    for (const auto& row :
         source().next(kDate - std::chrono::hours{9}, kDate + std::chrono::hours{9}, 100).rows)
      keys.push_back(row.key);
    return keys;
  }
  std::vector<std::string> claim_of(const std::string& key, const std::string& address,
                                    const std::string& batch) {
    return ledger.claim({batch, "orders", "one"}, {{key, address, kDate, person(address)}});
  }
  void send(const std::string& key, const std::string& address) {
    claim_of(key, address, "sent " + key);
    ledger.settle("orders", "sent " + key, {Outcome::accepted, 200, ""}, {{key, State::sent, ""}});
  }
};

TEST_P(ErasedKeyTests, AreKnownAsSent) {
  const std::vector<std::string> keys = {"Ann.Lee@Example.test", "ann.lee%40example.test",
                                         "ann.lee@example.test", "v-1/ann.lee@example.test"};
  for (const auto& key : keys) {
    visit(key);
    send(key, kAnn);
  }
  forget_ann();
  expect_no_trace();
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(
      source().tally(kDate - std::chrono::hours{9}, kDate + std::chrono::hours{9}).by_state["sent"],
      4);
  for (const auto& key : keys) {
    EXPECT_THAT(claim_of(key, kAnn, "b2"), IsEmpty());
    EXPECT_THAT(claim_of(key, "other@example.test", "b3"), IsEmpty()) << "another person's row";
    EXPECT_EQ(state_of(key), State::sent);
    EXPECT_EQ(story(key), "claimed sent");
  }
  EXPECT_THAT(ledger.claimable("orders", keys), IsEmpty());
  const auto& key = keys[0];
  EXPECT_EQ(ledger.settle_listed("orders", {{key, 7, person(kAnn)}, {key, 8, ""}}).twice, 1);
  EXPECT_EQ(ledger.find("orders", key)->customer_id, 7);
  ledger.settle_listed("orders", {{"new/ann.lee@example.test", 9, person("x@example.test")}});
  expect_no_trace();
  EXPECT_EQ(People(database).transactions_of("orders", keys, {FactKind::forgotten}).size(), 4u);
}

TEST_P(ErasedKeyTests, HaveNoLetterOfTheAddressByItsNumber) {
  const std::vector<std::string> keys = {
      "%61nn.lee@example.test", "ann.l%65e%40example.test", "v-1/%2561nn.lee@example.test",
      R"(\u0061nn.lee@example.test)", "&#97;nn.lee@example.test"};
  for (const auto& key : keys) {
    visit(key);
    send(key, kAnn);
  }
  forget_ann();
  for (const auto& row : query_rows(database, R"(SELECT "key" FROM "survey_push")"))
    EXPECT_TRUE(is_erased_key(text_in(row.at(0)))) << text_in(row.at(0));
  EXPECT_THAT(found(), IsEmpty());
  for (const auto& key : keys)
    EXPECT_THAT(claim_of(key, kAnn, "b2"), IsEmpty()) << key;
}

TEST_P(ErasedKeyTests, AreSettledAfterTheyWereErased) {
  claim_of(kAnn, kAnn, "b1");
  claim_of("x/ann.lee@example.test", kAnn, "b2");
  forget_ann();
  EXPECT_EQ(ledger.settle("orders", "b1", {Outcome::accepted, 200, ""}, {{kAnn, State::sent, ""}}),
            1);
  EXPECT_EQ(state_of(kAnn), State::sent);
  ledger.settle("orders", "b2", {Outcome::unknown, 0, ""},
                {{"x/ann.lee@example.test", State::in_doubt, "no answer"}});
  const auto doubts = ledger.in_doubt("orders", 9);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_TRUE(is_erased_key(doubts[0].key));
  EXPECT_EQ(ledger.resolve("orders", {{doubts[0].key, State::held, "erased"}}), 1);
  EXPECT_EQ(ledger.held("orders", {"x/ann.lee@example.test"}).size(), 1u);
  expect_no_trace();
}

TEST_P(ErasedKeyTests, AreErasedFromWhatComesLater) {
  forget_ann();
  visit(kAnn);
  EXPECT_THAT(found(), ElementsAre(kAnn));
  EXPECT_THAT(claim_of(kAnn, kAnn, "b1"), IsEmpty());
  EXPECT_EQ(ledger.set_aside("orders", State::suppressed, {{kAnn, "forgotten", person(kAnn)}}), 1);
  expect_no_trace();
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(state_of(kAnn), State::suppressed);
}

// A key may hold the address of another person than the row's.
TEST_P(ErasedKeyTests, LetOthersRowsGoOnce) {
  const std::string key = "jo-ann.lee@example.test", jo = "jo-ann.lee@example.test";
  forget_ann();
  visit(key);
  database.time = kDate;
  EXPECT_EQ(ledger.delay("orders", {{key, "later", kDate + std::chrono::hours{1}, person(jo)}}), 1);
  EXPECT_THAT(found(), IsEmpty()) << "it is not due";
  EXPECT_EQ(ledger.delay("orders", {{key, "later", kDate - std::chrono::hours{1}, person(jo)}}), 1);
  EXPECT_THAT(found(), ElementsAre(key));
  EXPECT_THAT(source().pending(9).gone, IsEmpty());
  EXPECT_THAT(claim_of(key, jo, "b1"), ElementsAre(key));
  EXPECT_THAT(claim_of(key, jo, "b2"), IsEmpty());
  ledger.settle("orders", "b1", {Outcome::accepted, 200, ""}, {{key, State::sent, ""}});
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(state_of(key), State::sent);
}

// An earlier version has left the keys of those whom it forgot as they were.
TEST_P(ErasedKeyTests, LeaveTheKeysOfAnEarlierVersionKnown) {
  visit(kAnn);
  send(kAnn, kAnn);
  People(database).note({{person(kAnn), FactKind::forgotten, "forget", kDate}});
  database.execute({"UPDATE survey_seal SET value = '1' WHERE name = 'forgets'", {}});
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(state_of(kAnn), State::sent);
  EXPECT_TRUE(forget_ann().was_forgotten);
  expect_no_trace();
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(state_of(kAnn), State::sent);
}

INSTANTIATE_TEST_SUITE_P(Databases, ErasedKeyTests, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
