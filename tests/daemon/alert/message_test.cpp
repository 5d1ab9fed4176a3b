#include "daemon/alert/message.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "mapping/values/base64.hpp"
#include "tests/daemon/report/sample_report.hpp"
#include "tests/daemon/status/sample_status.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr TimePoint kSent{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20} +
                          std::chrono::hours{8}};
const AlertOrigin kOrigin{"crm-host", "/etc/surveybridge/surveybridge.toml"};

DueAlerts one_of_each() {
  const crm::Alert brake{"ops",
                         "brake orders",
                         "orders: the brake holds: <1000> rows",
                         "surveybridge release orders",
                         kSent,
                         kSent,
                         {}};
  const crm::Alert over{
      "ops", "rows held orders", "orders: 1 held", "surveybridge doubt list", kSent, kSent, kSent};
  return {{brake}, {over}};
}

TEST(AlertMessage, SaysTheSentenceAndTheCommand) {
  const auto message = message_of(one_of_each(), kOrigin);
  EXPECT_EQ(message.title,
            "surveybridge on crm-host: needs a person: orders: the brake holds: <1000> rows");
  EXPECT_EQ(message.text,
            "Needs a person:\n- orders: the brake holds: <1000> rows\n"
            "  surveybridge release orders\n\nWell again:\n- orders: 1 held\n\n"
            "surveybridge on crm-host, /etc/surveybridge/surveybridge.toml\n");
  EXPECT_EQ(message_of({{}, one_of_each().over}, kOrigin).title,
            "surveybridge on crm-host: well again: orders: 1 held");
}

TEST(AlertMessage, KeepsHeadersWhole) {
  DueAlerts due = one_of_each();
  due.begun[0].what = "größer\r\nBcc: x@example.test " + std::string(5000, 'x');
  const auto title = message_of(due, kOrigin).title;
  EXPECT_LE(title.size(), 150u);
  for (const char c : title)
    EXPECT_TRUE(c >= ' ' && c <= '~') << title;
}

TEST(AlertMessage, IsAMailThatEveryServerTakes) {
  config::Receiver receiver;
  receiver.name = "ops";
  receiver.from = "bridge@example.test";
  receiver.mail = {"ops@example.test", "night@example.test"};
  const auto message = message_of(one_of_each(), kOrigin);
  const std::string mail = mail_text(message, receiver, kSent);
  EXPECT_THAT(mail, StartsWith("From: bridge@example.test\r\nTo: ops@example.test,\r\n "
                               "night@example.test\r\nSubject: " +
                               message.title +
                               "\r\nDate: Fri, 20 Nov 2026 08:00:00 +0000\r\n"
                               "Message-ID: <"));
  const auto body = mail.find("\r\n\r\n");
  ASSERT_NE(body, std::string::npos);
  EXPECT_EQ(mapping::read_base64(mail.substr(body + 4)), message.text);
  EXPECT_EQ(mail.find_first_of("\n"), mail.find("\r\n") + 1) << "each line ends with CR LF";
}

TEST(AlertMessage, CarriesAReportInPartsThatEveryProgramReads) {
  config::Report::Mail mail;
  mail.csv = true;
  mail.receiver.mail = {"board@example.test"};
  auto report = sample::quarter();
  const auto message = report_message(report, mail, kOrigin);
  EXPECT_THAT(message.title, StartsWith("Survey report: orders, " + report.from + " to "));
  EXPECT_THAT(message.text, HasSubstr("- Response rate: "));
  const std::string text = mail_text(message, mail.receiver, kSent);
  const auto begin = text.find("boundary=\"") + 10;
  const std::string boundary = text.substr(begin, text.find('"', begin) - begin);
  std::size_t parts = 0;
  for (auto at = text.find("\r\n--" + boundary + "\r\n"); at != std::string::npos; ++parts)
    at = text.find("\r\n--" + boundary + "\r\n", at + 1);
  EXPECT_EQ(parts, message.files.size() + 1);
  EXPECT_TRUE(text.ends_with("\r\n--" + boundary + "--\r\n"));
  EXPECT_THAT(text, HasSubstr("Content-Disposition: attachment; filename=\"report_" + report.to +
                              ".html\"\r\n"));
  for (std::size_t at = 0, end = 0; (end = text.find("\r\n", at)) != std::string::npos;
       at = end + 2)
    EXPECT_LE(end - at, 150u) << text.substr(at, end - at);
}

