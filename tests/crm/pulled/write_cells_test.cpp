// What a write-back does beyond setting columns: scopes, single cells, constants, new rows, and
// stored records that are written again.
#include <gmock/gmock.h>

#include "connectors/crm/pulled/write_mark.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "tests/crm/pulled/write_back_fixture.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class WriteCells : public WriteBack {};

TEST_P(WriteCells, LeavesTheAnswersOfTheOriginalWhereItWasAskedOnceMore) {
  Record second = answered(2, "2", Null{});
  second.set("IsSecondFeedBack", true);
  save(score_of_order(), {answered(1, "2", kGood), second});
  EXPECT_THAT(column("score"), ElementsAre(Value{Null{}}, Value{kGood}, Value{Null{}}));
}

TEST_P(WriteCells, TakesTheSecondFeedbackWhereItIsAskedTo) {
  Record second = answered(2, "2", std::int64_t{2});
  second.set("IsSecondFeedBack", true);
  auto of_second = score_of_order();
  of_second.feedback = config::Write::Feedback::second;
  save(of_second, {answered(1, "2", kGood), second, answered(3, "3", kGood)});
  EXPECT_THAT(column("score"), ElementsAre(Value{Null{}}, Value{std::int64_t{2}}, Value{Null{}}));
  auto of_both = score_of_order();
  of_both.feedback = config::Write::Feedback::both;
  save(of_both, {answered(4, "3", kGood)});
  EXPECT_EQ(column("score").at(2), Value{kGood});
}

TEST_P(WriteCells, OfAPushTriesNoRecordOfAnother) {
  put_in_ledger(database, "orders", "2", "sent", database.now(), database.now());
  put_in_ledger(database, "visits", "3", "sent", database.now(), database.now());
  auto of_orders = score_of_order();
  of_orders.push = "orders";
  of_orders.correlate = "OrderNumber";
  const Saved saved =
      save(of_orders, {answered(1, "2", kGood), answered(2, "3", kGood), answered(3, "99", kGood)});
  EXPECT_EQ(saved.written_back, 1);
  EXPECT_EQ(saved.matched_none, 0);
  EXPECT_THAT(column("score"), ElementsAre(Value{Null{}}, Value{kGood}, Value{Null{}}));
}

class WriteBits : public WriteBack {};
INSTANTIATE_TEST_SUITE_P(Databases, WriteBits, testing::Values(Server::mariadb), server_name);

TEST_P(WriteBits, SetsAndMatchesBitsAsNumbers) {
  run_statement(database,
                "ALTER TABLE orders ADD COLUMN wants bit(1) NOT NULL DEFAULT b'0',"
                " ADD COLUMN flags bit(8), ADD COLUMN number bit(16)");
  database.execute({"UPDATE orders SET number = id", {}});
  Record gone = answered(1, "2", kGood);
  gone.set("OptedOut", true);
  const auto bits = write({cell("number", "Data[OrderNumber]")},
                          {cell("wants", "OptedOut"), cell("flags", kScore)});
  EXPECT_EQ(save(bits, {gone}).written_back, 1);
  EXPECT_THAT(column("wants"),
              ElementsAre(Value{std::int64_t{0}}, Value{std::int64_t{1}}, Value{std::int64_t{0}}));
  EXPECT_THAT(column("flags"), ElementsAre(Value{Null{}}, Value{kGood}, Value{Null{}}));
}

TEST_P(WriteCells, LeavesOutOnlyTheCellThatDoesNotFit) {
  const auto two = write({cell("id", "Data[OrderNumber]")}, {cell("score", "Answers[1200].Text"),
                                                             cell("remark", "Answers[1200].Text")});
  const Saved saved = save(two, {answered(1, "1", kGood)});
  EXPECT_EQ(saved.unfit, 1);
  EXPECT_EQ(saved.written_back, 1);
  EXPECT_THAT(saved.unwritten,
              ElementsAre(UnwrittenSort{"orders", "score", std::string(kNoSuchValue)}));
  EXPECT_THAT(column("remark").at(0), Value{"fine"});
}

