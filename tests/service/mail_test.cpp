// Mails through the real libcurl, to a small server on this machine.
#include <gmock/gmock.h>

#include "connectors/service/curl_transport.hpp"
#include "tests/support/smtp_server.hpp"

namespace {

using namespace surveybridge::service;
using support::SmtpServer;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Request mail_to(const SmtpServer& server, bool plain = true) {
  Request request{"MAIL", server.url(), {}, "Subject: x\r\n\r\n.first\r\nlast\r\n"};
  request.mail = Mail{"bridge@example.test", {"ops@example.test", "left@example.test"}};
  request.mail->plain = plain;
  return request;
}

Exchange hand_over(const Request& request, int milliseconds = 10'000) {
  CurlLimits limits;
  limits.timeout = std::chrono::milliseconds{milliseconds};
  limits.timeout_setting = "";
  return CurlTransport(limits, nullptr).send(request);
}

Failure refused(const Exchange& exchange) {
  if (const auto* failure = std::get_if<Failure>(&exchange)) return *failure;
  ADD_FAILURE() << "the mail was taken";
  return {};
}

TEST(Mail, GoesWithItsLoginToEachAddress) {
  const SmtpServer server;
  Request request = mail_to(server);
  request.mail->user = "jo";
  request.mail->password = "pw";
  const auto taken = std::get<Response>(hand_over(request));
  EXPECT_EQ(taken.status, 250);
  EXPECT_THAT(taken.refused, ElementsAre());
  const auto heard = server.heard();
  for (const char* line :
       {"AGpvAHB3", "MAIL FROM:<bridge@example.test>", "RCPT TO:<ops@example.test>",
        "RCPT TO:<left@example.test>", "Subject: x", "..first", "last", "."})
    EXPECT_THAT(heard, Contains(line));
}

TEST(Mail, ReachesTheOthersWhereOneAddressIsRefused) {
  const auto without = [](const std::string& refused) {
    return [refused](const std::string& line) {
      return line.find(refused) == std::string::npos || !line.starts_with("RCPT") ? ""
                                                                                  : "550 nobody";
    };
  };
  const SmtpServer one(without("left@"));
  const auto taken = std::get<Response>(hand_over(mail_to(one)));
  EXPECT_EQ(taken.status, 250);
  EXPECT_THAT(taken.refused, ElementsAre("550 to address 2 of 2"));
  EXPECT_THAT(one.heard(), Contains("last"));
  const SmtpServer all(without("@"));
  const Failure none = refused(hand_over(mail_to(all)));
  EXPECT_EQ(none.status, 550);
  EXPECT_THAT(none.detail, HasSubstr("RCPT failed: 550"));
  EXPECT_THAT(none.detail, Not(HasSubstr("@")));
}

TEST(Mail, NeverGoesWithoutTlsToAnotherMachine) {
  const SmtpServer server;
  const Failure failure = refused(hand_over(mail_to(server, false)));
  EXPECT_THAT(failure.detail, HasSubstr("STARTTLS"));
  EXPECT_THAT(server.heard(), Each(StartsWith("EHLO")));
}

TEST(Mail, IsGivenUpWhereTheLoginIsRefusedOrNothingIsSaid) {
  const SmtpServer server(
      [](const std::string& line) { return line == "AUTH PLAIN" ? "535 no" : ""; });
  Request request = mail_to(server);
  request.mail->user = "jo";
  request.mail->password = "pw";
  EXPECT_EQ(refused(hand_over(request)).status, 535);
  // An answer that does not end: its next line never comes.
  const SmtpServer silent(
      [](const std::string& line) { return line.starts_with("EHLO") ? "250-more" : ""; });
  const Failure late = refused(hand_over(mail_to(silent), 300));
  EXPECT_TRUE(late.timed_out);
  EXPECT_THAT(late.detail, Not(HasSubstr("[service]")));
}

TEST(Mail, IsNotSentByALookThatOnlyLogsIn) {
  const SmtpServer server;
  Request request = mail_to(server);
  request.only_connect = true;
  EXPECT_TRUE(std::holds_alternative<Response>(hand_over(request)));
  EXPECT_THAT(server.heard(), Each(StartsWith("EHLO")));
}

}  // namespace
