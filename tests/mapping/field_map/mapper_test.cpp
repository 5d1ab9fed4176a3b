// What the cases of cases_test.cpp cannot contain: settings that the configuration would refuse,
// rows that no query returns.
#include "mapping/field_map/mapper.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace surveybridge::mapping {
namespace {

using namespace std::string_literals;

config::FieldRule from_column(std::string field, std::string column) {
  config::FieldRule rule;
  rule.field = std::move(field);
  rule.source.column = std::move(column);
  return rule;
}

config::Push push() {
  config::Push settings;
  settings.name = "x";
  settings.key = "id";
  settings.when = "at";
  settings.customer.rules = {from_column("Email", "email")};
  return settings;
}

std::vector<std::string> rules(const std::variant<Mapper, std::vector<config::Problem>>& made) {
  std::vector<std::string> found;
  if (const auto* problems = std::get_if<std::vector<config::Problem>>(&made)) {
    for (const auto& problem : *problems)
      found.push_back(problem.key + ": " + problem.rule);
  }
  return found;
}

TEST(Mapper, MapsARow) {
  const auto made = Mapper::make(push(), {"id", "at", "email"}, {}, "UTC");
  ASSERT_EQ(rules(made), std::vector<std::string>{});
  const Mapped mapped = std::get<Mapper>(made).map({"1", {"1"s, Null{}, "a@b.test"s}});
  EXPECT_EQ(std::get<Record>(mapped).value("Email"), Value{"a@b.test"s});
}

// A mapper of one answer with a file that the column "file" names, and what it read.
struct FileMapper {
  std::vector<std::string> read;
  Mapper mapper = make();

  Mapper make() {
    config::Push settings = push();
    config::FieldRule answers, files, content = from_column("Data", "file");
    content.source.folder = "/srv/files";
    content.source.trim = true;
    content.source.max_bytes = 5;
    files.field = "FileAnswers";
    files.items = {{{}, {content}}};
    answers.field = "Answers";
    answers.items = {{{}, {files}}};
    settings.customer.rules.push_back(answers);
    const auto reader = [this](const std::string& folder, const std::string& name,
                               std::size_t most) -> Coerced {
      read.push_back(folder + " " + name + " " + std::to_string(most));
      if (name == "gone") return ConversionError{"is not there"};
      if (name == "away") throw std::runtime_error("/srv/files: not mounted");
      return Value{Bytes{std::string(name.size(), 'x')}};
    };
    return std::get<Mapper>(
        Mapper::make(settings, {"id", "at", "email", "file"}, {}, "UTC", reader));
  }
  Mapped map(const Value& file) const {
    return mapper.map({"1", {"1"s, Null{}, "a@b.test"s, file}});
  }
};

TEST(Mapper, TakesForAFileWhatIsInIt) {
  FileMapper files;
  const Mapped mapped = files.map(" a.pdf "s);
  const auto& answer = std::get<Record>(mapped).at("Answers").records.at(0);
  EXPECT_EQ(answer.at("FileAnswers").records.at(0).value("Data"), Value{Bytes{"xxxxx"}});
  EXPECT_EQ(files.read, std::vector<std::string>{"/srv/files a.pdf 5"});
}

TEST(Mapper, LeavesOutAnAnswerWithoutAFile) {
  const FileMapper files;
  for (const Value& none : {Value{Null{}}, Value{""s}, Value{"  "s}})
    EXPECT_TRUE(std::get<Record>(files.map(none)).at("Answers").records.empty());
  EXPECT_TRUE(files.read.empty());
}

TEST(Mapper, SaysWhyAFileCannotGoAndNeverWhatItIsCalled) {
  const FileMapper files;
  const auto reason = [&](const Value& file) {
    return std::get<Unmappable>(files.map(file)).reason;
  };
  const std::string at = "Answers[0].FileAnswers[0].Data: ";
  EXPECT_EQ(reason("gone"s), at + "the file named by the column \"file\" is not there");
  EXPECT_EQ(reason("larger"s), at + "the column \"file\" holds more than 5 bytes")
      << "what brings too much is not trusted either";
  EXPECT_EQ(reason("\xFF"s), at + "not UTF-8");
}

TEST(Mapper, LeavesToOthersAFolderThatIsAway) {
  EXPECT_THROW(FileMapper().map("away"s), std::runtime_error);
}

TEST(Mapper, WantsTheColumnsOfKeyAndDate) {
  EXPECT_EQ(rules(Mapper::make(push(), {"idd", "email"}, {}, "UTC")),
            (std::vector<std::string>{
                "push.x.key: the query has no column \"id\" (did you mean \"idd\"?)",
                "push.x.when: the query has no column \"at\""}));
}

TEST(Mapper, WantsAZoneThatExists) {
  EXPECT_EQ(rules(Mapper::make(push(), {"id", "at", "email"}, {}, "Europe/Atlantis")),
            std::vector<std::string>{"crm.time_zone: \"Europe/Atlantis\" is no time zone"});
}

TEST(Mapper, RefusesARowOfAnotherWidth) {
  const auto made = Mapper::make(push(), {"id", "at", "email"}, {}, "UTC");
  const Mapped mapped = std::get<Mapper>(made).map({"1", {"1"s}});
  EXPECT_EQ(std::get<Unmappable>(mapped).reason, "the row has 1 cells, the query 3 columns");
}

config::DataRule data(std::string column, std::string from) {
  config::DataRule rule;
  rule.column = std::move(column);
  rule.source.column = std::move(from);
  return rule;
}

const std::vector<std::string> kColumns = {"id", "at", "email"};
const std::vector<DataColumn> kKnown = {{7, "OrderNumber", "Order number", true, false}};

TEST(Mapper, CarriesTheKeyThoughNothingMapsIt) {
  config::Push settings = push();
  settings.correlate = "ordernumber";
  const auto made = Mapper::make(settings, kColumns, kKnown, "UTC");
  ASSERT_EQ(rules(made), std::vector<std::string>{});
  const Mapped mapped = std::get<Mapper>(made).map({"A-17", {"17"s, Null{}, "a@b.test"s}});
  const auto& items = std::get<Record>(mapped).at("Data").records;
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].value("CustomerDataColumnId"), Value{std::int64_t{7}});
  EXPECT_EQ(items[0].value("Value"), Value{"A-17"s});
}

