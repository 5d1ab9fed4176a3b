// `surveybridge init` by answers on a terminal: what is asked, asked again and not shown.
#include "tests/program/init_world.hpp"
#include "tests/program/private_words.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_P(InitOn, ReachesThePreviewByAnswersOnATerminal) {
  support::Terminal terminal(bridge_program({"init", "-c", file(), "--time-zone", "UTC"}));
  ASSERT_NO_FATAL_FAILURE(
      converse(terminal, {{"survey service (https://…): ", sandbox_.url()},
                          {"[bearer]: ", ""},
                          {"token (not shown", kToken},
                          {"CRM's database: ", crm_.connection()},
                          {"a query (it ends with", std::string(kDemoQuery) + ";"}}));
  ASSERT_NO_FATAL_FAILURE(accept_columns(terminal));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  expect_ready(terminal.shown());
  EXPECT_THAT(terminal.shown(), Not(HasSubstr(kToken))) << "a secret is not shown";
  EXPECT_EQ(support::read_file(folder_.path() + "/bridge.token"), std::string(kToken) + "\n");
  EXPECT_EQ(mode_of_file(folder_.path() + "/bridge.token"), 0600u);
}

TEST_F(Init, AsksForTheTimeZoneOfTheCrm) {
  support::Terminal terminal(
      bridge_program({"init", "-c", file(), "--base-url", sandbox_.url(), "--auth", "bearer",
                      "--token", "env:BRIDGE_TOKEN", "--query", kDemoQuery}));
  ASSERT_NO_FATAL_FAILURE(converse(terminal, {{"time zone of the CRM's clock [", "Europe/Amsterdm"},
                                              {"did you mean", "Europe/Amsterdam"},
                                              {"CRM's database: ", crm_.connection()}}));
  ASSERT_NO_FATAL_FAILURE(accept_columns(terminal));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_THAT(support::read_file(file()), HasSubstr("time_zone = \"Europe/Amsterdam\""));
}

TEST_P(InitOn, ShowsTheTablesBeforeItAsksForOne) {
  crm_.execute("CREATE VIEW delivered AS SELECT * FROM orders");
  bridge({"forget", "--unknown", "nobody@example.test", "-c",
          folder_.write("tables.toml", configuration(crm_.connection(), sandbox_.url()))});
  ASSERT_NE(tables_of_the_bridge(crm_, server_), "0");
  crm_.execute("CREATE VIEW survey_report_customer AS SELECT * FROM orders");
  crm_.execute("CREATE TABLE survey_of_ours (id INTEGER)");
  support::Terminal terminal(
      bridge_program({"init", "-c", file(), "--time-zone", "UTC", "--base-url", sandbox_.url(),
                      "--auth", "bearer", "--token", "env:BRIDGE_TOKEN"}));
  ASSERT_TRUE(terminal.wait_for("CRM's database: ")) << terminal.shown();
  terminal.type_line(crm_.connection());
  EXPECT_TRUE(terminal.wait_for("  its tables and views: delivered, orders, survey_of_ours\r\n"))
      << terminal.shown();
  ASSERT_TRUE(terminal.wait_for("a query (it ends with")) << terminal.shown();
  terminal.type("\x04");
  EXPECT_EQ(terminal.wait(), 2);
}

TEST_F(Init, ShowsFortyTablesOfMany) {
  for (int i = 100; i < 150; ++i)
    crm_.execute("CREATE TABLE a" + std::to_string(i) + " (id INTEGER)");
  support::Terminal terminal(bridge_program(
      {"init", "-c", file(), "--time-zone", "UTC", "--base-url", sandbox_.url(), "--auth", "bearer",
       "--token", "env:BRIDGE_TOKEN", "--connection", crm_.connection()}));
  EXPECT_TRUE(terminal.wait_for("a138, a139, …")) << terminal.shown();
}

TEST_F(Init, PutsAPasswordIntoTheBracesOfAnOdbcText) {
  Crm crm(Server::odbc);
  make_demo_orders(crm, Server::odbc);
  support::Terminal terminal(
      bridge_program({"init", "-c", file(), "--base-url", sandbox_.url(), "--auth", "bearer",
                      "--token", "env:BRIDGE_TOKEN", "--query", kDemoQuery, "--time-zone", "UTC"}));
  ASSERT_TRUE(terminal.wait_for("CRM's database: ")) << terminal.shown();
  terminal.type_line(crm.connection() + "PWD=***");
  ASSERT_TRUE(terminal.wait_for("password (not shown): ")) << terminal.shown();
  terminal.type_line("a;Database=none;}b");
  ASSERT_NO_FATAL_FAILURE(accept_columns(terminal)) << "the server asks for no password";
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_THAT(support::read_file(folder_.path() + "/bridge.crm-connection"),
              HasSubstr("PWD={a;Database=none;}}b}"));
}

