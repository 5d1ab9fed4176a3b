#include "mapping/interface/path.hpp"

#include <gtest/gtest.h>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {
namespace {

using namespace std::string_literals;

Record& add(Record& to, std::string_view list) {
  auto& records = to.at(list).records;
  const Field* field = to.resource->find(list);
  return records.emplace_back(*field->of);
}

void add_data(Record& to, std::int64_t id, std::string name, std::string value) {
  Record& item = add(to, "Data");
  item.set("CustomerDataColumnId", id);
  item.set("Name", std::move(name));
  item.set("Value", std::move(value));
}

Record answered_customer() {
  Record record(customer());
  record.set("Id", std::int64_t{17});
  add(record, "Status").set("StatusName", "Finished"s);
  add_data(record, 7, "OrderNumber", "A-1");
  add_data(record, 8, "order.no", "A-0");
  add(record, "Answers").set("BaseQuestionId", std::int64_t{1100});
  Record& answer = add(record, "Answers");
  answer.set("BaseQuestionId", std::int64_t{1200});
  add(answer, "SelectedScalePositions").set("Value", std::int64_t{9});
  add(answer, "SelectedScalePositions").set("Value", std::int64_t{4});
  add(record, "Answers").set("BaseQuestionId", std::int64_t{1200});
  return record;
}

Value read(std::string_view path, const Record& record) {
  auto parsed = Path::parse(path, *record.resource);
  if (const auto* fault = std::get_if<std::string>(&parsed)) {
    ADD_FAILURE() << *fault;
    return Null{};
  }
  return std::get<Path>(parsed).read(record);
}

std::string fault(std::string_view path, const Resource& root) {
  auto parsed = Path::parse(path, root);
  const auto* fault = std::get_if<std::string>(&parsed);
  return fault ? *fault : "none";
}

TEST(Path, ReadsFieldsAndNestedFields) {
  EXPECT_EQ(read("Id", answered_customer()), Value{std::int64_t{17}});
  EXPECT_EQ(read("Status.StatusName", answered_customer()), Value{"Finished"s});
}

TEST(Path, FindsDataByNameOrNumber) {
  const Record record = answered_customer();
  EXPECT_EQ(read("Data[ordernumber]", record), Value{"A-1"s});
  EXPECT_EQ(read("Data[OrderNumber].Value", record), Value{"A-1"s});
  EXPECT_EQ(read("Data[7].Name", record), Value{"OrderNumber"s});
  EXPECT_EQ(read("Data[order.no]", record), Value{"A-0"s});
  EXPECT_EQ(read("Data[9]", record), Value{Null{}});
}

TEST(Path, FindsAnswersByQuestionAndTheirItemsByPosition) {
  const Record record = answered_customer();
  EXPECT_EQ(read("Answers[1200].SelectedScalePositions[0].Value", record), Value{std::int64_t{9}});
  EXPECT_EQ(read("Answers[1200].SelectedScalePositions[1].Value", record), Value{std::int64_t{4}});
  EXPECT_EQ(read("Answers[1200].SelectedScalePositions[2].Value", record), Value{Null{}});
  EXPECT_EQ(read("Answers[1].Text", record), Value{Null{}});
}

TEST(Path, IsNullWhereAnObjectIsAbsent) {
  const Record empty(customer());
  EXPECT_EQ(read("Status.StatusName", empty), Value{Null{}});
  EXPECT_EQ(read("Data[OrderNumber]", empty), Value{Null{}});
  EXPECT_EQ(read("Email", empty), Value{Null{}});
}

TEST(Path, FindsARatingsDataByDisplayNameAndAnswersByQuestion) {
  Record record(rating());
  Record& data = add(record, "Data");
  data.set("DisplayName", "Order number"s);
  data.set("Value", "A-1"s);
  Record& answer = add(record, "Answers");
  answer.set("QuestionId", std::int64_t{5});
  answer.set("Score", std::int64_t{8});
  EXPECT_EQ(read("Data[Order number]", record), Value{"A-1"s});
  EXPECT_EQ(read("Answers[5].Score", record), Value{std::int64_t{8}});
}

TEST(Path, KnowsTheTypeOfWhatItReads) {
  EXPECT_EQ(std::get<Path>(Path::parse("Review.ReviewStatus", customer())).type(),
            Type::enumeration);
  EXPECT_EQ(std::get<Path>(Path::parse("Data[x]", bouncer())).type(), Type::text);
}

TEST(Path, SaysWhatIsWrongWithIt) {
  const struct {
    std::string_view path, fault;
  } cases[] = {
      {"Stauts.StatusName", "Customer has no field \"Stauts\" (did you mean \"Status\"?)"},
      {"status.StatusName", "Customer has no field \"status\" (did you mean \"Status\"?)"},
      {"Status", "Status is an object: name a field of it"},
      {"Status[0].StatusName", "Status is no list"},
      {"Status.StatusName.x", "StatusName has no fields of its own"},
      {"Email[0]", "Email is no list"},
      {"Answers", "Answers is a list: say which, as Answers[0]"},
      {"Answers[1200]", "Answers holds objects: name a field of it"},
      {"Answers[x].Text", "Answers[x]: expected a number from 0"},
      {"Answers[1].SelectedScalePositions[-1].Id",
       "SelectedScalePositions[-1]: expected a number from 0"},
      {"Answers[99999999999999999999].Text",
       "Answers[99999999999999999999]: expected a number from 0"},
      {"Data", "Data is a list: say which, as Data[0]"},
      {"Data[]", "Data[] says not which"},
      {"Data[x", "\"[\" without \"]\""},
      {"Data[x]Value", "expected \".\" before \"Value\""},
      {"Data[x].Value.", "a path is written Field, Field.Field or Field[x].Field"},
      {"", "a path is written Field, Field.Field or Field[x].Field"},
      {".Id", "a path is written Field, Field.Field or Field[x].Field"},
      {"Status..StatusName", "a path is written Field, Field.Field or Field[x].Field"},
  };
  for (const auto& [path, expected] : cases)
    EXPECT_EQ(fault(path, customer()), expected);
  EXPECT_EQ(fault(std::string(2000, 'x'), customer()), "a path has at most 1024 bytes");
  EXPECT_EQ(fault("AnswersToCopy", import_customer()),
            "AnswersToCopy holds several values: a path means one");
}

}  // namespace
}  // namespace surveybridge::mapping
