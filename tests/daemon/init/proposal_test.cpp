#include "daemon/init/proposal.hpp"

#include <gmock/gmock.h>

namespace surveybridge::daemon {
namespace {

using crm::ColumnKind;
using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<mapping::DataColumn> kDataColumns = {{11, "OrderNumber", "", true, false},
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

Proposal proposed(const std::vector<std::string>& names, const Chosen& chosen = {}) {
  return propose(crm::Dialect::postgresql, columns_called(names), kDataColumns, chosen);
}

TEST(Proposals, FollowNamesWhateverTheirCaseAndSeparators) {
  const auto found =
      proposed({"id", "ORDER_NO", "E-Mail", "first name", "surname", "delivered_at"});
  EXPECT_EQ(found.key, "ORDER_NO");
  EXPECT_EQ(found.when, "delivered_at");
  EXPECT_EQ(found.email, "E-Mail");
  EXPECT_EQ(found.correlate, "OrderNumber");
  EXPECT_THAT(found.data,
              ElementsAre(MapLine{"OrderNumber", "ORDER_NO"}, MapLine{"FirstName", "first name"},
                          MapLine{"LastName", "surname"}, MapLine{"Mail", "E-Mail"}));
}

TEST(Proposals, TakeTheKeyForTheNumberOfTheTransaction) {
  const auto found = proposed({"id", "mail", "created_at"});
  EXPECT_EQ(found.key, "id");
  EXPECT_EQ(found.correlate, "OrderNumber");
  EXPECT_THAT(found.data, ElementsAre(MapLine{"OrderNumber", "id"}, MapLine{"Mail", "mail"}));
}

TEST(Proposals, PreferADateWithAKnownNameAndTakeNoText) {
  EXPECT_EQ(proposed({"id", "touched_at", "delivered_at"}).when, "delivered_at");
  EXPECT_EQ(proposed({"id", "touched_at", "date"}).when, "") << "date is a text here";
  EXPECT_EQ(proposed({"id", "date"}).when, "");
  EXPECT_EQ(propose(crm::Dialect::sqlite, columns_called({"id", "date"}), {}, {}).when, "date")
      << "SQLite keeps dates as texts";
}

TEST(Proposals, TakeNoDateThatEachChangeOfARowMoves) {
  const auto columns = columns_called({"id", "created_at", "delivered_at"});
  const auto when = [&](const std::vector<std::string>& moving) {
    return propose(crm::Dialect::mariadb, columns, {}, {}, moving).when;
  };
  const std::string first = when({});
  EXPECT_NE(when({first}), first);
  EXPECT_NE(when({first}), "");
  EXPECT_EQ(when({"created_at", "delivered_at"}), "");
}

TEST(Proposals, KeepWhatIsChosen) {
  Chosen chosen;
  chosen.key = "id";
  chosen.data = {{"firstname", "nick"}, {"LastName", ""}, {"Unknown", "nick"}};
  const auto found =
      proposed({"id", "order_no", "email", "first_name", "last_name", "nick", "paid_at"}, chosen);
  EXPECT_EQ(found.key, "id");
  EXPECT_THAT(found.data, ElementsAre(MapLine{"OrderNumber", "id"}, MapLine{"FirstName", "nick"},
                                      MapLine{"Mail", "email"}, MapLine{"Unknown", "nick"}));
}

TEST(Proposals, AreEmptyWhereNoNameFits) {
  const auto found = proposed({"a", "b"});
  EXPECT_EQ(found.key + found.when + found.email + found.correlate, "");
  EXPECT_THAT(found.data, IsEmpty());
}

TEST(Proposals, NameADataColumnByItsNumberWhereItsNameIsNotUnique) {
  const std::vector<mapping::DataColumn> twins = {{7, "FirstName", "", false, false},
                                                  {8, "firstname", "", false, false},
                                                  {9, "", "Last name", false, false}};
  const auto found =
      propose(crm::Dialect::mariadb, columns_called({"first_name", "last_name"}), twins, {});
  EXPECT_THAT(found.data, ElementsAre(MapLine{"7", "first_name"}, MapLine{"8", "first_name"},
                                      MapLine{"9", "last_name"}));
}

TEST(Proposals, LeaveArchivedDataColumnsOut) {
  const std::vector<mapping::DataColumn> archived = {{1, "FirstName", "", false, true}};
  const auto found = propose(crm::Dialect::mariadb, columns_called({"first_name"}), archived, {});
  EXPECT_THAT(found.data, IsEmpty());
}

}  // namespace
}  // namespace surveybridge::daemon