TEST(AlertMessage, LeavesOutFilesThatNoServerTakes) {
  auto report = sample::quarter();
  report.segments.resize(30'000, report.segments.front());
  const auto message = report_message(report, {}, kOrigin);
  EXPECT_TRUE(message.files.empty());
  EXPECT_THAT(message.text, HasSubstr("Too large for a mail: report_" + report.to + ".html. "));
}

TEST(AlertMessage, HasTheFormOfEachWebhook) {
  using Form = config::Receiver::Form;
  const auto message = message_of(one_of_each(), kOrigin);
  const auto read = [&](Form form) { return nlohmann::json::parse(webhook_text(message, form)); };
  EXPECT_EQ(read(Form::json)["begun"][0]["command"], "surveybridge release orders");
  EXPECT_EQ(read(Form::json)["over"][0]["what"], "orders: 1 held");
  EXPECT_THAT(read(Form::slack)["text"].get<std::string>(), HasSubstr("&lt;1000&gt; rows"));
  const auto card = read(Form::teams)["attachments"][0]["content"];
  EXPECT_EQ(card["type"], "AdaptiveCard");
  EXPECT_EQ(card["body"][0]["text"], message.title);
}

TEST(AlertMessage, SumsUpTheDay) {
  const StatusReport report = sample_status::shop();
  config::Receiver ops;
  const auto summary = summary_of(report, needs_of(report), ops, kOrigin);
  EXPECT_THAT(summary.title, HasSubstr("summary: 7 things need a person"));
  EXPECT_THAT(summary.text, HasSubstr("  surveybridge release orders\n"));
  EXPECT_THAT(summary.text, HasSubstr("- orders: 3 waiting, "));
  EXPECT_THAT(summary_of({}, {}, ops, kOrigin).title, HasSubstr("summary: all is well"));
  EXPECT_THAT(summary_of({}, {{"the service refuses jo@example.test", ""}}, ops, kOrigin).text,
              HasSubstr("- the service refuses (an address)\n"));
  ops.kinds = {config::AlertKind::brake};
  const auto of_brake = summary_of(report, needs_of(report), ops, kOrigin);
  EXPECT_THAT(of_brake.title, HasSubstr("summary: 1 thing needs a person"));
  EXPECT_THAT(of_brake.text, Not(HasSubstr("quarantine")));
  EXPECT_THAT(summary_of({}, {}, ops, kOrigin).title,
              HasSubstr("summary: nothing of kinds = [brake] needs a person"));
}

// A need whose words are its name would be told again with each of its numbers.
TEST(AlertMessage, IsOfANeedThatKeepsItsNameWhateverItsNumbersBecome) {
  StatusReport report = sample_status::shop();
  report.waiting.at(0).too_few = TooFew{1, 3, 61};
  report.silent = {{"customers", "LastActivityDate", {2, 0, 40}}};
  const auto before = needs_of(report);
  report.waiting.at(0).too_few = TooFew{2, 4, 120};
  report.silent[0].found.days = 3;
  const auto after = needs_of(report);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_FALSE(before[i].about.empty()) << before[i].what;
    EXPECT_EQ(before[i].about, after[i].about);
    EXPECT_EQ(before[i].kind, after[i].kind);
  }
}

TEST(AlertMessage, OfAnAnswerHasItsNumberAloneInTheTitleAndOneIdWheneverItIsSent) {
  const AnswerNote answer{"an-id", "unhappy", true, {{"Customer", "17"}, {"Score", "<3>"}}};
  const auto message = answer_message(answer, kOrigin);
  EXPECT_EQ(message.title, "surveybridge on crm-host: unhappy: Customer 17");
  EXPECT_EQ(message.text,
            "This may have been told before.\n\nCustomer: 17\nScore: <3>\n\n"
            "surveybridge on crm-host, /etc/surveybridge/surveybridge.toml\n");
  config::Receiver receiver;
  for (const auto at : {kSent, kSent + std::chrono::hours{1}})
    EXPECT_THAT(mail_text(message, receiver, at), HasSubstr("Message-ID: <an-id@surveybridge>"));
  const auto said = nlohmann::json::parse(webhook_text(message, config::Receiver::Form::json));
  EXPECT_EQ(said["id"], "an-id");
  EXPECT_EQ(said["again"], true);
  EXPECT_EQ(said["fields"]["Score"], "<3>");
}

TEST(AlertMessage, MakesNoLinkOfWhatACustomerWrote) {
  const AnswerNote answer{
      "an-id", "unhappy", false, {{"Customer", "17"}, {"Remark", "[our page](https://evil.test)"}}};
  const auto card = nlohmann::json::parse(
      webhook_text(answer_message(answer, kOrigin), config::Receiver::Form::teams));
  EXPECT_THAT(card["attachments"][0]["content"]["body"][1]["text"].get<std::string>(),
              HasSubstr("[our page] (https://evil.test)"));
}

}  // namespace
