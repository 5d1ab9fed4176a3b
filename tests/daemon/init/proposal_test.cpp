#include "daemon/init/proposal.hpp"

#include <gmock/gmock.h>

namespace surveybridge::daemon {
namespace {

using crm::ColumnKind;
using testing::ElementsAre;
using testing::IsEmpty;

const DataColumns kDataColumns = {{11, "OrderNumber", "", true, false},
                                  {12, "FirstName", "", false, false},
                                  {13, "LastName", "", false, false},
                                  {14, "Mail", "", false, false}};

std::vector<crm::Column> columns_called(const std::vector<std::string>& names) {
  std::vector<crm::Column> columns;
  for (const auto& name : names) {
    const bool dated = name.ends_with("_at") || name.ends_with("Date");
    columns.push_back({name, dated ? ColumnKind::local_time : ColumnKind::text});
  }
  return columns;
}

std::vector<MapLine> data_of(const std::vector<std::string>& names, const std::string& key,
                             const std::string& email = "",
                             const std::vector<MapLine>& chosen = {}) {
  return proposed_data(columns_called(names), kDataColumns, key, email, chosen);
}

std::string when_of(crm::Dialect dialect, const std::vector<std::string>& names,
                    const std::vector<std::string>& moving = {}) {
  return proposed_when(dialect, columns_called(names), moving);
}

TEST(Proposals, FollowNamesWhateverTheirCaseAndSeparators) {
  const std::vector<std::string> names = {"id",         "ORDER_NO", "E-Mail",
                                          "first name", "surname",  "delivered_at"};
  EXPECT_EQ(proposed_key(columns_called(names), kDataColumns), "ORDER_NO");
  EXPECT_EQ(when_of(crm::Dialect::postgresql, names), "delivered_at");
  EXPECT_EQ(proposed_email(columns_called(names)), "E-Mail");
  EXPECT_THAT(data_of(names, "ORDER_NO", "E-Mail"),
              ElementsAre(MapLine{"OrderNumber", "ORDER_NO"}, MapLine{"FirstName", "first name"},
                          MapLine{"LastName", "surname"}, MapLine{"Mail", "E-Mail"}));
}

TEST(Proposals, TakeTheKeyForTheNumberOfTheTransaction) {
  const std::vector<std::string> names = {"id", "mail", "created_at"};
  EXPECT_EQ(proposed_key(columns_called(names), kDataColumns), "id");
  EXPECT_THAT(data_of(names, "id"),
              ElementsAre(MapLine{"OrderNumber", "id"}, MapLine{"Mail", "mail"}));
}

TEST(Proposals, PreferADateWithAKnownNameAndTakeNoText) {
  const auto dialect = crm::Dialect::postgresql;
  EXPECT_EQ(when_of(dialect, {"id", "touched_at", "delivered_at"}), "delivered_at");
  EXPECT_EQ(when_of(dialect, {"id", "touched_at", "date"}), "") << "date is a text here";
  EXPECT_EQ(when_of(dialect, {"id", "date"}), "");
  EXPECT_EQ(when_of(crm::Dialect::sqlite, {"id", "date"}), "date") << "SQLite keeps texts";
}

TEST(Proposals, TakeNoDateThatEachChangeOfARowMoves) {
  const std::vector<std::string> names = {"id", "created_at", "delivered_at"};
  const std::string first = when_of(crm::Dialect::mariadb, names);
  EXPECT_NE(when_of(crm::Dialect::mariadb, names, {first}), first);
  EXPECT_NE(when_of(crm::Dialect::mariadb, names, {first}), "");
  EXPECT_EQ(when_of(crm::Dialect::mariadb, names, {"created_at", "delivered_at"}), "");
}

TEST(Proposals, KeepWhatIsChosen) {
  const std::vector<MapLine> chosen = {
      {"firstname", "nick"}, {"LastName", ""}, {"Unknown", "nick"}};
  const auto lines =
      data_of({"id", "order_no", "email", "first_name", "last_name", "nick", "paid_at"}, "id",
              "email", chosen);
  EXPECT_THAT(lines, ElementsAre(MapLine{"OrderNumber", "id"}, MapLine{"FirstName", "nick"},
                                 MapLine{"Mail", "email"}, MapLine{"Unknown", "nick"}));
}

TEST(Proposals, FindTablesOfTransactionsByWordsAndByTheirCells) {
  const auto look = [](const std::string& table, const std::vector<std::string>& columns,
                       const std::vector<std::vector<mapping::Value>>& rows = {}) {
    return likelihood(crm::Dialect::postgresql, table, {columns_called(columns), rows});
  };
  EXPECT_EQ(look("llx_commande", {"a", "b"}), 0);
  EXPECT_EQ(look("sale_order", {"a", "b"}), 1);
  EXPECT_EQ(look("t", {"delivered_at", "mail"}), 4);
  EXPECT_EQ(look("Tickets", {"closed_at", "email"}), 5);
  EXPECT_EQ(look("t", {"a"}, {{mapping::Null{}}, {std::string("ada@example.test")}}), 2);
  EXPECT_EQ(look("t", {"a"}, {{std::string("no address")}, {std::int64_t{7}}}), 0);
}

TEST(Proposals, AreEmptyWhereNoNameFits) {
  const auto columns = columns_called({"a", "b"});
  EXPECT_EQ(proposed_key(columns, kDataColumns) + proposed_email(columns), "");
  EXPECT_EQ(when_of(crm::Dialect::postgresql, {"a", "b"}), "");
  EXPECT_THAT(data_of({"a", "b"}, ""), IsEmpty());
}

TEST(Proposals, NameADataColumnByItsNumberWhereItsNameIsNotUnique) {
  const DataColumns twins = {{7, "FirstName", "", false, false},
                             {8, "firstname", "", false, false},
                             {9, "", "Last name", false, false}};
  const auto lines = proposed_data(columns_called({"first_name", "last_name"}), twins, "", "", {});
  EXPECT_THAT(lines, ElementsAre(MapLine{"7", "first_name"}, MapLine{"8", "first_name"},
                                 MapLine{"9", "last_name"}));
}

TEST(Proposals, LeaveArchivedDataColumnsOut) {
  const DataColumns archived = {{1, "FirstName", "", false, true}};
  EXPECT_THAT(proposed_data(columns_called({"first_name"}), archived, "", "", {}), IsEmpty());
}

}  // namespace
}  // namespace surveybridge::daemon
