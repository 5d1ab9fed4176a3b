// `surveybridge preview`: what becomes of the rows that wait, however many they are; and `explain`
// where the database's collation or the ledger alone would tell it wrong.
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge.hpp"
#include "tests/program/bridge_and_crm.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class PreviewOf : public testing::TestWithParam<Server> {
 protected:
  support::Finished preview(const Arguments& more = {}) {
    Arguments words = {"preview", "-c", config_};
    words.insert(words.end(), more.begin(), more.end());
    return bridge(words);
  }
  // The keys of the lines that end with this.
  static std::multiset<std::string> keys(const std::string& out, const std::string& end) {
    std::multiset<std::string> found;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);)
      if (line.ends_with(" " + end)) found.insert(line.substr(2, line.find(' ', 2) - 2));
    return found;
  }

  Crm crm_{GetParam()};
  const SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  const std::string config_ =
      folder_.write("bridge.toml", configuration(crm_.connection(), sandbox_.url()));
};

INSTANTIATE_TEST_SUITE_P(Databases, PreviewOf,
                         testing::Values(Server::sqlite, Server::postgresql, Server::mariadb),
                         server_name);

// Where the database makes no difference to what is proved.
class PreviewOnSqlite : public PreviewOf {};
INSTANTIATE_TEST_SUITE_P(Database, PreviewOnSqlite, testing::Values(Server::sqlite), server_name);

// The second row is looked at again once the first one has gone out.
TEST_P(PreviewOnSqlite, TellsWhatContactWillSayOfARowWhosePersonIsMailedBefore) {
  auto rows = orders(3);
  rows[2].email = rows[0].email;
  crm_.insert(rows);
  const std::multiset<std::string> repeated{std::to_string(rows[2].id)};
  const auto with_contact = [&](const std::string& rule) {
    folder_.write("bridge.toml", configuration(crm_.connection(), sandbox_.url()) +
                                     "\n[suppress]\ncontact = { " + rule + " }\n");
    return preview().out;
  };
  const auto foretold = [&](const std::string& out, const std::string& what) {
    EXPECT_THAT(out, HasSubstr("once another row of this person has gone out: " + what));
    return keys(out, "at most once in 90 days");
  };
  const auto answered = with_contact("days = 90, since = \"answer\"");
  EXPECT_EQ(keys(answered, "goes out").size(), 2u) << answered;
  EXPECT_EQ(keys(answered, "in a later batch"), repeated) << answered;
  const auto delayed = with_contact("days = 90, then = \"delay\"");
  EXPECT_EQ(foretold(delayed, "not before 2"), repeated) << delayed;
  const auto suppressed = with_contact("days = 90");
  EXPECT_EQ(keys(suppressed, "goes out").size(), 2u) << suppressed;
  EXPECT_EQ(foretold(suppressed, "suppressed: invited on 2"), repeated) << suppressed;
  bridge({"sync", "push", "-c", config_});
  EXPECT_THAT(bridge({"explain", std::to_string(rows[2].id), "-c", config_}).out,
              HasSubstr("suppressed: invited on 2"))
      << "and so it comes";
}

TEST_P(PreviewOnSqlite, SaysWhatKeepsThePushFromSending) {
  crm_.insert(orders(1));
  const auto held = [&](const std::string& text) {
    folder_.write("bridge.toml", text);
    const auto shown = preview();
    EXPECT_EQ(keys(shown.out, "goes out").size(), 1u) << shown.out << shown.err;
    const auto at = shown.out.find("push.orders: nothing goes out yet: ");
    return at == std::string::npos ? "" : shown.out.substr(at, shown.out.find('\n', at) - at);
  };
  const std::string text = configuration(crm_.connection(), sandbox_.url());
  EXPECT_EQ(held(text), "");
  EXPECT_THAT(held(replaced(text, "brake = false\n", "")),
              HasSubstr(": the brake holds: see `surveybridge release orders -c "));
  EXPECT_THAT(held(text + "\n[suppress]\nopted_out = true\n"),
              HasSubstr(": [pull.customers], the walk by LastActivityDate has not been read to its "
                        "end once yet: nobody knows whom not to mail"));
}

