// What a case of a folder (cases_test.cpp) cannot show: settings that the configuration would not
// let through, rows that no query gives.
#include "mapping/mapper.hpp"

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
  const std::string rule = ": carries the key: it must be the column \"id\" and no more";
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
      std::vector<std::string>{"push.x.correlate: the service has no data column \"OrderNr\""});
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
