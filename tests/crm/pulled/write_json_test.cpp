// A write-back into keys of a JSON object that a column of the CRM holds.
#include <gmock/gmock.h>

#include "connectors/crm/pulled/conditions.hpp"
#include "connectors/crm/pulled/write_mark.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "mapping/codec/codec.hpp"
#include "tests/crm/pulled/write_back_fixture.hpp"

namespace surveybridge::crm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class WriteJson : public WriteBack {
 protected:
  WriteJson() {
    run_statement(database, "CREATE TABLE visits (id integer PRIMARY KEY, extra " + type() +
                                ", plain integer)");
  }
  std::string type() {
    if (database.dialect() == Dialect::postgresql) return "jsonb";
    return database.dialect() == Dialect::sqlite ? "text" : "json";
  }
  void put(std::int64_t id, const Value& json, const std::string& type) {
    const bool is_cast = speaks_mysql(database.dialect()) || type != "text";
    const bool has_type = is_cast && database.dialect() != Dialect::mariadb;
    const std::string parameter = has_type ? "CAST(:p2 AS " + type + ")" : ":p2";
    database.execute(
        {"INSERT INTO visits (id, extra) VALUES (:p1, " + parameter + ")", {id, json}});
  }
  void put(std::int64_t id, const Value& json) { put(id, json, type()); }
  Value cell_of(std::int64_t id) {
    return cells_in(database, "SELECT extra FROM visits WHERE id = " + std::to_string(id)).at(0);
  }
  // Without blanks, which each database sets as it likes.
  std::string member(std::int64_t id, const std::string& key) {
    const auto found = mapping::read_member(mapping::text_of(cell_of(id)), key);
    std::string text = found ? column_text(*found, "UTC").value_or("") : "no object";
    std::erase(text, ' ');
    return text;
  }

  static config::Write::Cell key(const std::string& name, const std::string& path) {
    auto made = cell("extra", path);
    made.key = name;
    return made;
  }
  static config::Write of_visits(std::vector<config::Write::Cell> set) {
    return write({cell("id", "Data[OrderNumber]")}, std::move(set), "visits");
  }
  static config::Write score() { return of_visits({key("score", kScore)}); }
  static Record said(std::int64_t id, const std::string& order, const std::string& text) {
    Record record = answered(id, order, kGood);
    record.at("Answers").records.front().set("Text", text);
    return record;
  }
  std::vector<std::string> unwritten() {
    std::vector<std::string> all;
    for (const auto& each : unwritten_counts(database))
      all.push_back(each.sort.column + ": " + each.sort.reason);
    return all;
  }
};

constexpr const char* kRemark = R"(it's "so {fine}" \ é)";