// A row without a key has no place in the ledger; others have none in the window.
TEST_P(PreviewOnSqlite, CountsRowsWithoutAKeyAsCheckAndVerifyDo) {
  crm_.insert(orders(3));
  const std::string without =
      "SELECT NULLIF(id, 2) AS id, email, first_name, last_name, phone, amount, delivered_at, "
      "remark,"
      " grade, priority FROM orders";
  folder_.write("bridge.toml", replaced(configuration(crm_.connection(), sandbox_.url()),
                                        "SELECT * FROM orders", without));
  const std::string said =
      "push.orders: 1 row has no \"id\" (key), or one that cannot be stored (text of 190 bytes at "
      "most, without NUL), and is never sent";
  const auto shown = preview();
  EXPECT_EQ(shown.status, 1);
  EXPECT_THAT(shown.out, HasSubstr(said));
  EXPECT_THAT(bridge({"check", "-c", config_}).err, HasSubstr("note: " + said));
  crm_.execute("UPDATE orders SET delivered_at = '2998-01-01 00:00:00' WHERE id = 1");
  crm_.execute("UPDATE orders SET delivered_at = NULL WHERE id = 3");
  bridge({"sync", "-c", config_});
  const auto verified = bridge({"verify", "-c", config_});
  EXPECT_EQ(verified.status, 1);
  EXPECT_THAT(verified.out,
              HasSubstr("        1  rows without a key: never sent\n"
                        "          1  rows without a date, beside these: set aside\n"
                        "          1  rows of the future, beside these: sent then\n"));
}

// More than are read at once.
TEST_P(PreviewOf, ShowsTheWholeOfAFirstRun) {
  constexpr int kOrders = 1'203;
  crm_.insert(orders(kOrders));
  const auto whole = preview({"-n", "1000000"});
  EXPECT_EQ(whole.status, 0) << whole.err;
  const auto go = keys(whole.out, "goes out"), later = keys(whole.out, "in a later batch");
  std::set<std::string> all(go.begin(), go.end());
  all.insert(later.begin(), later.end());
  EXPECT_EQ(go.size() + later.size(), static_cast<std::size_t>(kOrders));
  EXPECT_EQ(all.size(), static_cast<std::size_t>(kOrders));
  EXPECT_EQ(go.size(), 100u) << "a batch";
  EXPECT_THAT(whole.out, HasSubstr("push.orders: 100 customers in the next batch\n"));
  const auto some = preview({"-n", "7"});
  EXPECT_EQ(keys(some.out, "goes out").size(), 7u);
  EXPECT_THAT(some.out, HasSubstr("POST /external/api/v3/customer/add\n"));
}

