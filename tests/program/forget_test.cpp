// `surveybridge forget` with real programs: removed from every table, not pulled again, not mailed
// again.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge_and_crm.hpp"

namespace program {
namespace {

class Forget : public BridgeAndCrm {
 protected:
  testing::AssertionResult synced() {
    const auto done = command({"sync"});
    if (done.status == 0) return testing::AssertionSuccess();
    return testing::AssertionFailure() << done.status << "\n" << done.out << done.err;
  }
};

// Where the database makes no difference to what is proved.
class ForgetOnSqlite : public Forget {};

TEST_P(Forget, EmptiesWhatWasWrittenBackWhereTheOperatorSaidSo) {
  const std::string table = "table = \"orders\"\n";
  config_ = folder_.write("forget.toml", replaced(usual_, table, table + "forget = true\n"));
  const auto rows = orders(3);
  crm_.insert(rows);
  ASSERT_TRUE(synced());
  ASSERT_TRUE(synced());
  const std::string written = "SELECT COUNT(*) FROM orders WHERE survey_status IS NOT NULL";
  ASSERT_EQ(crm_.cell(written), "3");

  const auto done = command({"forget", rows[0].email});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find("emptied: 1 row of orders\n"), std::string::npos) << done.out;
  const std::string theirs = " AND id = " + std::to_string(rows[0].id);
  EXPECT_EQ(crm_.cell(written), "2");
  EXPECT_EQ(crm_.cell(written + theirs), "0");
  ASSERT_TRUE(synced());
  EXPECT_EQ(crm_.cell(written + theirs), "0") << "written again";
}

TEST_P(ForgetOnSqlite, DeletesTheRowThatWasMadeForThePerson) {
  crm_.execute("CREATE TABLE tasks (id integer PRIMARY KEY, order_id integer, state text)");
  const std::string first = "[[pull.customers.write]]\ntable = \"orders\"\n";
  config_ = folder_.write(
      "forget.toml",
      replaced(usual_, first,
               "[[pull.customers.write]]\ntable = \"tasks\"\ninsert = true\nforget = \"delete\"\n"
               "match = { order_id = \"Data[OrderNumber]\" }\n"
               "set = { state = \"Status.StatusName\" }\n" +
                   first));
  const auto rows = orders(2);
  crm_.insert(rows);
  ASSERT_TRUE(synced());
  ASSERT_TRUE(synced());
  const std::string tasks = "SELECT COUNT(*) FROM tasks";
  ASSERT_EQ(crm_.cell(tasks), "2");
  const auto done = command({"forget", rows[0].email});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find("deleted: 1 row of tasks\n"), std::string::npos) << done.out;
  EXPECT_EQ(crm_.cell(tasks), "1");
  EXPECT_EQ(crm_.cell(tasks + " WHERE order_id = " + std::to_string(rows[0].id)), "0");
  EXPECT_EQ(command({"forget", rows[0].email}).out.find("deleted"), std::string::npos);
}