TEST_F(Init, AsksAgainAfterAnAnswerThatDoesNotWork) {
  support::Terminal terminal(bridge_program({"init", "-c", file(), "--time-zone", "UTC"}));
  ASSERT_NO_FATAL_FAILURE(converse(
      terminal, {{"(https://…): ", "surveys"},
                 {"must begin with \"https://\"", "http://127.0.0.1:1"},
                 {"unavailable: ", sandbox_.url()},
                 {"[bearer]: ", "bearer"},
                 {"token (not shown", "wrong"},
                 {"[bearer]: ", ""},
                 {"token (not shown", "wrong too"},
                 {"[bearer]: ", ""},
                 {"token (not shown", "env:BRIDGE_TOKEN"},
                 {"CRM's database: ", "sqlite3:///no/such.db"},
                 {"there is no file \"/no/such.db\"", crm_.connection()},
                 {"ends with", "oders"},
                 {"no such table: oders (did you mean \"orders\"?)", std::string(kDemoQuery) + ";"},
                 {"nothing older is ever sent [", "yesterday"},
                 {"must be a date such as 2026-11-01", ""},
                 {"[delivered_at]: ", "remark_at"},
                 {"the query has no column \"remark_at\"", ""},
                 {"[order_no]: ", "orderno"},
                 {"the query has no column \"orderno\" (did you mean \"order_no\"?)", ""},
                 {"[email]: ", ""}}));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_EQ(files_in(folder_.path()), 1) << "the token is in the environment";
  EXPECT_THAT(terminal.shown(), Not(HasSubstr("wrong too"))) << "a secret is not shown";
}

// What is refused there may be the address as well as the secret.
TEST_F(Init, AsksForTheAddressOfTheTokensAgainWhereItGivesNone) {
  support::Terminal terminal(
      bridge_program({"init", "-c", file(), "--base-url", sandbox_.url(), "--time-zone", "UTC"}));
  ASSERT_NO_FATAL_FAILURE(
      converse(terminal, {{"[bearer]: ", "oauth2"},
                          {"gives tokens (https://…): ", sandbox_.url() + "/oauth2/tokens"},
                          {"Client's id: ", "sandbox"},
                          {"(not shown", "sandbox-secret"},
                          {"[oauth2]: ", ""},
                          {"/oauth2/tokens]: ", sandbox_.url() + "/oauth2/token"},
                          {"[sandbox]: ", ""},
                          {"(not shown", "sandbox-secret"},
                          {"CRM's database: ", crm_.connection()}}));
  EXPECT_THAT(
      terminal.shown(),
      HasSubstr(
          "it does not know client_id with this client_secret (and scope), or token_url is wrong"));
}

TEST_F(Init, LeavesNothingWhereTheInputEnds) {
  support::Terminal terminal(bridge_program({"init", "-c", file()}));
  ASSERT_TRUE(terminal.wait_for("(https://…): "));
  terminal.type_line(sandbox_.url());
  ASSERT_TRUE(terminal.wait_for("[bearer]: "));
  terminal.type("\x04");
  EXPECT_EQ(terminal.wait(), 2);
  EXPECT_THAT(terminal.shown(), HasSubstr("init: the input ended at the question"));
  EXPECT_EQ(files_in(folder_.path()), 0);
}

TEST_F(Init, TurnsTheEchoOnAgainAfterAnInterrupt) {
  support::Terminal terminal(bridge_program({"init", "-c", file(), "--base-url", sandbox_.url()}));
  ASSERT_TRUE(terminal.wait_for("[bearer]: "));
  EXPECT_TRUE(terminal.echoes());
  terminal.type_line("");
  ASSERT_TRUE(terminal.wait_for("token (not shown"));
  EXPECT_FALSE(terminal.echoes());
  terminal.type("\x03");
  EXPECT_EQ(terminal.wait(), 2) << terminal.shown();
  EXPECT_TRUE(terminal.echoes());
}

TEST_F(Init, KeepsAPasswordOfTheDatabaseInAFileOfItsOwn) {
  auto& server = support::PostgresServer::shared();
  Crm crm(Server::postgresql);
  make_demo_orders(crm, Server::postgresql);
  const std::string with_stars =
      replaced(crm.connection(), "user=bridge", "user=locked password=***");
  server.sql(crm.connection().substr(crm.connection().find("dbname=") + 7),
             "GRANT ALL ON ALL TABLES IN SCHEMA public TO locked; "
             "GRANT CREATE ON SCHEMA public TO locked");
  support::Terminal terminal(
      bridge_program({"init", "-c", file(), "--base-url", sandbox_.url(), "--auth", "bearer",
                      "--token", "env:BRIDGE_TOKEN", "--query", kDemoQuery, "--time-zone", "UTC"}));
  ASSERT_TRUE(terminal.wait_for("CRM's database: ")) << terminal.shown();
  terminal.type_line(with_stars);
  ASSERT_TRUE(terminal.wait_for("password (not shown): ")) << terminal.shown();
  terminal.type_line("mistyped");
  ASSERT_TRUE(terminal.wait_for("password authentication failed")) << terminal.shown();
  ASSERT_TRUE(terminal.wait_for("then [" + with_stars + "]: ")) << terminal.shown();
  terminal.type_line("");
  ASSERT_TRUE(terminal.wait_for("password (not shown): ")) << terminal.shown();
  terminal.type_line(kPassword);
  ASSERT_NO_FATAL_FAILURE(accept_columns(terminal));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  EXPECT_THAT(terminal.shown() + support::read_file(file()),
              AllOf(Not(HasSubstr(kPassword)), Not(HasSubstr("mistyped"))));
  const std::string secret = folder_.path() + "/bridge.crm-connection";
  EXPECT_THAT(support::read_file(secret), HasSubstr(kPassword));
  EXPECT_EQ(mode_of_file(secret), 0600u);
}

}  // namespace
}  // namespace program
