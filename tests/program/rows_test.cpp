// What an operator decides about single transactions, by their keys as the CRM has them: any text.
// A row that has arrived is not sent again: `surveybridge doubt resend` asks the service.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "connectors/service/curl_transport.hpp"
#include "mapping/values/person.hpp"
#include "tests/program/bridge_and_crm.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/raw_server.hpp"
#include "tests/support/terminal.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Settling : public testing::Test {
 protected:
  Settling() {
    command({"forget", "--unknown", "nobody@example.test"});  // creates the tables
  }
  support::Finished command(Arguments words) {
    words.insert(words.begin() + 1, {"-c", config_});
    return bridge(words);
  }
  void add(const std::string& key, const std::string& state) {
    crm_.execute(
        "INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at, test)"
        " VALUES ('orders', '" +
        key + "', '" + state + "', 1, '2026-11-01 00:00:00', '2026-11-01 00:00:00', 0)");
  }
  std::string state(const std::string& key) {
    return crm_.cell("SELECT state FROM survey_push WHERE key = '" + key + "'");
  }

  Crm crm_{Server::sqlite};
  // Where no daemon runs, this line says when the rows are sent.
  std::string go_out() const {
    return "they go out with the next poll of the daemon, or with `surveybridge sync push.orders "
           "-c " +
           config_ + "`\n";
  }
  support::TemporaryFolder folder_;
  std::string config_ =
      folder_.write("bridge.toml", configuration(crm_.connection(), "http://127.0.0.1:1"));
};

TEST_F(Settling, AKeyInBracketsIsThatKeyAndNoList) {
  for (const char* key : {"901", "902", "[901,902]", "[901", "902]"})
    add(key, "held");
  EXPECT_EQ(command({"doubt", "resend", "--force", "[901,902]"}).out,
            "[901,902]  resend\n" + go_out());
  EXPECT_EQ(state("[901,902]"), "pending");
  EXPECT_EQ(state("901"), "held");
  EXPECT_EQ(state("902"), "held");
  add("[903,901]", "quarantined");
  add("903", "quarantined");
  EXPECT_EQ(command({"quarantine", "drop", "--", "[903,901]"}).out, "[903,901]  drop\n");
  EXPECT_EQ(state("[903,901]"), "suppressed");
  EXPECT_EQ(state("903"), "quarantined");
  EXPECT_EQ(command({"forget", "[901@example.test]"}).status, 2) << "no address";
  EXPECT_THAT(command({"explain", "[901,902]"}).out,
              StartsWith("push.orders: transaction [901,902]: pending"));
}

TEST_F(Settling, ATransactionIsFoundByAddressAndByTheCustomersId) {
  for (const char* key : {"901", "902", "903"})
    add(key, "sent");
  const std::string seal = crm_.cell("SELECT value FROM survey_seal WHERE name = 'person'");
  const std::string person = surveybridge::mapping::person_of(seal, "ann@example.test");
  crm_.execute("UPDATE survey_push SET person = '" + person + "' WHERE key <> '903'");
  crm_.execute("UPDATE survey_push SET customer_id = 4711 WHERE key = '903'");
  const auto by_address = command({"explain", " Ann@Example.test"});
  EXPECT_THAT(by_address.out, HasSubstr("push.orders: transaction 901: sent"));
  EXPECT_THAT(by_address.out, HasSubstr("push.orders: transaction 902: sent"));
  EXPECT_THAT(by_address.out, Not(HasSubstr("903")));
  EXPECT_THAT(command({"explain", "4711"}).out, StartsWith("push.orders: transaction 903: sent"));
  crm_.execute("UPDATE survey_push SET customer_id = NULL");
  crm_.execute(
      "INSERT INTO survey_customer (id, digest, changed_at) VALUES (4712, 'x', '2026-11-01 "
      "00:00:00')");
  crm_.execute(
      "INSERT INTO survey_customer_data (customer_id, position, name, value) VALUES (4712, 0,"
      " 'OrderNumber', '902')");
  EXPECT_THAT(command({"explain", "4712"}).out, StartsWith("push.orders: transaction 902: sent"));
  const auto nobody = command({"explain", "bob@example.test"});
  EXPECT_EQ(nobody.status, 1);
  EXPECT_THAT(nobody.err, Not(HasSubstr("bob")));
}