TEST_P(WriteJson, LeavesTheOtherKeysAsTheyAre) {
  put(1, R"({"big":1234567890123456789,"list":[1,{"a":null}],"none":null,"text":"o'\"{}é"})");
  const auto both =
      of_visits({key("score", kScore), key("it's \"said\" a.b]", "Answers[1200].Text")});
  EXPECT_EQ(save(both, {said(1, "1", kRemark)}).written_back, 1);
  EXPECT_EQ(member(1, "big"), "1234567890123456789");
  EXPECT_EQ(member(1, "list"), R"([1,{"a":null}])");
  EXPECT_EQ(member(1, "text"), "o'\"{}é");
  EXPECT_THAT(mapping::text_of(cell_of(1)), testing::HasSubstr("\"none\""));
  EXPECT_EQ(member(1, "score"), "4");
  EXPECT_EQ(mapping::read_member(mapping::text_of(cell_of(1)), "it's \"said\" a.b]"),
            Value{kRemark});
  EXPECT_EQ(save(both, {said(2, "1", kRemark)}).written_back, 0)
      << "another customer says the same";
  EXPECT_EQ(save(both, {said(3, "1", "other")}).written_back, 1);
  EXPECT_EQ(member(1, "score"), "4");
  EXPECT_THAT(unwritten(), IsEmpty());
}

TEST_P(WriteJson, MakesAnObjectOfNullAndTakesOutWhatIsNot) {
  put(1, Null{});
  put(2, Null{});
  put(3, R"({"other":true})");
  save(score(), {answered(3, "3", std::int64_t{9})});
  EXPECT_EQ(member(3, "score"), "9");
  const Saved saved =
      save(score(), {answered(1, "1", kGood), answered(2, "2", Null{}), answered(3, "3", Null{})});
  EXPECT_EQ(saved.written_back, 2);
  EXPECT_EQ(member(1, "score"), "4");
  EXPECT_EQ(cell_of(2), Value{Null{}}) << "nothing was to be written";
  EXPECT_EQ(member(3, "score"), "");
  EXPECT_EQ(member(3, "other"), "true");
  EXPECT_THAT(mapping::text_of(cell_of(3)), testing::Not(testing::HasSubstr("score")));
}

TEST_P(WriteJson, LeavesAndCountsWhatIsNoObject) {
  const std::vector<std::string> no_objects = {"[1,2]", "5", "null", R"("text")"};
  std::vector<Record> records;
  for (const auto& json : no_objects) {
    const auto id = static_cast<std::int64_t>(records.size()) + 1;
    put(id, json);
    records.push_back(answered(id, std::to_string(id), kGood));
  }
  auto with_other = of_visits({key("score", kScore), cell("plain", kScore)});
  const Saved saved = save(with_other, records);
  EXPECT_EQ(saved.unfit, 4);
  EXPECT_EQ(saved.written_back, 4) << "the other column is written all the same";
  EXPECT_THAT(unwritten(), ElementsAre("extra[score]: " + std::string(kNoObject)));
  EXPECT_EQ(mapping::text_of(cell_of(2)), "5");
  EXPECT_EQ(save(score(), {answered(9, "1", Null{})}).unfit, 0) << "there is nothing to take out";
  const auto compiled =
      std::get<CompiledWrite>(compile(database, mapping::customer(), score(), "UTC"));
  Transaction transaction(database);
  const int before = database.written;
  EXPECT_EQ(write_back(database, compiled, {{{std::int64_t{1}}, {kGood}}}).changed, 0);
  EXPECT_EQ(database.written, before) << "a trigger of the CRM would be called for nothing";
}

TEST_P(WriteJson, KeepsTheTypesOfValues) {
  put(1, R"({"a":1})");
  auto constant = key("constant", "");
  constant.value = 2.5;
  auto cut = key("cut", "Answers[1200].Text");
  cut.max_length = 2;
  Record customer = said(1, "1", "été");
  customer.set("OptedOut", true);
  customer.set("Priority", std::int64_t{9007199254740993});
  customer.set("Language", "");
  const auto write = of_visits({key("out", "OptedOut"), key("number", "Priority"), constant, cut,
                                key("empty", "Language"), key("a", "Language")});
  EXPECT_EQ(save(write, {customer}).written_back, 1);
  const std::string json = mapping::text_of(cell_of(1));
  EXPECT_EQ(mapping::read_member(json, "out"), Value{true});
  EXPECT_EQ(mapping::read_member(json, "number"), Value{std::int64_t{9007199254740993}});
  EXPECT_EQ(member(1, "constant").substr(0, 3), "2.5");
  EXPECT_EQ(mapping::read_member(json, "cut"), Value{"ét"});
  EXPECT_EQ(mapping::read_member(json, "empty"), Value{Null{}});
  EXPECT_EQ(mapping::read_member(json, "a"), Value{std::int64_t{1}}) << "nothing is not written";
  customer.set("Id", std::int64_t{2});
  EXPECT_EQ(save(write, {customer}).written_back, 0);
  EXPECT_THAT(unwritten(), IsEmpty());
}

TEST_P(WriteJson, MakesARowWithItsKeys) {
  auto made = of_visits({key("score", kScore), key("said", "Answers[1200].Text")});
  made.insert = true;
  const Saved saved = save(made, {said(1, "7", kRemark)});
  EXPECT_EQ(saved.written_back, 1);
  EXPECT_EQ(saved.unfit, 0);
  EXPECT_EQ(member(7, "score"), "4");
  EXPECT_EQ(mapping::read_member(mapping::text_of(cell_of(7)), "said"), Value{kRemark});
  EXPECT_EQ(save(made, {said(2, "7", kRemark)}).written_back, 0);
}

TEST_P(WriteJson, IsAnotherWriteByAnotherKey) {
  EXPECT_NE(mark_of(score()), mark_of(of_visits({key("grade", kScore)})));
  EXPECT_NE(mark_of(score()), mark_of(of_visits({cell("extra", kScore)})));
}

TEST_P(WriteJson, IsRefusedForAColumnOfAnotherType) {
  auto plain = cell("plain", kScore);
  plain.key = "score";
  const char* type = database.dialect() == Dialect::postgresql ? "json or jsonb"
                     : database.dialect() == Dialect::mysql    ? "JSON"
                                                               : "text";
  EXPECT_THAT(problems(of_visits({plain})),
              ElementsAre("bridge.toml:7:3: pull.customers.write.set.plain[score]: a key is of a "
                          "JSON object, in a column of " +
                          std::string(type)));
  EXPECT_THAT(problems(score()), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Databases, WriteJson, every_database(), server_name);

// A column of text, where that may hold JSON.
class WriteJsonText : public WriteJson {
 protected:
  WriteJsonText() { database.execute({"DROP TABLE visits", {}}); }
};
INSTANTIATE_TEST_SUITE_P(Databases, WriteJsonText, testing::Values(Server::sqlite, Server::mariadb),
                         server_name);

TEST_P(WriteJsonText, LeavesWhatIsNoJson) {
  database.execute({"CREATE TABLE visits (id integer PRIMARY KEY, extra text)", {}});
  put(1, R"({ "a" : 1.10, "score" : "x" })", "text");
  put(2, R"({"a":1)", "text");
  put(3, "", "text");
  const Saved saved =
      save(score(), {answered(1, "1", kGood), answered(2, "2", kGood), answered(3, "3", kGood)});
  EXPECT_EQ(saved.written_back, 1);
  EXPECT_EQ(saved.unfit, 2);
  EXPECT_EQ(member(1, "a"), "1.10");
  EXPECT_EQ(member(1, "score"), "4");
  EXPECT_EQ(cell_of(2), Value{R"({"a":1)"});
  EXPECT_EQ(cell_of(3), Value{""});
}

// PostgreSQL's older type for JSON keeps a text that the newer one does not take.
class WriteJsonOfPostgresql : public WriteJson {};
INSTANTIATE_TEST_SUITE_P(Databases, WriteJsonOfPostgresql, every_postgresql(), server_name);

TEST_P(WriteJsonOfPostgresql, NamesTheKeyThatCannotBeWritten) {
  database.execute({"ALTER TABLE visits ALTER extra TYPE json", {}});
  put(1, R"({"a":1,"b":[true]})", "json");
  put(2, R"({"a":"\u0000"})", "json");
  const Saved saved = save(of_visits({key("score", kScore), cell("plain", kScore)}),
                           {answered(1, "1", kGood), answered(2, "2", kGood)});
  EXPECT_EQ(saved.written_back, 2);
  EXPECT_THAT(unwritten(),
              ElementsAre("extra[score]: the database refuses the value (SQLSTATE 22P05)"));
  EXPECT_EQ(member(1, "score"), "4");
  EXPECT_EQ(member(1, "b"), "[true]");
  EXPECT_EQ(number_in(database, "SELECT COUNT(*) FROM visits WHERE plain = 4"), 2);
}

// No server of this database runs in the tests: its catalogue is empty here.
class SaysSqlServer final : public support::ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Dialect dialect() const override { return Dialect::sqlserver; }
  Result query(const Statement& statement) override {
    return statement.sql.find("sys.columns") == std::string::npos ? inner().query(statement)
                                                                  : Result{};
  }
};
class WriteJsonElsewhere : public WriteJson {};
INSTANTIATE_TEST_SUITE_P(Databases, WriteJsonElsewhere, testing::Values(Server::sqlite),
                         server_name);

TEST_P(WriteJsonElsewhere, IsRefusedWhereItHasNotBeenTried) {
  SaysSqlServer elsewhere(database);
  const auto found = check_writes(elsewhere, mapping::customer(), {score()});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().rule, "a key of a JSON object cannot be written into SQL Server");
}

}  // namespace
}  // namespace surveybridge::crm