TEST(Mapper, LetsNothingElseIntoTheColumnThatCarriesTheKey) {
  const std::string rule =
      ": carries the key: it must be the column \"id\", which push.x.key names, and no more";
  config::Push settings = push();
  settings.correlate = "OrderNumber";
  settings.data = {data("Order Number", "email")};
  EXPECT_EQ(rules(Mapper::make(settings, kColumns, kKnown, "UTC")),
            std::vector<std::string>{"push.x.customer.Data.Order Number" + rule});
  settings.data = {data("OrderNumber", "id")};
  EXPECT_EQ(rules(Mapper::make(settings, kColumns, kKnown, "UTC")), std::vector<std::string>{});
  settings.data[0].source.max_length = 3;
  EXPECT_EQ(rules(Mapper::make(settings, kColumns, kKnown, "UTC")),
            std::vector<std::string>{"push.x.customer.Data.OrderNumber" + rule});
}

TEST(Mapper, WantsTheColumnThatCarriesTheKeyAtTheService) {
  config::Push settings = push();
  settings.correlate = "OrderNr";
  EXPECT_EQ(
      rules(Mapper::make(settings, kColumns, {{7, "Other", "", false, false}}, "UTC")),
      std::vector<std::string>{"push.x.correlate: the service has no data column \"OrderNr\" (it "
                               "has \"Other\")"});
}

TEST(Mapper, RefusesAKeyThatIsNoText) {
  config::Push settings = push();
  settings.correlate = "OrderNumber";
  const auto made = Mapper::make(settings, {"id", "at", "email"}, {}, "UTC");
  const Mapped mapped = std::get<Mapper>(made).map({"\xFF", {"1"s, Null{}, "a@b.test"s}});
  EXPECT_EQ(std::get<Unmappable>(mapped).reason, "Data[OrderNumber]: the key is not UTF-8");
}

}  // namespace
}  // namespace surveybridge::mapping