TEST_F(Settling, ExplainSaysTheStatusOfAnAnswerOnce) {
  add("901", "held");
  const auto answered = [&](const std::string& status, const std::string& detail) {
    crm_.execute("DELETE FROM survey_batch");
    crm_.execute("DELETE FROM survey_push_event");
    crm_.execute(
        "INSERT INTO survey_batch (id, push, owner, rows, sent_at, outcome, http_status, detail,"
        " test, settled_at) VALUES ('b1', 'orders', 'one', 1, '2026-11-01 00:00:00', 'unknown', " +
        status + ", " + detail + ", 0, '2026-11-01 00:00:01')");
    crm_.execute(
        "INSERT INTO survey_push_event (push, key, at, state, batch) VALUES ('orders', '901',"
        " '2026-11-01 00:00:00', 'claimed', 'b1')");
    return command({"explain", "901"}).out;
  };
  EXPECT_THAT(answered("500", "'HTTP 500: no luck'"), HasSubstr("answer: unknown: HTTP 500: no"));
  EXPECT_THAT(answered("500", "'no luck'"), HasSubstr("answer: unknown (HTTP 500): no luck\n"));
  EXPECT_THAT(answered("500", "NULL"), HasSubstr("answer: unknown (HTTP 500)\n"));
  EXPECT_THAT(answered("0", "'timed out'"), HasSubstr("answer: unknown: timed out\n"));
}