TEST_P(WriteCells, LeavesOutOnlyTheCellThatTheDatabaseRefuses) {
  const auto two = write({cell("id", "Data[OrderNumber]")},
                         {cell("score", kScore), cell("remark", "Answers[1200].Text")});
  const Saved saved = save(two, {answered(1, "1", std::int64_t{100}), answered(2, "2", kGood)});
  EXPECT_EQ(saved.unfit, 1) << "a check of the table says below 100";
  EXPECT_EQ(saved.written_back, 2);
  EXPECT_THAT(saved.unwritten, ElementsAre(UnwrittenSort{
                                   "orders", "score", "a CHECK of the table refuses the value"}));
  EXPECT_THAT(column("score"), ElementsAre(Value{Null{}}, Value{kGood}, Value{Null{}}));
  EXPECT_THAT(column("remark").at(0), Value{"fine"});
}

TEST_P(WriteCells, SetsConstantsMapsAndDates) {
  Record customer = answered(1, "1", kGood);
  Record data(*mapping::customer().find("Data")->of);
  data.set("Name", std::string{"Delivered"});
  data.set("Value", std::string{"24-11-2026"});
  customer.at("Data").records.push_back(data);
  auto constant = cell("done", "");
  constant.value = true;
  auto map = cell("remark", "Answers[1200].Text");
  map.meanings = {{"fine", config::Constant{std::string{"good"}}, {}}};
  auto date = cell("day", "Data[Delivered]");
  date.date = "%d-%m-%Y";
  save(write({cell("id", "Data[OrderNumber]")}, {constant, map, date}), {customer});
  EXPECT_EQ(column("remark").at(0), Value{"good"});
  EXPECT_EQ(number_in(database, "SELECT COUNT(*) FROM orders WHERE id = 1 AND day = '2026-11-24'"),
            1);
  EXPECT_EQ(save(write({cell("id", "Data[OrderNumber]")}, {map}), {customer}).written_back, 0);
}

TEST_P(WriteCells, LeavesAloneWhatTheMapDoesNotName) {
  database.execute({"UPDATE orders SET remark = 'staff' WHERE id = 1", {}});
  auto map = cell("remark", "Answers[1200].Text");
  map.meanings = {{"bad", config::Constant{std::string{"call"}}, {}}};
  const Saved saved =
      save(write({cell("id", "Data[OrderNumber]")}, {map}), {answered(1, "1", kGood)});
  EXPECT_EQ(saved.unfit, 0);
  EXPECT_EQ(column("remark").at(0), Value{"staff"});
}

TEST_P(WriteCells, LeavesWhatStaffHasWrittenWhereNothingWasAnswered) {
  database.execute({"UPDATE orders SET remark = 'staff', score = 9 WHERE id = 1", {}});
  const auto both = write({cell("id", "Data[OrderNumber]")},
                          {cell("remark", "Answers[1200].Text"), cell("score", kScore)});
  Record silent = answered(1, "1", Null{});
  silent.at("Answers").records[0].set("Text", std::string{});
  EXPECT_EQ(save(both, {silent}).written_back, 0);
  EXPECT_EQ(column("remark").at(0), Value{"staff"});
  EXPECT_EQ(column("score").at(0), Value{std::int64_t{9}});
  save(both, {answered(1, "1", kGood)});
  EXPECT_EQ(column("remark").at(0), Value{"fine"});
  save(both, {silent});
  EXPECT_EQ(column("score").at(0), Value{Null{}}) << "the answer was taken back";
}