// A trigger of the CRM keeps what was written back.
TEST_P(Forget, KeepsWhomItCannotEraseYetFromBeingMailed) {
  const std::string table = "table = \"orders\"\n";
  config_ = folder_.write("forget.toml", replaced(usual_, table, table + "forget = true\n"));
  const auto all = orders(3);
  crm_.insert({all[0], all[1]});
  ASSERT_TRUE(synced());
  ASSERT_TRUE(synced());
  const std::string trigger = "CREATE TRIGGER keeps BEFORE UPDATE ON orders FOR EACH ROW ";
  if (GetParam() == Server::postgresql)
    crm_.execute(
        "CREATE FUNCTION keeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " NEW.survey_status := OLD.survey_status; RETURN NEW; END $$");
  crm_.execute(trigger + (GetParam() == Server::postgresql ? "EXECUTE FUNCTION keeps()"
                          : speaks_mysql(GetParam()) ? "SET NEW.survey_status = OLD.survey_status"
                                                     : "BEGIN SELECT RAISE(ABORT, 'kept'); END"));
  const auto kept = command({"forget", all[0].email});
  EXPECT_EQ(kept.status, 1) << kept.out << kept.err;
  EXPECT_NE(kept.err.find("nothing is erased yet: "), std::string::npos) << kept.err;
  EXPECT_NE(kept.err.find("the table \"orders\": cannot be emptied"), std::string::npos)
      << kept.err;
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer"), "2");
  const auto mailed = sandbox_.customers().size();
  auto another = all[2];
  another.email = all[0].email;
  crm_.insert({another});
  EXPECT_EQ(command({"sync", "push"}).status, 0);
  EXPECT_EQ(sandbox_.customers().size(), mailed) << "mailed though it asked to be forgotten";
  EXPECT_EQ(command({"sync", "pull"}).status, 0);
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer"), "2")
      << "erased though what it wrote back cannot be emptied";

  crm_.execute(std::string("DROP TRIGGER keeps") +
               (GetParam() == Server::postgresql ? " ON orders" : ""));
  EXPECT_EQ(command({"forget", all[0].email}).status, 0);
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer"), "1");
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM orders WHERE survey_status IS NOT NULL"), "1");
}

// The database refuses a statement in the bridge's own tables.
TEST_P(Forget, KeepsWhomTheDatabaseDoesNotLetItEraseFromBeingMailed) {
  const auto all = orders(2);
  crm_.insert({all[0]});
  ASSERT_TRUE(synced());
  ASSERT_TRUE(synced());
  ASSERT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer"), "1");
  const bool postgresql = GetParam() == Server::postgresql;
  if (postgresql)
    crm_.execute(
        "CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " RAISE EXCEPTION 'it stays'; END $$");
  crm_.execute(std::string("CREATE TRIGGER stays BEFORE DELETE ON survey_customer FOR EACH ROW ") +
               (postgresql                 ? "EXECUTE FUNCTION stays()"
                : speaks_mysql(GetParam()) ? "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'it stays'"
                                           : "BEGIN SELECT RAISE(ABORT, 'it stays'); END"));
  const auto kept = command({"forget", all[0].email});
  EXPECT_EQ(kept.status, 1) << kept.out << kept.err;
  EXPECT_NE(kept.err.find("nothing is erased yet: "), std::string::npos) << kept.err;
  EXPECT_NE(kept.err.find("from now on no push mails this person"), std::string::npos) << kept.err;
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer"), "1");
  auto another = all[1];
  another.email = all[0].email;
  crm_.insert({another});
  EXPECT_EQ(command({"sync", "push"}).status, 0);
  EXPECT_EQ(sandbox_.customers().size(), 1u) << "mailed though it asked to be forgotten";

  crm_.execute(std::string("DROP TRIGGER stays") + (postgresql ? " ON survey_customer" : ""));
  EXPECT_EQ(command({"forget", all[0].email}).status, 0);
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer"), "0");
}

TEST_P(ForgetOnSqlite, DoesNothingWhereAColumnMustHoldSomething) {
  crm_.execute("CREATE TABLE strict (id integer PRIMARY KEY, status varchar(99) NOT NULL)");
  crm_.insert(orders(1));
  ASSERT_TRUE(synced());
  config_ = folder_.write("strict.toml",
                          usual_ +
                              "[[pull.bouncers.write]]\ntable = \"strict\"\nforget = true\n"
                              "match = { id = \"Data[OrderNumber]\" }\n"
                              "set = { status = \"CustomerStatus\" }\n");
  const std::string fault = "pull.bouncers.write.set.status: forget = true empties it";
  for (const Arguments& words : {Arguments{"forget", orders(1)[0].email}, Arguments{"check"}}) {
    const auto done = command(words);
    EXPECT_EQ(done.status, 78) << done.out;
    EXPECT_NE(done.err.find(fault), std::string::npos) << done.err;
  }
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer"), "1");
}

TEST_P(Forget, ErasesAPersonForGood) {
  auto rows = orders(5);
  rows[4].email = rows[0].email;
  crm_.insert({rows.begin(), rows.begin() + 4});
  ASSERT_TRUE(synced());
  ASSERT_TRUE(synced());
  ASSERT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer"), "4");

  const auto done = command({"forget", " " + rows[0].email + " "});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find("erased: 1 customer,"), std::string::npos) << done.out;
  EXPECT_EQ(done.out.find(rows[0].email), std::string::npos) << "an address in the output";
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer"), "3");
  EXPECT_EQ(command({"forget", "no address"}).status, 2);
  const auto again = command({"forget", rows[0].email});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_NE(again.out.find("1 transaction of the ledger kept"), std::string::npos) << again.out;

  const auto explained = command({"explain", rows[0].email});
  EXPECT_EQ(explained.status, 0) << explained.err;
  EXPECT_EQ(explained.out.find("the person with this address was forgotten on 20"), 0u)
      << explained.out;
  EXPECT_EQ(explained.out.find("transaction " + std::to_string(rows[0].id)), std::string::npos)
      << "the key is shown: " << explained.out;

  crm_.insert({rows[4]});  // the person buys again
  ASSERT_TRUE(synced());
  ASSERT_TRUE(synced());
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer"), "3") << "pulled back";
  EXPECT_EQ(sandbox_.customers().size(), 4u) << "mailed again";
  EXPECT_EQ(crm_.cell("SELECT reason FROM survey_push WHERE state = 'suppressed'"),
            "the person asked to be forgotten");
}

TEST_P(Forget, PrintsBeforeWhatItWouldErase) {
  const std::string table = "table = \"orders\"\n";
  config_ = folder_.write("forget.toml", replaced(usual_, table, table + "forget = true\n"));
  const auto rows = orders(2);
  crm_.insert(rows);
  ASSERT_TRUE(synced());
  ASSERT_TRUE(synced());
  const auto printed = command({"export", rows[0].email});
  EXPECT_EQ(printed.status, 0) << printed.err;
  const auto all = nlohmann::json::parse(printed.out);
  EXPECT_EQ(all.at("store").at("survey_customer").size(), 1u);
  EXPECT_EQ(all.at("store").at("survey_customer").at(0).at("email"), rows[0].email);
  EXPECT_EQ(all.at("crm").at("orders").size(), 1u);
  EXPECT_EQ(printed.out.find(rows[1].email), std::string::npos) << printed.out;
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer"), "2");
  EXPECT_EQ(command({"forget", rows[0].email, "--json"}).out,
            R"({"customers":1,"bouncers":0,"ratings":0,)"
            R"("emptied":[{"table":"orders","rows":1,"deleted":0}],)"
            R"("transactions":1,"under_way":0,"waiting":0,"forgotten_before":false,)"
            R"("forgotten":true})"
            "\n");
  const auto after = command({"export", rows[0].email});
  EXPECT_EQ(after.status, 1);
  EXPECT_EQ(after.out, "{\"store\":{},\"crm\":{}}\n");
  EXPECT_EQ(command({"export", "no address"}).status, 2);
  const auto again = command({"forget", rows[0].email, "--json"});
  EXPECT_EQ(nlohmann::json::parse(again.out).at("forgotten_before"), true) << again.out;
  const auto stranger = command({"forget", "stranger@example.test", "--json"});
  EXPECT_EQ(stranger.status, 1);
  EXPECT_EQ(nlohmann::json::parse(stranger.out).at("forgotten"), false) << stranger.out;
}

// It may be a typing error, or the person asks before the CRM has a row.
TEST_P(ForgetOnSqlite, ChangesNothingForAnAddressThatNothingIsKnownOfUnlessToldTo) {
  const auto forgotten = [&] {
    return crm_.cell("SELECT COUNT(*) FROM survey_person WHERE kind = 'forgotten'");
  };
  const std::string email = orders(1)[0].email;
  const auto refused = command({"forget", email});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(
      refused.err,
      "surveybridge: forget: the bridge has nothing of this address, no row that waits to be sent"
      " has it, and nothing was changed: is it written as the CRM has it? If it is, `surveybridge "
      "forget --unknown ADDRESS -c " +
          config_ + "` keeps it from being mailed when the CRM has it later\n");
  EXPECT_EQ(forgotten(), "0");
  const auto told = command({"forget", "--unknown", email});
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_EQ(told.out,
            "nothing to erase: the bridge has nothing of this address\nforgotten from now on: no "
            "push mails it, and no pull stores it, when the CRM or the service has it later\n");
  EXPECT_EQ(forgotten(), "1");
  EXPECT_EQ(command({"forget", email}).out,
            "nothing to erase: this address was forgotten before, and still is\n");
  crm_.insert(orders(1));
  ASSERT_TRUE(synced());
  EXPECT_EQ(sandbox_.customers().size(), 0u) << "mailed";
}

// The person asks before the bridge has seen the order.
TEST_P(Forget, ForgetsWhoeverHasARowThatWaitsInTheCrm) {
  auto rows = orders(3);
  rows[1].email = " ANN@Example.test";
  crm_.insert(rows);
  const auto done = command({"forget", "ann@example.test"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out,
            "nothing to erase: the bridge has not sent anything to this address\n"
            "forgotten from now on: 1 row of the CRM, which waited to be sent, is not mailed\n"
            "the CRM's own tables and the survey service are not touched\n");
  ASSERT_TRUE(synced());
  EXPECT_EQ(sandbox_.customers().size(), 2u) << "mailed";
  EXPECT_EQ(crm_.cell("SELECT reason FROM survey_push WHERE state = 'suppressed'"),
            "the person asked to be forgotten");
}

// Such a row is set aside by the push, and may go out once the CRM's row is mended.
TEST_P(Forget, FindsRowsWithANameAroundTheAddressAlsoThoseThatWereSetAside) {
  auto rows = orders(3);
  rows[0].email = "Ann Lee <ann@example.test>";
  rows[1].email = "Bob <bob@example.test>";
  crm_.insert({rows[0]});
  const std::string waited =
      "forgotten from now on: 1 row of the CRM, which waited to be sent, is not mailed\n";
  const auto done = command({"forget", "ann@example.test"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find(waited), std::string::npos) << done.out;
  crm_.execute("DELETE FROM orders");
  crm_.insert({rows[1], rows[2]});
  command({"sync", "push"});
  ASSERT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_push WHERE state = 'quarantined'"), "1");
  const auto set_aside = command({"forget", "bob@example.test"});
  EXPECT_EQ(set_aside.status, 0) << set_aside.err;
  EXPECT_NE(set_aside.out.find(waited), std::string::npos) << set_aside.out;
  EXPECT_EQ(command({"forget", "lee@example.test"}).status, 1) << "nobody's";
}

TEST_P(ForgetOnSqlite, FindsARowWhoseAddressComesFromSeveralCells) {
  config_ = folder_.write("cells.toml",
                          replaced(usual_, "{ column = \"email\", trim = true, required = true }",
                                   "{ template = \"{first_name}@{last_name}\", required = true }"));
  auto rows = orders(2);
  rows[0].first_name = "ann";
  rows[0].last_name = "example.test";
  crm_.insert(rows);
  const auto done = command({"forget", "ann@example.test"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find("forgotten from now on: 1 row of the CRM"), std::string::npos)
      << done.out;
}

// The program's arguments are in the list of processes, and in the shell's history.
TEST_P(ForgetOnSqlite, TakesTheAddressFromStandardInput) {
  const auto rows = orders(2);
  crm_.insert(rows);
  ASSERT_TRUE(synced());
  const auto told = [&](const std::string& input, const std::string& words) {
    const auto program = bridge_program({});
    return support::run({{"sh", "-c",
                          "printf '" + input + "' | exec '" + program.argv.at(0) + "' forget " +
                              words + " -c '" + config_ + "'"},
                         program.environment});
  };
  const auto done = told(" " + rows[0].email + " \\r\\n", "-");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find("1 transaction of the ledger kept"), std::string::npos) << done.out;
  EXPECT_EQ(told(rows[1].email, "--stdin").status, 0);
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_person WHERE kind = 'forgotten'"), "2");
  EXPECT_EQ(told(rows[1].email, "--stdin --unknown").status, 0);

  EXPECT_EQ(told("", "-").status, 2);
  EXPECT_NE(told("a@example.test\\nb@example.test", "-").err.find("several lines"),
            std::string::npos);
  EXPECT_EQ(told(std::string(2000, 'a'), "-").status, 2);
  EXPECT_EQ(told(rows[1].email, "").status, 2) << "it must be asked to read";
  EXPECT_EQ(told(rows[1].email, "--stdin " + rows[1].email).status, 2);
}

TEST_P(Forget, KnowsTransactionsWhoseKeyIsTheAddress) {
  config_ = folder_.write("address.toml",
                          replaced(replaced(usual_, "key       = \"id\"", "key = \"email\""),
                                   "OrderNumber = \"id\"", "OrderNumber = \"email\""));
  auto rows = orders(4);
  crm_.insert({rows.begin(), rows.begin() + 3});
  ASSERT_TRUE(synced());
  ASSERT_TRUE(synced());
  ASSERT_EQ(sandbox_.customers().size(), 3u);
  ASSERT_EQ(command({"forget", rows[0].email}).status, 0);
  rows[3].email = "other@example.test";
  crm_.insert({rows[3]});
  ASSERT_TRUE(synced());
  ASSERT_TRUE(synced());
  EXPECT_EQ(sandbox_.customers().size(), 4u) << "mailed again";
  const std::string key = speaks_mysql(GetParam()) ? "`key`" : "key";
  for (const std::string& cells :
       {"survey_push WHERE " + key, "survey_push_event WHERE " + key, "survey_listed WHERE " + key,
        "survey_invitation WHERE " + key, std::string("survey_customer_data WHERE value")})
    EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM " + cells + " LIKE '%" + rows[0].email + "%'"), "0")
        << cells;
  const auto erased =
      crm_.cell("SELECT " + key + " FROM survey_push WHERE " + key + " LIKE '(erased) %'");
  const auto explained = command({"explain", erased});
  EXPECT_NE(explained.out.find("the person is forgotten"), std::string::npos) << explained.out;
  const auto verified = command({"verify"});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
}

INSTANTIATE_TEST_SUITE_P(Databases, Forget,
                         testing::Values(Server::sqlite, Server::postgresql, Server::mariadb),
                         server_name);
INSTANTIATE_TEST_SUITE_P(Database, ForgetOnSqlite, testing::Values(Server::sqlite), server_name);

// Of a table that another session has locked, or that is so large that a statement takes too long.
TEST(ForgetOfALockedTable, MarksEvenWhomItHadNoTimeToLookFor) {
  Crm crm(Server::postgresql);
  const SandboxProgram sandbox{{"--speed", "0"}};
  const support::TemporaryFolder folder;
  const std::string config =
      folder.write("bridge.toml", replaced(configuration(crm.connection(), sandbox.url()),
                                           "[crm]\n", "[crm]\nstatement_timeout = \"5s\"\n"));
  ASSERT_EQ(bridge({"sync", "-c", config}).status, 0);
  const auto beside = crm.open();
  beside->begin();
  beside->execute({"LOCK TABLE survey_bouncer IN ACCESS EXCLUSIVE MODE", {}});
  const auto rows = orders(1);
  const auto kept = bridge({"forget", rows[0].email, "-c", config});
  beside->rollback();
  EXPECT_EQ(kept.status, 69) << kept.out << kept.err;
  EXPECT_NE(kept.err.find("nothing is erased yet: "), std::string::npos) << kept.err;
  EXPECT_NE(kept.err.find("from now on no push mails this person"), std::string::npos) << kept.err;
  crm.insert(rows);
  EXPECT_EQ(bridge({"sync", "push", "-c", config}).status, 0);
  EXPECT_TRUE(sandbox.customers().empty()) << "mailed though it asked to be forgotten";
  EXPECT_EQ(bridge({"forget", rows[0].email, "-c", config}).status, 0);
}

}  // namespace
}  // namespace program
