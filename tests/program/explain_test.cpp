// `surveybridge explain` where the database's collation or the ledger alone would tell it wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/bridge_and_crm.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Explain : public BridgeAndCrm {};

TEST_P(Explain, FindsARowThatWaitsByTheAddressOfThePerson) {
  auto rows = orders(3);
  rows[1].email = " ANN@Example.test";
  crm_.insert(rows);
  ASSERT_EQ(command({"sync", "pull"}).status, 0);  // makes the tables
  const auto waits = command({"explain", "ann@example.test"});
  EXPECT_EQ(waits.status, 0) << waits.err;
  EXPECT_THAT(waits.out, StartsWith("push.orders: transaction " + std::to_string(rows[1].id) +
                                    ": not in the ledger: the query returns it, and it waits to be "
                                    "sent"));
  const auto nobody = command({"explain", "bob@example.test"});
  EXPECT_EQ(nobody.status, 1);
  EXPECT_THAT(nobody.err, HasSubstr("and no query returns one that waits to be sent"));
  EXPECT_THAT(nobody.err, Not(HasSubstr("bob")));
}

// By MariaDB's usual collations a blank at the end is nothing, and "X" is "x".
TEST_P(Explain, ShowsTheCustomerOfThisKeyOnly) {
  crm_.insert(orders(1));
  ASSERT_EQ(command({"sync"}).status, 0);
  ASSERT_EQ(command({"sync", "pull"}).status, 0);
  crm_.execute("UPDATE survey_push SET customer_id = NULL");
  ASSERT_THAT(command({"explain", "1"}).out, HasSubstr("at the service\n"));
  crm_.execute("UPDATE survey_customer_data SET value = '1 ' WHERE value = '1'");
  EXPECT_THAT(command({"explain", "1"}).out, Not(HasSubstr("at the service\n")));
}

INSTANTIATE_TEST_SUITE_P(Databases, Explain,
                         testing::Values(Server::sqlite, Server::postgresql, Server::mariadb),
                         server_name);

}  // namespace
}  // namespace program