// A customer of an earlier order may be listed again, because of a note at the service, say.
TEST_P(WriteCells, HaveTheLaterAnswerOfARowWhicheverWasReadLast) {
  const auto on = [&](std::int64_t id, Value score, int day) {
    Record customer = answered(id, "1", std::move(score));
    customer.set("SurveyFinishedDate",
                 Instant{std::chrono::sys_days{std::chrono::year{2026} / 11 / day}});
    return customer;
  };
  const auto score_is = [&](std::int64_t expected) {
    EXPECT_EQ(column("score").at(0), Value{expected});
  };
  save(score_of_order(), {on(2, std::int64_t{9}, 20), on(1, std::int64_t{2}, 10)});
  score_is(9);
  save(score_of_order(), {on(1, std::int64_t{3}, 10)});
  score_is(9);
  save(score_of_order(), {on(3, Null{}, 25)});
  score_is(9);
  save(score_of_order(), {on(1, std::int64_t{1}, 28)});
  score_is(1);
}

TEST_P(WriteCells, FindNoRowByAnotherSpellingOfItsNumber) {
  const Saved saved = save(score_of_order(), {answered(1, "1E0", kGood), answered(2, "02", kGood),
                                              answered(3, "+3", kGood)});
  EXPECT_EQ(saved.matched_none, 3);
  EXPECT_EQ(saved.written_back, 0);
  auto map = cell("id", "Data[OrderNumber]");
  map.meanings = {{"first", config::Constant{std::int64_t{1}}, {}}};
  EXPECT_EQ(save(write({map}, {cell("score", kScore)}), {answered(4, "first", kGood)}).written_back,
            1);
}

TEST_P(WriteBits, FindARowByItsNumberWithTheZerosThatItsColumnShows) {
  database.execute({"ALTER TABLE orders MODIFY id INT(4) ZEROFILL NOT NULL", {}});
  EXPECT_EQ(save(score_of_order(), {answered(1, "0002", kGood)}).written_back, 1);
}

TEST_P(WriteCells, NeverTakesBackWhatIsOneWay) {
  const auto done = [&] { return number_in(database, "SELECT COUNT(*) FROM orders WHERE done"); };
  auto one_way = cell("done", "OptedOut");
  one_way.one_way = true;
  const auto out = write({cell("id", "Data[OrderNumber]")}, {one_way});
  Record customer = answered(1, "1", kGood);
  customer.set("OptedOut", false);
  database.execute({"UPDATE orders SET done = TRUE WHERE id = 1", {}});
  save(out, {customer});
  EXPECT_EQ(done(), 1) << "the flag that staff has set";
  Record other = answered(2, "2", kGood);
  other.set("OptedOut", true);
  save(out, {other});
  EXPECT_EQ(done(), 2);
}

TEST_P(WriteCells, IsForRecordsThatMeetItsConditions) {
  auto finished = score_of_order();
  finished.when = {{"OptedOut", {true}, {}}};
  Record out = answered(1, "1", kGood);
  out.set("OptedOut", true);
  save(finished, {out, answered(2, "2", kGood)});
  EXPECT_THAT(column("score"), ElementsAre(Value{kGood}, Value{Null{}}, Value{Null{}}));
}

TEST_P(WriteCells, IsForRecordsWithANumberInARange) {
  using Is = config::Write::Bound::Is;
  auto low = score_of_order();
  low.when = {{kScore, {}, {}, {{Is::at_least, 0}, {Is::at_most, 6}}}};
  save(low, {answered(1, "1", std::int64_t{6}), answered(2, "2", std::int64_t{7}),
             answered(3, "3", Null{})});
  EXPECT_THAT(column("score"), ElementsAre(Value{std::int64_t{6}}, Value{Null{}}, Value{Null{}}));
  low.when = {{"Data[OrderNumber]", {}, {}, {{Is::above, 1.5}, {Is::below, 3}}}};
  save(low, {answered(4, "1", kGood), answered(5, "2", kGood), answered(6, "3", kGood)});
  EXPECT_THAT(column("score"), ElementsAre(Value{std::int64_t{6}}, Value{kGood}, Value{Null{}}))
      << "a text that is a number";
  low.when = {{"Answers[1200].Text", {}, {}, {{Is::at_most, 6}}}};
  save(low, {answered(7, "3", kGood)});
  EXPECT_EQ(column("score").back(), Value{Null{}}) << "\"fine\" is no number";
  low.when = {{"OptedOut", {}, {"bridge.toml", 8, 9}, {{Is::at_most, 6}}}};
  EXPECT_THAT(problems(low),
              ElementsAre("bridge.toml:8:9: pull.customers.write.when: \"OptedOut\" is boolean: "
                          "a range is for numbers"));
}

