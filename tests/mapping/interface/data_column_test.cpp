// Which data column a name means, and what a customer's Data holds in it.
#include "mapping/interface/data_column.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge::mapping;

const std::vector<DataColumn> kKnown = {{9, "OrderNumber", "Order number", false, true},
                                        {1, "OrderNumber", "Order number", false, false},
                                        {2, "Shop", "Where bought", false, false},
                                        {3, "OldShop", "", false, true}};

std::int64_t id_of(const std::string& name) {
  const auto found = find_column(name, kKnown);
  return std::holds_alternative<DataColumn>(found) ? std::get<DataColumn>(found).id : -1;
}

std::string fault_of(const std::string& name, const std::vector<DataColumn>& known = kKnown) {
  return std::get<std::string>(find_column(name, known));
}

Record item(std::int64_t id, const std::string& name, const std::string& value) {
  Record item(customer_data());
  if (id != 0) item.set("CustomerDataColumnId", id);
  if (!name.empty()) item.set("Name", name);
  item.set("Value", value);
  return item;
}

Record customer_with(std::vector<Record> items) {
  Record record(customer());
  record.at("Data").records = std::move(items);
  return record;
}

TEST(FindColumn, TakesNameDisplayNameAndNumberInAnyCase) {
  EXPECT_EQ(id_of("SHOP"), 2);
  EXPECT_EQ(id_of("where BOUGHT"), 2);
  EXPECT_EQ(id_of("2"), 2);
}

TEST(FindColumn, TakesTheLiveOneOfTwoThoughTheArchivedOneIsListedFirst) {
  EXPECT_EQ(id_of("OrderNumber"), 1);
  EXPECT_EQ(id_of("order number"), 1);
}

TEST(FindColumn, TakesAnArchivedOneWhereNoOtherFits) {
  EXPECT_EQ(id_of("OldShop"), 3);
  EXPECT_EQ(id_of("9"), 9);
}

TEST(FindColumn, SaysWhyThereIsNone) {
  EXPECT_EQ(fault_of("Shopp"), "the service has no data column \"Shopp\" (did you mean \"Shop\"?)");
  EXPECT_EQ(fault_of("Where bougt"),
            "the service has no data column \"Where bougt\" (did you mean \"Where bought\"?)");
  EXPECT_EQ(fault_of("Rating"),
            "the service has no data column \"Rating\" (it has \"OrderNumber\", \"Shop\")");
  EXPECT_EQ(fault_of("Rating", {}), "the service has no data column \"Rating\"");
  EXPECT_EQ(fault_of("Shop", {{2, "Shop", "", false, false}, {4, "Other", "Shop", false, false}}),
            "several data columns are called \"Shop\"; write one of their numbers: 2, 4");
}

TEST(DataValue, OfTwinsIsThatOfTheNumber) {
  const auto both = customer_with({item(9, "OrderNumber", "old"), item(1, "OrderNumber", "new")});
  EXPECT_EQ(data_value(both, kKnown[1]), "new");
  EXPECT_EQ(data_value(customer_with({item(9, "OrderNumber", "old")}), kKnown[1]), "");
}

TEST(DataValue, IsFoundBehindAnEmptyOneOfItsColumn) {
  const auto twice = customer_with({item(1, "OrderNumber", ""), item(1, "OrderNumber", "1")});
  EXPECT_EQ(data_value(twice, kKnown[1]), "1");
}

TEST(DataValue, IsFoundWithoutANumberAndWithoutAName) {
  EXPECT_EQ(data_value(customer_with({item(0, "ordernumber", "1")}), kKnown[1]), "1");
  EXPECT_EQ(data_value(customer_with({item(0, "Order number", "1")}), kKnown[1]), "1");
  EXPECT_EQ(data_value(customer_with({item(1, "", "1")}), kKnown[1]), "1");
}

TEST(DataValue, OfAColumnAsWrittenGoesByWhatIsWritten) {
  const auto record = customer_with({item(7, "Shop", "x")});
  EXPECT_EQ(data_value(record, column_as_written("shop")), "x");
  EXPECT_EQ(data_value(record, column_as_written("7")), "x");
  EXPECT_EQ(data_value(record, column_as_written("8")), "");
}

}  // namespace