TEST_F(Settling, SeveralKeysAreEachDecided) {
  for (const char* key : {"901", "902", "-903", "[]", "list"})
    add(key, "held");
  const auto ran = command({"doubt", "sent", "901", "902", "--push", "orders", "--", "-903", "[]"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "901  sent\n902  sent\n-903  sent\n[]  sent\n");
  EXPECT_EQ(state("list"), "held");
  EXPECT_EQ(command({"doubt", "sent"}).status, 2) << "which?";
  EXPECT_EQ(command({"explain"}).status, 2) << "which?";
}

TEST_F(Settling, ManyQuarantinedRowsAreDecidedByReasonByTimeOrAll) {
  for (int i = 1; i <= 1200; ++i)
    add(std::to_string(i), "quarantined");
  crm_.execute("UPDATE survey_push SET reason = 'refused by the service: bad'");
  crm_.execute("UPDATE survey_push SET reason = 'Email: no @' WHERE CAST(key AS INTEGER) > 1190");
  crm_.execute("UPDATE survey_push SET changed_at = '2026-11-05 00:00:00' WHERE key = '1'");
  const auto groups = command({"quarantine", "list", "--groups"});
  EXPECT_THAT(groups.out, HasSubstr("     1190  quarantined  2026-11-01T00:00:00Z  "
                                    "2026-11-05T00:00:00Z  refused by the service: bad\n"));
  const auto as_json =
      nlohmann::json::parse(command({"quarantine", "list", "--groups", "--json"}).out);
  ASSERT_EQ(as_json.at("groups").size(), 2u);
  EXPECT_EQ(as_json.at("groups").at(0).at("rows").get<int>() +
                as_json.at("groups").at(1).at("rows").get<int>(),
            1200);
  const auto lines = [](const std::string& out) { return std::ranges::count(out, '\n'); };
  EXPECT_EQ(lines(command({"quarantine", "list"}).out), 1000);
  EXPECT_THAT(command({"quarantine", "list"}).err, HasSubstr("--page 2"));
  EXPECT_EQ(lines(command({"quarantine", "list", "--page", "2"}).out), 200);
  EXPECT_EQ(lines(command({"quarantine", "list", "--reason", "no @"}).out), 10);
  EXPECT_EQ(command({"quarantine", "retry"}).status, 2) << "which?";
  EXPECT_EQ(command({"quarantine", "retry", "--since", "yesterday"}).status, 2);
  EXPECT_EQ(command({"quarantine", "retry", "7", "--all"}).status, 2) << "either or";
  EXPECT_EQ(command({"quarantine", "retry", "--since", "2026-11-02"}).out,
            "orders  1 row  retry\n" + go_out());
  EXPECT_EQ(state("1"), "pending");
  EXPECT_EQ(command({"quarantine", "drop", "--reason", "no @"}).out, "orders  10 rows  drop\n");
  EXPECT_EQ(state("1200"), "suppressed");
  EXPECT_EQ(command({"quarantine", "retry", "--all"}).out, "orders  1189 rows  retry\n" + go_out());
  EXPECT_EQ(state("2"), "pending");
}

TEST_F(Settling, RowsOfEveryStateAreOneList) {
  add("1", "held");
  add("2", "quarantined");
  add("3", "suppressed");
  add("4", "in_doubt");
  const auto shown = command({"rows"});
  EXPECT_EQ(shown.status, 1);
  EXPECT_EQ(std::ranges::count(shown.out, '\n'), 3) << "nobody has to do anything about the other";
  EXPECT_THAT(shown.out, Not(HasSubstr("suppressed")));
  EXPECT_EQ(command({"rows", "--state", "held", "--state", "in_doubt"}).out,
            "orders  1  held  2026-11-01T00:00:00Z  \n"
            "orders  4  in_doubt  2026-11-01T00:00:00Z  \n");
  EXPECT_THAT(command({"rows", "list", "1"}).out, StartsWith("orders  1  held  "));
  EXPECT_EQ(command({"rows", "--state", "suppressed", "--json"}).out,
            R"({"rows":[{"push":"orders","key":"3","state":"suppressed",)"
            R"("since":"2026-11-01T00:00:00Z","reason":null}]})"
            "\n");
}

TEST_F(Settling, RowsOfANewDatabaseAreAnEmptyList) {
  const Crm fresh(Server::sqlite);
  config_ = folder_.write("new.toml", configuration(fresh.connection(), "http://127.0.0.1:1"));
  const auto listed = command({"rows", "--json"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_EQ(listed.out, "{\"rows\":[]}\n");
}

// The ledger has another name for a key that holds the address of somebody who was forgotten.
TEST_F(Settling, AKeyThatWasErasedIsListedByWhatItWas) {
  const std::string key = "x/ann.lee@example.test";
  add(key, "held");
  add("2", "held");
  ASSERT_EQ(command({"forget", "ann.lee@example.test"}).status, 0);
  ASSERT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_push WHERE key LIKE '(erased) %'"), "1");
  const auto listed = command({"doubt", "list", key});
  EXPECT_EQ(listed.status, 1);
  EXPECT_THAT(listed.out, StartsWith("orders  (erased) "));
  EXPECT_THAT(listed.out, HasSubstr("  held  2026-11-01T00:00:00Z  "));
  EXPECT_EQ(std::ranges::count(listed.out, '\n'), 1);
}

TEST_F(Settling, AnActionMovesRowsOfItsStatesOnly) {
  add("1", "held");
  add("2", "quarantined");
  add("3", "suppressed");
  add("4", "in_doubt");
  EXPECT_THAT(command({"rows", "drop", "--state", "held", "1"}).err,
              HasSubstr("drop takes what is quarantined"));
  EXPECT_THAT(command({"rows", "sent", "--state", "in_doubt", "--all"}).err,
              HasSubstr("sent takes what is held, where no keys are named"));
  EXPECT_EQ(command({"rows", "retry", "--all"}).out, "orders  1 row  retry\n" + go_out());
  EXPECT_EQ(state("2") + state("3"), "pendingsuppressed");
  EXPECT_EQ(command({"rows", "retry", "--state", "suppressed", "3"}).out, "3  retry\n" + go_out());
  EXPECT_EQ(command({"rows", "sent", "--state", "held", "4"}).status, 1);
  EXPECT_EQ(command({"rows", "sent", "1", "4"}).out, "1  sent\n4  sent\n");
}

TEST_F(Settling, SuppressedRowsAreJudgedAnewButNotWhatAPersonHasSaid) {
  for (const char* key : {"1", "2", "3", "4", "5"})
    add(key, "suppressed");
  crm_.execute("UPDATE survey_push SET reason = 'named by [suppress] query'");
  crm_.execute("UPDATE survey_push SET reason = 'dropped for good, decided by jo' WHERE key = '4'");
  crm_.execute("UPDATE survey_push SET reason = 'opted out', person = 'ann' WHERE key = '5'");
  crm_.execute("INSERT INTO survey_person VALUES ('ann', 'opted_out', '7', '2026-11-01 00:00:00')");
  EXPECT_EQ(command({"suppressed", "retry"}).status, 2) << "it names no rows";
  EXPECT_EQ(command({"suppressed", "retry", "1"}).out, "1  retry\n" + go_out());
  const auto own = command({"suppressed", "retry", "5"});
  EXPECT_EQ(own.status, 1);
  EXPECT_THAT(own.err, HasSubstr("5: stays suppressed: its person has opted out"));
  EXPECT_THAT(command({"suppressed", "retry", "9"}).err, HasSubstr("no transaction with this key"));
  EXPECT_EQ(command({"suppressed", "retry", "--all"}).out, "orders  2 rows  retry\n" + go_out());
  EXPECT_EQ(state("2") + state("3"), "pendingpending");
  EXPECT_EQ(state("4") + state("5"), "suppressedsuppressed");
  EXPECT_EQ(command({"suppressed", "retry", "4"}).out, "4  retry\n" + go_out());
}

// By whom: the user of the process, whoever called sudo, and the terminal.
TEST_F(Settling, EachDecisionSaysWhoMadeIt) {
  add("1", "quarantined");
  add("2", "quarantined");
  add("3", "held");
  add("4", "held");
  const auto decides = [&](Arguments words) {
    words.insert(words.begin() + 1, {"-c", config_});
    const auto ran = run(bridge_program(words, {"SUDO_USER=ann\nx"}));
    EXPECT_EQ(ran.status, 0) << ran.err;
    return command({"explain", words.back()}).out;
  };
  const std::string user = support::run({{"id", "-un"}, {}}).out;
  const std::string who = "decided by " + user.substr(0, user.find('\n')) + " (sudo by ann\\x0ax";
  EXPECT_THAT(decides({"quarantine", "retry", "1"}), HasSubstr("pending: retry " + who));
  EXPECT_THAT(decides({"quarantine", "drop", "2"}),
              HasSubstr("suppressed: dropped for good, " + who));
  EXPECT_THAT(decides({"doubt", "sent", "3"}), HasSubstr("sent: it had arrived, " + who));
  EXPECT_THAT(decides({"doubt", "resend", "--force", "4"}),
              HasSubstr("pending: goes out again, " + who));
}

// It may have arrived: sent again, its person would be mailed twice.
TEST_F(Settling, WhatTheBridgeStillLooksUpIsNotSentAgain) {
  add("5", "in_doubt");
  const auto listed = command({"doubt", "list"});
  EXPECT_EQ(listed.status, 0) << "nobody has to do anything";
  EXPECT_EQ(listed.err, "in_doubt: the bridge looks these up at the service by itself\n");
  const auto refused = command({"doubt", "resend", "5"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.err,
            "surveybridge: 5: is in_doubt in push orders, and resend takes what is held: the bridge"
            " still looks it up at the service, and says held if it is not there\n");
  EXPECT_EQ(state("5"), "in_doubt");
  EXPECT_EQ(command({"doubt", "sent", "5"}).out, "5  sent\n");
  add("6", "held");
  const auto held = command({"doubt", "list"});
  EXPECT_EQ(held.status, 1);
  EXPECT_EQ(held.err,
            "held: look for the key at the service, then type `surveybridge doubt sent"
            " KEY -c " +
                config_ +
                "` if it is there, or `surveybridge doubt resend KEY"
                " -c " +
                config_ + "`\n");
  EXPECT_THAT(command({"status"}).out,
              testing::ContainsRegex("ledger  orders +held +1  see `surveybridge doubt list -c "));
  EXPECT_EQ(command({"doubt", "sent", "7"}).err,
            "surveybridge: 7: the ledger has no transaction with this key\n");
  EXPECT_EQ(command({"quarantine", "retry", "6"}).err,
            "surveybridge: 6: is held in push orders, and retry takes what is quarantined\n");
}

TEST_F(Settling, WhatAPersonMarkedSentIsTakenBack) {
  for (const char* key : {"1", "2", "3", "4"})
    add(key, "held");
  add("5", "sent");
  command({"doubt", "sent", "1", "2", "3", "4"});
  const std::string looked_up =
      "the daemon looks for them at the service when it runs, or `surveybridge sync push.orders "
      "-c " +
      config_ +
      "` does. Those that are not there go out again where the push has doubt = \"resend\", or "
      "where "
      "the service has refused their batch; the others are held, and `surveybridge doubt list -c " +
      config_ + "` shows them\n";
  const auto undone = command({"doubt", "undo", "1"});
  EXPECT_EQ(undone.out, "1  undo\n" + looked_up);
  EXPECT_EQ(undone.status, 0);
  EXPECT_EQ(state("1"), "in_doubt");
  EXPECT_THAT(command({"explain", "1"}).out,
              HasSubstr("in_doubt: not known to have arrived after all, decided by "));
  crm_.execute("UPDATE survey_push SET customer_id = 4711 WHERE key = '2'");
  const auto listed = command({"doubt", "undo", "2", "5", "1"});
  EXPECT_EQ(listed.status, 1);
  EXPECT_EQ(
      listed.err,
      "surveybridge: 2: is sent in push orders, and the service lists it: customer 4711\n"
      "surveybridge: 5: is sent in push orders, and not because a person said so: the service "
      "accepted it\n"
      "surveybridge: 1: is in_doubt in push orders, and undo takes back what `doubt sent` has "
      "marked as sent\n");
  EXPECT_EQ(command({"doubt", "undo", "--all"}).out, "orders  2 rows  undo\n" + looked_up);
  EXPECT_EQ(state("4"), "in_doubt");
  EXPECT_EQ(state("2") + state("5"), "sentsent");
}

TEST_F(Settling, AStatusSaysWhoLooksUpWhatIsOpen) {
  add("1", "claimed");
  add("2", "in_doubt");
  add("3", "sent");
  crm_.execute("UPDATE survey_push SET batch = 'b1' WHERE key = '3'");
  crm_.execute(
      "INSERT INTO survey_batch (id, push, owner, rows, sent_at, outcome, test) VALUES ('b1',"
      " 'orders', 'one', 2, '2026-11-01 00:00:00', 'unknown', 0)");
  const std::string later =
      "looked up at the service when a daemon runs, or by `surveybridge sync push.orders -c " +
      config_ + "`\n";
  const auto alone = command({"status"}).out;
  EXPECT_THAT(alone, HasSubstr("         1  left by a daemon that has ended: " + later));
  EXPECT_THAT(alone, HasSubstr("in_doubt             1  " + later));
  EXPECT_THAT(alone, HasSubstr("unknown, now 1 sent, 1 in a later batch "));
  EXPECT_THAT(command({"status", "--json"}).out, HasSubstr(R"("rows_now":{"sent":1})"));
  crm_.execute(
      "INSERT INTO survey_lease (name, owner, fence, expires_at)"
      " VALUES ('instance:one', 'one', 1, '2999-01-01 00:00:00')");
  const auto beside = command({"status"}).out;
  EXPECT_THAT(beside, HasSubstr("         1  on their way\n"));
  EXPECT_THAT(beside, HasSubstr("         1  looked up at the service\n"));
}

TEST_F(Settling, ManyThatAreHeldAreDecidedByTheirReason) {
  for (const char* key : {"1", "2", "3"})
    add(key, "held");
  add("4", "in_doubt");
  crm_.execute("UPDATE survey_push SET reason = 'not listed' WHERE key < '3'");
  EXPECT_EQ(command({"doubt", "sent", "--reason", "not listed"}).out, "orders  2 rows  sent\n");
  EXPECT_EQ(state("2"), "sent");
  EXPECT_EQ(command({"doubt", "resend", "3", "--all"}).status, 2) << "a key, and all";
  EXPECT_EQ(state("3"), "held");
  EXPECT_EQ(command({"doubt", "resend", "--force", "--all"}).out,
            "orders  1 row  resend\n" + go_out());
  EXPECT_EQ(state("3"), "pending");
  EXPECT_EQ(state("4"), "in_doubt") << "the bridge still looks it up";
}

TEST_F(Settling, ARowThatWaitsSaysWhenItIsLookedAtAgain) {
  add("1", "pending");
  EXPECT_THAT(command({"explain", "1"}).out, Not(HasSubstr("looked at again")));
  crm_.execute("UPDATE survey_push SET not_before = '2999-01-01 00:00:00'");
  EXPECT_THAT(command({"explain", "1"}).out,
              HasSubstr("  looked at again at 2999-01-01T00:00:00Z\n"));
  crm_.execute("UPDATE survey_push SET not_before = '2026-01-01 00:00:00'");
  EXPECT_THAT(command({"explain", "1"}).out, Not(HasSubstr("looked at again"))) << "it is time";
}

TEST_F(Settling, ADecisionAtATerminalNamesTheTerminal) {
  add("1", "held");
  support::Terminal terminal(bridge_program({"doubt", "sent", "-c", config_, "1"}));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_THAT(command({"explain", "1"}).out, testing::ContainsRegex("decided by .* on pts/[0-9]+"));
}

TEST_F(Settling, AForgottenPersonsTransactionsSayWhoDecidedIt) {
  add("1", "sent");
  const std::string seal = crm_.cell("SELECT value FROM survey_seal WHERE name = 'person'");
  crm_.execute("UPDATE survey_push SET person = '" +
               surveybridge::mapping::person_of(seal, "ann@example.test") + "'");
  ASSERT_EQ(
      run(bridge_program({"forget", "-c", config_, "ann@example.test"}, {"SUDO_USER=bob"})).status,
      0);
  const std::string history = command({"explain", "1"}).out;
  EXPECT_THAT(history, StartsWith("push.orders: transaction 1: sent\n"));
  EXPECT_THAT(history, HasSubstr("sent: the person is forgotten, decided by "));
  EXPECT_THAT(history, HasSubstr("(sudo by bob"));
}

// A line is one transaction: a key must not write others, nor play with the terminal.
TEST_F(Settling, AKeyIsShownInOneLineWhateverItHolds) {
  const std::string key = "1\norders  2  held\x1b[2J";
  const std::string shown = "1\\x0aorders  2  held\\x1b[2J";
  add(key, "held");
  EXPECT_THAT(command({"doubt", "list"}).out, StartsWith("orders  " + shown + "  held  "));
  EXPECT_THAT(command({"explain", key}).out,
              StartsWith("push.orders: transaction " + shown + ": "));
  EXPECT_EQ(command({"doubt", "sent", key}).out, shown + "  sent\n");
  crm_.execute("UPDATE survey_push SET state = 'quarantined'");
  EXPECT_THAT(command({"quarantine", "list"}).out, StartsWith("orders  " + shown + "  quaran"));
}

TEST_F(Settling, APreviewShowsEachKeyInOneLineToo) {
  const SandboxProgram sandbox({"--speed", "0"});
  const auto all = orders(2);
  crm_.insert(all);
  crm_.execute("UPDATE orders SET email = 'nobody' WHERE id = 2");
  const auto text = configuration(crm_.connection(), sandbox.url());
  config_ = folder_.write(
      "odd.toml", replaced(replaced(text, "SELECT * FROM orders",
                                    "SELECT o.*, 'k' || char(10) || o.id AS odd FROM orders o"),
                           "= \"id\"", "= \"odd\""));
  const auto ran = command({"preview"});
  EXPECT_THAT(ran.out, HasSubstr("\n  k\\x0a1 ")) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\n  k\\x0a2 "));
}

TEST_F(Settling, ASyncNamesWhatNeedsAPersonAndTheCommandThatShowsIt) {
  const SandboxProgram sandbox({"--speed", "0"});
  config_ = folder_.write("bridge.toml", configuration(crm_.connection(), sandbox.url()));
  EXPECT_THAT(command({"sync", "push"}).out, Not(HasSubstr("see `"))) << "nothing needs a person";
  add("901", "quarantined");
  add("902", "quarantined");
  add("903", "held");
  const auto ran = command({"sync", "push"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("\norders: 2 transactions set aside in quarantine: see"
                                 " `surveybridge quarantine list --groups -c " +
                                 config_ + "`\n"));
  EXPECT_THAT(ran.out, HasSubstr("\norders: 1 transaction held, which may be at the service or not:"
                                 " see `surveybridge doubt list -c " +
                                 config_ + "`\n"));
}

TEST_F(Settling, ASyncTellsAProgramWhatItTellsPeople) {
  const SandboxProgram sandbox({"--speed", "0"});
  config_ = folder_.write("bridge.toml", configuration(crm_.connection(), sandbox.url()));
  crm_.insert(orders(3));
  add("901", "quarantined");
  const auto ran = command({"sync", "push", "--json"});
  EXPECT_EQ(ran.status, 1) << ran.err;
  const auto facts = nlohmann::json::parse(ran.out);
  const auto job = std::ranges::find_if(
      facts.at("jobs"), [](const auto& each) { return each.at("job") == "push.orders"; });
  ASSERT_NE(job, facts.at("jobs").end()) << ran.out;
  EXPECT_EQ(*job, nlohmann::json::parse(R"({"job":"push.orders","done":3,"unit":"rows",)"
                                        R"("gave_up":false,"reason":null})"));
  EXPECT_EQ(facts.at("stopped"), false);
  EXPECT_TRUE(facts.at("notes").empty());
  ASSERT_EQ(facts.at("ledger").size(), 2u) << ran.out;
  ASSERT_EQ(facts.at("needs").size(), 1u) << ran.out;
  const std::string shown = command({"sync", "push"}).out;
  for (const auto& count : facts.at("ledger"))
    EXPECT_THAT(shown, HasSubstr(fmt::format("{:<36} {:>8} {}\n", "ledger.orders",
                                             count.at("rows").get<int>(),
                                             count.at("state").get<std::string>())));
  const auto& need = facts.at("needs").at(0);
  EXPECT_THAT(shown, HasSubstr(fmt::format("\n{}: see `{}`\n", need.at("what").get<std::string>(),
                                           need.at("command").get<std::string>())));
}

TEST_F(Settling, ExplainTellsAProgramWhatItTellsPeople) {
  add("901", "held");
  crm_.insert(orders(1));
  crm_.execute("UPDATE survey_push SET customer_id = 4711");
  crm_.execute(
      "INSERT INTO survey_batch (id, push, owner, rows, sent_at, outcome, http_status, detail,"
      " test, settled_at) VALUES ('b1', 'orders', 'one', 5, '2026-11-01 00:00:00', 'unknown', 500,"
      " 'no luck', 0, '2026-11-01 00:00:01')");
  crm_.execute(
      "INSERT INTO survey_push_event (push, key, at, state, batch) VALUES ('orders', '901',"
      " '2026-11-01 00:00:00', 'claimed', 'b1')");
  crm_.execute(
      "INSERT INTO survey_customer (id, digest, changed_at, status_name,"
      " second_feedback_information_original_customer_id) VALUES"
      " (4711, 'x', '2026-11-01 00:00:00', 'Finished', NULL),"
      " (4712, 'x', '2026-11-01 00:00:00', 'Invited', 4711)");
  const auto ran = command({"explain", "901", "1", "--json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const auto facts = nlohmann::json::parse(ran.out);
  ASSERT_EQ(facts.at("transactions").size(), 2u) << ran.out;
  EXPECT_TRUE(facts.at("forgotten").empty());
  const auto &known = facts.at("transactions").at(0), &waits = facts.at("transactions").at(1);
  EXPECT_EQ(known.at("push"), "orders");
  EXPECT_EQ(known.at("key"), "901");
  EXPECT_EQ(known.at("state"), "held");
  EXPECT_TRUE(known.at("reason").is_null());
  EXPECT_TRUE(known.at("until").is_null());
  ASSERT_EQ(known.at("events").size(), 1u);
  const auto& batch = known.at("events").at(0).at("batch");
  EXPECT_EQ(batch.at("rows"), 5);
  EXPECT_EQ(batch.at("http_status"), 500);
  EXPECT_EQ(batch.at("outcome"), "unknown");
  EXPECT_TRUE(batch.at("service").is_null());
  ASSERT_EQ(known.at("customers").size(), 2u);
  EXPECT_EQ(known.at("customers").at(0).at("status"), "Finished");
  EXPECT_TRUE(known.at("customers").at(0).at("invited").is_null());
  EXPECT_EQ(known.at("customers").at(1).at("second_feedback_of"), 4711);
  EXPECT_TRUE(waits.at("state").is_null());
  EXPECT_THAT(waits.at("reason").get<std::string>(), StartsWith("waits to be sent; "));
  const std::string shown = command({"explain", "901", "1"}).out;
  EXPECT_THAT(shown, HasSubstr("POST of 5 customers by instance one\n  " +
                               batch.at("answered_at").get<std::string>() +
                               "  answer: unknown (HTTP 500): no luck\n"));
  EXPECT_THAT(shown, HasSubstr("(its events are no longer kept)\ncustomer 4711 at the service\n"
                               "  status     Finished\ncustomer 4712 at the service: second "
                               "feedback of 4711\n  status     Invited\n"));
  EXPECT_THAT(shown, HasSubstr("push.orders: transaction 1: not in the ledger: the query returns "
                               "it, and it " +
                               waits.at("reason").get<std::string>() + "\n"));
  const auto forgotten =
      nlohmann::json::parse(command({"explain", "nobody@example.test", "--json"}).out);
  ASSERT_EQ(forgotten.at("forgotten").size(), 1u) << "the fixture forgets it";
  EXPECT_THAT(command({"explain", "nobody@example.test"}).out,
              HasSubstr("was forgotten on " + forgotten.at("forgotten").at(0).get<std::string>()));
}

// "Why was it not sent?" has an answer for rows that the ledger has never met.
TEST_F(Settling, ARowThatTheLedgerDoesNotKnowIsExplainedByItsDate) {
  crm_.insert(orders(5));
  const auto moved = [&](int order, const std::string& when) {
    crm_.execute("UPDATE orders SET delivered_at = " + when +
                 " WHERE id = " + std::to_string(order));
  };
  const std::string format = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ";
  moved(1, format + "'-1 hour')");
  moved(2, format + "'+1 day')");
  moved(3, "'1999-01-01T00:00:00Z'");
  moved(4, "'soon'");
  const auto said = [&](const std::string& key) { return command({"explain", key}).out; };
  EXPECT_EQ(said("1"),
            "push.orders: transaction 1: not in the ledger: the query returns it, and it waits to "
            "be sent; `surveybridge status -c " +
                config_ + "` says for what, and `surveybridge preview orders -c " + config_ +
                "` whether a rule forbids it\n");
  EXPECT_THAT(said("2"), HasSubstr("and it lies in the future, and is sent then"));
  EXPECT_THAT(said("3"), HasSubstr("and it was before start, and is not sent"));
  EXPECT_THAT(said("4"), HasSubstr("and it has a date that cannot be read"));
  const auto nobody = command({"explain", "12345"});
  EXPECT_EQ(nobody.status, 1);
  EXPECT_THAT(nobody.err, HasSubstr("12345: the ledger does not know this transaction, and no "
                                    "query returns it"));
}

// What the service at this address answers to a request that was heard elsewhere.
std::string answer_of(const std::string& url, const support::RawServer::Heard& heard) {
  namespace service = surveybridge::service;
  constexpr std::size_t kGet = 4;
  const std::string path = heard.head.substr(kGet, heard.head.find(' ', kGet) - kGet);
  service::CurlTransport transport({}, nullptr);
  const service::Exchange exchange = transport.send(
      {"GET", url + path, {{"Authorization", std::string("Bearer ") + kToken}}, {}, false, {}});
  const auto* response = std::get_if<service::Response>(&exchange);
  if (response != nullptr && response->status == 200) return support::ok(response->body);
  return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
}

class Resend : public BridgeAndSqlite {
 protected:
  Resend() {
    crm_.insert(orders(4));
    bridge({"sync", "push", "-c", config_});
    hold("1");
    hold("2");
    for (const char* key : {"8", "9"}) {  // these have never arrived
      crm_.execute(
          "INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at) VALUES "
          "('orders', '" +
          std::string(key) + "', 'held', 1, '2026-11-01 00:00:00', '2026-11-01 00:00:00')");
    }
  }
  void hold(const std::string& key) {
    crm_.execute("UPDATE survey_push SET state = 'held' WHERE key = '" + key + "'");
  }
  std::string state(const std::string& key) {
    return crm_.cell("SELECT state FROM survey_push WHERE key = '" + key + "'");
  }
  support::Finished resend(Arguments words) {
    words.insert(words.begin(), {"doubt", "resend", "-c", config_});
    return bridge(words);
  }
};

TEST_F(Resend, SendsWhatTheServiceDoesNotListAndNamesTheCustomerOfWhatItLists) {
  const auto ran = resend({"1", "9"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("9  resend\n"));
  EXPECT_THAT(ran.err, HasSubstr("1: stays held, because the service lists it: customer "));
  EXPECT_THAT(ran.err, HasSubstr("type `surveybridge doubt sent 1 -c " + config_ + "`"));
  EXPECT_EQ(state("1"), "held");
  EXPECT_EQ(state("9"), "pending");
  EXPECT_EQ(resend({"--force", "1"}).status, 0);
  EXPECT_EQ(state("1"), "pending");
}

TEST_F(Resend, AsksForEachOfMany) {
  const auto ran = resend({"--all"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("orders  2 rows  resend\n"));
  EXPECT_THAT(ran.err, HasSubstr("orders: 2 rows stay held, because the service lists them"));
  EXPECT_EQ(state("1") + state("2"), "heldheld");
  EXPECT_EQ(state("8") + state("9"), "pendingpending");
}

// The service may still list what came into doubt less than `settle` ago.
TEST_F(Resend, LeavesHeldWhatIsYoung) {
  crm_.execute("UPDATE survey_push SET doubt_since = '2999-01-01 00:00:00' WHERE key = '9'");
  const auto ran = resend({"9", "8"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("9: stays held, because the service may still list it"));
  EXPECT_EQ(state("9"), "held");
  EXPECT_EQ(state("8"), "pending");
}

// It was still in doubt when the command looked which rows it has to ask for.
TEST_F(Resend, LeavesHeldWhatComesToBeHeldWhileTheServiceIsAsked) {
  crm_.execute("UPDATE survey_push SET state = 'in_doubt' WHERE key = '8'");
  const auto beside = crm_.open();
  const support::RawServer between([&](const support::RawServer::Heard& heard) {
    beside->execute({"UPDATE survey_push SET state = 'held' WHERE key = '8'", {}});
    return support::RawServer::Said{answer_of(sandbox_.url(), heard)};
  });
  config_ = folder_.write("between.toml", configuration(crm_.connection(), between.url()));
  const auto ran = resend({"8", "9"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_FALSE(between.heard().empty());
  EXPECT_THAT(ran.err, HasSubstr("8: came to be held just now: type it again"));
  EXPECT_EQ(state("8"), "held");
}

TEST_F(Resend, SpeaksOfAPushThatOnlyTheLedgerHas) {
  crm_.execute("UPDATE survey_push SET push = 'former' WHERE key = '9'");
  crm_.execute("UPDATE survey_brake SET push = 'former'");
  EXPECT_THAT(bridge({"doubt", "list", "-c", config_}).out, HasSubstr("former  9  held"));
  for (const Arguments& words : {Arguments{"9"}, Arguments{"--force", "9"}}) {
    const auto ran = resend(words);
    EXPECT_EQ(ran.status, 1);
    EXPECT_THAT(ran.err, HasSubstr("9: is held in push former; no push of this name is configured: "
                                   "nothing sends it"));
    EXPECT_THAT(ran.err, Not(HasSubstr("--force")));
    EXPECT_EQ(state("9"), "held");
  }
  const auto all = resend({"--force", "--all"});
  EXPECT_EQ(all.status, 1);
  EXPECT_THAT(all.err, HasSubstr("former: 1 row left alone; no push of this name is configured"));
  EXPECT_EQ(state("8") + state("9"), "pendingheld");
  EXPECT_EQ(bridge({"doubt", "sent", "9", "-c", config_}).status, 0);
  EXPECT_EQ(state("9"), "sent");
}

TEST_F(Resend, LeavesAloneWhatIsSetAsideInAPushThatOnlyTheLedgerHas) {
  crm_.execute("UPDATE survey_brake SET push = 'former'");
  for (const std::string of : {"quarantined", "suppressed"}) {
    crm_.execute("UPDATE survey_push SET push = 'former', state = '" + of + "' WHERE key = '9'");
    const std::string command = of == "suppressed" ? of : "quarantine";
    for (const char* which : {"9", "--all"}) {
      const auto ran = bridge({command, "retry", which, "-c", config_});
      EXPECT_EQ(ran.status, 1);
      EXPECT_THAT(ran.err, HasSubstr("no push of this name is configured: nothing sends it"));
      EXPECT_EQ(state("9"), of);
    }
  }
}

TEST_F(Resend, SaysOfADoubtWhetherAPushLooksItUp) {
  crm_.execute("UPDATE survey_push SET push = 'former', state = 'in_doubt' WHERE key = '9'");
  crm_.execute("DELETE FROM survey_push WHERE key IN ('1', '2', '8')");
  crm_.execute("UPDATE survey_brake SET push = 'former'");
  const auto listed = bridge({"doubt", "list", "-c", config_});
  EXPECT_EQ(listed.status, 1);
  EXPECT_THAT(listed.err, HasSubstr("in_doubt in former: no push of this name is configured: "
                                    "nothing looks these up"));
  EXPECT_THAT(listed.err, HasSubstr("surveybridge doubt sent KEY"));
  EXPECT_THAT(bridge({"status", "-c", config_}).out,
              HasSubstr("no push of this name is configured: nothing looks them up"));
  crm_.execute("UPDATE survey_batch SET push = 'former'");  // a push sends by the same column
  const auto again = bridge({"doubt", "list", "-c", config_});
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(again.err, "in_doubt: the bridge looks these up at the service by itself\n");
}

TEST_F(Resend, SendsNothingWhereTheServiceCannotBeAsked) {
  for (int i = 0; i < 9; ++i)
    sandbox_.fault("before:403:v3/customer");
  const auto ran = resend({"9"});
  EXPECT_EQ(ran.status, 78) << "it refuses the account";
  EXPECT_THAT(ran.err, HasSubstr("the rows stay held, because the service could not be asked"));
  EXPECT_EQ(state("9"), "held");
  EXPECT_EQ(resend({"--force", "9"}).status, 0);
  EXPECT_EQ(state("9"), "pending");
}

}  // namespace
}  // namespace program
