// `surveybridge alert`, and `check` of its section, to a mail server and a webhook on this machine.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge_and_crm.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/raw_server.hpp"
#include "tests/support/smtp_server.hpp"

namespace program {
namespace {

using support::RawServer;
using testing::Contains;
using testing::HasSubstr;

class AlertCommand : public BridgeAndSqlite {
 protected:
  void tell(const std::string& mail_server, const std::string& webhook) {
    write(usual_ +
          "\n[alert.ops]\nmail = [\"ops@alerts.invalid\"]\n"
          "from = \"bridge@alerts.invalid\"\nserver = \"" +
          mail_server + "\"\n[alert.chat]\nwebhook = \"" + webhook +
          "/hook\"\n[report.mail.board]\nto = "
          "[\"board@alerts.invalid\"]\nthrough = \"ops\"\n"
          "every = \"Monday 08:00\"\n");
  }
  support::Finished failed(const std::string& unit, const std::string& status) {
    return support::run(bridge_program({"alert", "failed", "-c", config_},
                                       {"MONITOR_UNIT=" + unit, "MONITOR_SERVICE_RESULT=exit-code",
                                        "MONITOR_EXIT_STATUS=" + status}));
  }
  const support::SmtpServer mails_;
  const RawServer chat_{[](const RawServer::Heard&) {
    return RawServer::Said{support::ok("{}"), RawServer::Said::Then::close};
  }};
};

TEST_F(AlertCommand, TestTellsEachReceiverAndSaysTheOutcome) {
  EXPECT_EQ(command({"alert", "test"}).status, 2) << "there is no receiver";
  tell(mails_.url(), chat_.url());
  EXPECT_EQ(command({"check"}).status, 0);
  EXPECT_THAT(mails_.heard(), testing::Not(Contains("DATA"))) << "a check sends nothing";
  const auto both = command({"alert", "test"});
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_THAT(both.out, HasSubstr("alert.ops: ops@alerts.invalid: sent\n"));
  EXPECT_THAT(both.out, HasSubstr("alert.chat: webhook: sent\n"));
  EXPECT_THAT(both.out, HasSubstr("report.mail.board: board@alerts.invalid: sent\n"));
  EXPECT_THAT(mails_.heard(), Contains("RCPT TO:<ops@alerts.invalid>"));
  const auto said = nlohmann::json::parse(chat_.heard().back().body);
  EXPECT_THAT(said["title"].get<std::string>(), HasSubstr("a test"));
  tell("smtp://127.0.0.1:1", chat_.url());
  const auto dead = command({"alert", "test"});
  EXPECT_EQ(dead.status, 69);
  EXPECT_THAT(dead.out, HasSubstr("alert.ops: ops@alerts.invalid: not sent: cannot reach smtp://"));
  EXPECT_THAT(dead.out, HasSubstr("alert.chat: webhook: sent\n"));
  const auto as_json = command({"alert", "test", "--json"});
  EXPECT_EQ(as_json.status, 69);
  const auto messages = nlohmann::json::parse(as_json.out).at("messages");
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_THAT(
      messages,
      Contains(nlohmann::json{
          {"receiver", "alert.chat"}, {"to", "webhook"}, {"sent", true}, {"reason", nullptr}}));
  for (const auto& message : messages) {
    if (message.at("receiver") != "alert.ops") continue;
    EXPECT_EQ(message.at("to"), "ops@alerts.invalid");
    EXPECT_EQ(message.at("sent"), false);
    EXPECT_THAT(message.at("reason").get<std::string>(), HasSubstr("cannot reach smtp://"));
  }
  const auto checked = command({"check"});
  EXPECT_EQ(checked.status, 69);
  EXPECT_THAT(checked.err, HasSubstr("alert.ops: cannot reach smtp://127.0.0.1:1"));
}

TEST_F(AlertCommand, FollowUpsThatWaitAreInTheStatus) {
  write(usual_ + "\n[alert.chat]\nwebhook = \"" + chat_.url() +
        "/hook\"\n[pull.customers.follow_up.unhappy]\nwhen = { IsContactRequested = true }\n"
        "to = [\"chat\"]\n");
  make_tables();
  EXPECT_THAT(command({"status"}).out, testing::Not(HasSubstr("follow  ")));
  for (const char* row :
       {"'1', 'unhappy', 'chat', strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 hour')",
        "'2', 'unhappy', 'chat', strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"})
    crm_.execute(std::string("INSERT INTO survey_follow_up (list, record, name, receiver, found_at)"
                             " VALUES ('customers', ") +
                 row + ")");
  EXPECT_THAT(
      command({"status"}).out,
      testing::ContainsRegex("follow  customers > unhappy +2 follow-ups are to be sent, the "
                             "first one since 20[0-9T:-]+Z\n"));
  const auto told = nlohmann::json::parse(command({"status", "--json"}).out).at("follow_ups").at(0);
  EXPECT_EQ(told.at("list"), "customers");
  EXPECT_EQ(told.at("name"), "unhappy");
  EXPECT_EQ(told.at("messages"), 2);
}

TEST_F(AlertCommand, TellsOfAFailedUnitThoughTheFileIsWrongElsewhere) {
  tell(mails_.url(), chat_.url());
  EXPECT_EQ(failed("surveybridge-verify.service", "69").status, 0);
  auto said = nlohmann::json::parse(chat_.heard().back().body);
  EXPECT_EQ(said["begun"][0]["what"], "surveybridge-verify.service has failed: exit-code 69");
  write(replaced(support::read_file(config_), "[pull.customers]", "[pull.custmers]"));
  EXPECT_EQ(failed("surveybridge.service", "78").status, 0);
  said = nlohmann::json::parse(chat_.heard().back().body);
  EXPECT_EQ(said["begun"][0]["what"], "surveybridge.service has failed: exit-code 78");
  EXPECT_THAT(said["begun"][0]["command"].get<std::string>(), HasSubstr("surveybridge check"));
}

}  // namespace
}  // namespace program