TEST_P(WriteCells, IsForRecordsWithOneOfSeveralValues) {
  auto some = score_of_order();
  some.when = {{"Answers[1200].Text", {"open", "fine"}, {}}, {"Data[OrderNumber]", {1, 3}, {}}};
  save(some, {answered(1, "1", kGood), answered(2, "2", kGood), answered(3, "3", kGood)});
  EXPECT_THAT(column("score"), ElementsAre(Value{kGood}, Value{Null{}}, Value{kGood}));
}

// The column has room for ten characters.
TEST_P(WriteCells, CutsALongText) {
  auto remark = write({cell("id", "Data[OrderNumber]")}, {cell("remark", "Answers[1200].Text")});
  remark.set[0].max_length = 10;
  Record customer = answered(1, "1", kGood);
  customer.at("Answers").records[0].set("Text", std::string{"tr\u00E8s bien \u2713 merci"});
  EXPECT_EQ(save(remark, {customer}).unfit, 0);
  EXPECT_EQ(column("remark").front(), Value{std::string{"tr\u00E8s bien "}});
  EXPECT_EQ(save(remark, {customer}).written_back, 0) << "it stands there as it is to be";
  auto of_number = score_of_order();
  of_number.set[0].max_length = 2;
  EXPECT_THAT(problems(of_number), ElementsAre("bridge.toml:7:3: pull.customers.write.set.score: "
                                               "max_length is for a column of text"));
}

TEST_P(WriteCells, MakesARowWhereNoneMatches) {
  auto made = score_of_order();
  made.insert = true;
  const Saved saved = save(made, {answered(1, "1", kGood), answered(2, "7", std::int64_t{5})});
  EXPECT_EQ(saved.matched_none, 0);
  EXPECT_EQ(saved.written_back, 2);
  EXPECT_EQ(column("score").back(), Value{std::int64_t{5}});
  EXPECT_EQ(save(made, {answered(3, "7", std::int64_t{6})}).written_back, 1);
  EXPECT_EQ(column("score").size(), 4u) << "the next time the row is there";
}

// Parameters are cast to the types of their columns there.
class WriteTyped : public WriteBack {};
INSTANTIATE_TEST_SUITE_P(Databases, WriteTyped, every_postgresql(), server_name);

TEST_P(WriteTyped, LeavesOutTheRowWhoseMatchIsNoneThatItsColumnTakes) {
  const std::string known = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
  database.execute({"ALTER TABLE orders ADD COLUMN ref uuid", {}});
  database.execute({"UPDATE orders SET ref = '" + known + "' WHERE id = 2", {}});
  auto by_ref = write({cell("ref", "Data[OrderNumber]")}, {cell("score", kScore)});
  auto by_id = score_of_order();
  for (const bool insert : {true, false}) {
    by_ref.insert = by_id.insert = insert;
    const std::int64_t id = insert ? 1 : 11;
    database.execute({"UPDATE orders SET score = NULL", {}});
    database.execute({"DELETE FROM survey_unwritten", {}});
    const Saved refs = save(by_ref, {answered(id, "abc", kGood), answered(id + 1, known, kGood)});
    EXPECT_EQ(refs.unfit, 1);
    EXPECT_EQ(refs.written_back, 1);
    EXPECT_THAT(refs.unwritten, ElementsAre(UnwrittenSort{
                                    "orders", "ref", "the value is none that the column takes"}));
    const Saved ids =
        save(by_id, {answered(id + 2, "5000000000", kGood), answered(id + 3, "1", kGood)});
    EXPECT_EQ(ids.unfit, 1);
    EXPECT_EQ(ids.written_back, 1);
    EXPECT_THAT(ids.unwritten, ElementsAre(UnwrittenSort{
                                   "orders", "id", "the number is too large for the column"}));
    EXPECT_THAT(column("score"), ElementsAre(Value{kGood}, Value{kGood}, Value{Null{}}));
  }
}