// Of twelve rows two have no address that can be, one has none, and one is on the operator's list.
TEST_P(PreviewOnSqlite, CountsRowsByReasonAndTellsAProgramTheSame) {
  auto rows = orders(12);
  rows[2].email = rows[3].email = "nobody";
  crm_.insert(rows);
  crm_.execute("UPDATE orders SET email = NULL WHERE id = 6");
  std::string text = configuration(crm_.connection(), sandbox_.url());
  text = replaced(text, "trim = true, required = true", "trim = true, required = \"skip\"");
  text = replaced(text, "size                 = 100", "size                 = 5");
  folder_.write("bridge.toml",
                text + "\n[suppress]\nquery = \"SELECT email FROM orders WHERE id = 7\"\n");
  const auto counted = preview({"--groups"});
  EXPECT_EQ(counted.status, 1) << "somebody has to mend two";
  EXPECT_THAT(counted.out, Not(HasSubstr(rows[0].email)));
  const auto whole = preview({"--groups", "--json"});
  EXPECT_EQ(whole.status, 1);
  const auto groups = nlohmann::json::parse(whole.out).at("pushes").at(0);
  EXPECT_EQ(groups.at("push"), "orders");
  EXPECT_EQ(groups.at("batch"), 5);
  EXPECT_EQ(groups.at("more"), false);
  EXPECT_TRUE(groups.at("post").is_null());
  std::multiset<std::string> reasons;
  std::map<std::string, int> by_what;
  for (const auto& group : groups.at("groups")) {
    const int of_group = group.at("rows");
    by_what[group.at("what")] += of_group;
    if (group.at("what") == "suppressed") reasons.insert(group.at("reason"));
    EXPECT_THAT(counted.out, HasSubstr(fmt::format("\n{:>11}  {:<24} ", of_group,
                                                   group.at("key").get<std::string>())));
  }
  EXPECT_EQ(by_what, (std::map<std::string, int>{
                         {"goes_out", 5}, {"later", 3}, {"quarantined", 2}, {"suppressed", 2}}));
  EXPECT_THAT(reasons,
              testing::ElementsAre(HasSubstr("Email: skipped, "), "named by [suppress] query"));
  const auto each = nlohmann::json::parse(preview({"-n", "12", "--json"}).out).at("pushes").at(0);
  for (const auto& row : each.at("rows"))
    --by_what[row.at("what")];
  for (const auto& [what, left] : by_what)
    EXPECT_EQ(left, 0) << what;
  EXPECT_THAT(each.at("post").get<std::string>(), HasSubstr("\"Customers\""));
  const auto some = preview({"--groups", "-n", "4"});
  EXPECT_THAT(some.out, HasSubstr("more rows of the query wait, which are not counted"));
  EXPECT_EQ(nlohmann::json::parse(preview({"-n", "4", "--json"}).out).at("pushes").at(0).at("more"),
            true);
}

TEST_P(PreviewOnSqlite, SaysWhyNothingWaits) {
  const auto none = preview();
  EXPECT_EQ(none.status, 0) << none.err;
  EXPECT_THAT(none.out, HasSubstr("push.orders: nothing waits: "));
  crm_.insert(orders(3));
  ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);
  const auto sent = preview();
  EXPECT_EQ(sent.status, 0) << sent.err;
  EXPECT_THAT(sent.out, HasSubstr("push.orders: nothing waits: the ledger knows every row since "));
  crm_.execute(
      "UPDATE survey_push SET state = 'pending', not_before = '2999-01-01 00:00:00' WHERE state ="
      " 'sent'");
  const auto delayed = preview();
  EXPECT_THAT(delayed.out, HasSubstr("push.orders: nothing waits: 3 rows of the ledger wait for"));
  for (const auto& each : {none, sent, delayed}) {
    EXPECT_THAT(each.out, Not(HasSubstr("POST")));
    EXPECT_THAT(each.out, Not(HasSubstr("next batch")));
  }
}

TEST_P(PreviewOnSqlite, IsFollowedByAPlanOfWhatAChangeWouldDo) {
  crm_.insert(orders(5));
  const std::string text = configuration(crm_.connection(), sandbox_.url());
  const auto fewer = folder_.write(
      "fewer.toml", replaced(text, "SELECT * FROM orders", "SELECT * FROM orders WHERE id > 2"));
  const auto plan = bridge({"plan", fewer, "-c", config_});
  EXPECT_EQ(plan.status, 0) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("push.orders: 3 rows would go out\n"));
  EXPECT_THAT(plan.out,
              HasSubstr("2 no longer (the new query does not return it within its bounds): "));
  EXPECT_THAT(plan.out, HasSubstr("  the brake will not hold\n"));
  const auto back = bridge({"plan", config_, "-c", fewer, "--json"});
  const auto push = nlohmann::json::parse(back.out).at("pushes").at(0);
  EXPECT_EQ(push.at("newly").size(), 2u) << back.out;
  EXPECT_TRUE(push.at("held").is_null());
  const auto braked = folder_.write("braked.toml", replaced(text, "brake = false\n", ""));
  const auto held = bridge({"plan", braked, "-c", config_});
  EXPECT_EQ(held.status, 1);
  EXPECT_THAT(held.out, HasSubstr("  the brake will hold: the first run: up to 5 transactions"));
  const auto wrong = folder_.write("wrong.toml", replaced(text, "FROM orders", "FROM nowhere"));
  EXPECT_EQ(bridge({"plan", wrong, "-c", config_}).status, 78);
}

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