TEST_P(WriteTyped, MakesTheRowWithoutTheCellThatItsColumnDoesNotTake) {
  database.execute({"ALTER TABLE orders ADD COLUMN ref uuid", {}});
  auto made = write({cell("id", "Data[OrderNumber]")},
                    {cell("score", kScore), cell("ref", "Answers[1200].Text")});
  made.insert = true;
  const Saved saved = save(made, {answered(1, "7", kGood)});
  EXPECT_EQ(saved.written_back, 1);
  EXPECT_THAT(saved.unwritten, ElementsAre(UnwrittenSort{
                                   "orders", "ref", "the value is none that the column takes"}));
  EXPECT_EQ(column("score").back(), Value{kGood});
}

TEST_P(WriteCells, FillsFromWhatWasStoredBeforeItWasConfigured) {
  PullStore(database, mapping::customer(), {})
      .save({answered(1, "1", kGood), answered(2, "2", std::int64_t{5})}, walk_of_all(),
            std::nullopt);
  WrittenBack saved;
  WriteBackStore tables(database, database, mapping::customer(), {score_of_order()});
  EXPECT_EQ(tables.write_again("customers", {}, database.now(), saved), 2);
  EXPECT_EQ(saved.written_back, 2);
  EXPECT_THAT(column("score"), ElementsAre(Value{kGood}, Value{std::int64_t{5}}, Value{Null{}}));
  EXPECT_EQ(tables.write_again("customers", {}, database.now(), saved), 0);
}

TEST_P(WriteCells, WritesAnewWhatIsConfiguredAnew) {
  WrittenBack saved;
  WriteBackStore first(database, database, mapping::customer(), {score_of_order()});
  first.write_again("customers", {}, database.now(), saved);
  PullStore(database, mapping::customer(), {score_of_order()})
      .save({answered(1, "1", kGood)}, walk_of_all(), std::nullopt);
  EXPECT_EQ(first.write_again("customers", {}, database.now(), saved), 0);
  WriteBackStore changed(database, database, mapping::customer(),
                         {write({cell("id", "Data[OrderNumber]")},
                                {cell("score", kScore), cell("remark", "Answers[1200].Text")})});
  EXPECT_EQ(changed.write_again("customers", {}, database.now(), saved), 1);
  EXPECT_EQ(changed.write_again("customers", {}, database.now(), saved), 0);
  EXPECT_EQ(column("remark").at(0), Value{"fine"});
  WriteMarks(database, "customers").begin_anew();
  EXPECT_EQ(changed.write_again("customers", {}, database.now(), saved), 1)
      << "by hand, all of them once more";
}

TEST_P(WriteCells, TriesAgainWhatMetNoRow) {
  WrittenBack saved;
  WriteBackStore tables(database, database, mapping::customer(), {score_of_order()});
  tables.write_again("customers", {}, database.now(), saved);
  PullStore(database, mapping::customer(), {score_of_order()})
      .save({answered(1, "9", kGood), answered(2, "2", kGood)}, walk_of_all(), std::nullopt);
  EXPECT_EQ(tables.write_again("customers", {}, database.now() - 1h, saved), 0);
  database.advance(2h);
  EXPECT_EQ(tables.write_again("customers", {}, database.now() - 1h, saved), 1);
  EXPECT_EQ(saved.written_back, 0);
  database.execute({"INSERT INTO orders (id, code) VALUES (9, 'late')", {}});
  database.advance(2h);
  EXPECT_EQ(tables.write_again("customers", {}, database.now() - 1h, saved), 1);
  EXPECT_EQ(saved.written_back, 1);
  EXPECT_EQ(column("score").back(), Value{kGood});
  database.advance(2h);
  EXPECT_EQ(tables.write_again("customers", {}, database.now() - 1h, saved), 0);
}

INSTANTIATE_TEST_SUITE_P(Databases, WriteCells, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
