// Bounces as mail servers, providers and the service word them, and whether each is for good.
#include "mapping/values/bounce.hpp"

#include <string>

#include <gtest/gtest.h>

namespace surveybridge::mapping {
namespace {

struct BounceCase {
  const char* name;
  const char* reason;
  const char* exception = "";
  const char* customer_status = "";
};

void PrintTo(const BounceCase& one, std::ostream* out) {
  *out << one.reason << " | " << one.exception << " | " << one.customer_status;
}

std::string name_of(const testing::TestParamInfo<BounceCase>& info) {
  return info.param.name;
}

Bounce kind(const BounceCase& one) {
  return kind_of_bounce({one.reason, one.exception, one.customer_status});
}

class HardBounce : public testing::TestWithParam<BounceCase> {};
class SoftBounce : public testing::TestWithParam<BounceCase> {};

TEST_P(HardBounce, IsForGood) {
  EXPECT_EQ(kind(GetParam()), Bounce::hard);
}

TEST_P(SoftBounce, MayArriveAnotherTime) {
  EXPECT_EQ(kind(GetParam()), Bounce::soft);
}

const BounceCase kHard[] = {
    // The words of services that decided themselves.
    {"TheWordHardBounce", "HardBounce"},
    {"TheWordsHardBounce", "hard bounce"},
    {"TheWordHardAlone", "Hard"},
    {"TheCustomersStatus", "", "", "HardBounce"},
    {"TheCustomersStatusBesideAnUnknownReason", "Bounced", "", "Hard-Bounce"},
    {"ASuppressionList", "Recipient address is on the suppression list for your account"},
    {"ACategory", "Permanent"},
    {"ACategoryOfAFailure", "Permanent failure"},
    {"TheCustomersStatusAsACategory", "Bounced", "", "PermanentBounce"},
    {"JoinedWords", "MailboxNotFound"},
    {"JoinedWordsOfASuppressionList", "OnAccountSuppressionList"},
    {"JoinedWordsOfAnAddress", "InvalidEmailAddress"},
    {"WordsWithABlankBeyondAscii", "user\u00A0unknown"},
    {"WordsOfDutch", "Het e-mailadres bestaat niet"},
    {"WordsOfGerman", "Diese Adresse existiert nicht"},
    {"WordsOfFrench", "L'adresse n'existe pas"},
    // Enhanced status codes.
    {"MailboxUnavailableWithItsCodes", "mailbox unavailable, 550 5.1.1"},
    {"ACodeAlone", "5.1.1"},
    {"ACodeInTheException", "The message could not be delivered",
     "System.Net.Mail.SmtpFailedRecipientException: Mailbox unavailable. The server response was: "
     "5.1.1 <anna@example.test>: Recipient address rejected: User unknown"},
    {"ACodeBehindAHyphen", "550-5.1.1 The email account that you tried to reach does not exist."},
    {"ACodeInBrackets", "Delivery failed (#5.1.2)"},
    {"ACodeInALineOfAReport", "Action: failed\nStatus: 5.1.3\nRemote-MTA: dns; mx.example.test"},
    {"MovedWithoutForwarding", "551 5.1.6 Recipient has moved"},
    {"NullMx", "556 5.1.10 Recipient address has null MX"},
    {"MailboxDisabled", "550 5.2.1 The email account that you tried to reach is disabled."},
    {"MicrosoftNoSuchRecipient", "550 5.4.1 Recipient address rejected: Access denied."},
    {"MicrosoftNotFound",
     "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup"},
    {"MicrosoftNoDomain", "550 5.4.310 DNS domain example.test does not exist"},
    {"NoRoute", "5.4.4 Host or domain name not found. Name service error for name=example.test"},
    {"AccountDisabledByPolicy", "525 5.7.13 User account disabled"},
    {"AnotherOwner", "550 5.7.17 Mailbox owner has changed"},
    {"AccessCodeBesideAnUnknownUser", "550 5.7.1 No such user here"},
    {"OutlookComWithItsOwnWords",
     "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)."},
    {"AnOtherAddressStatus", "550 5.1.0 Address rejected."},
    {"TheFirstDecidingCode", "5.0.0 undefined; smtp;550 5.1.1 unknown; 4.4.7 expired"},
    {"ACodeThatIsNotOnTheList", "550 5.5.1 Recipient does not exist"},
    // Reply codes.
    {"Reply550Alone", "550"},
    {"Reply550WithWordsThatSayNothing", "550 Requested action not taken"},
    {"Reply550BehindHostSaid", "host mx.example.test[192.0.2.1] said: 550 sorry"},
    {"Reply551", "551 not here; please forward"},
    {"Reply553", "553 sorry, that name is not here"},
    {"Reply521", "521 mx.example.test takes no mail"},
    {"Reply556", "556 Domain"},
    {"Reply550BesideABusyStatus", "550 No Such User Here", "", "SoftBounce"},
    // The words of large providers.
    {"Gmail",
     "The email account that you tried to reach does not exist. Please try double-checking"},
    {"GmailInactive", "The mailbox is inactive"},
    {"Outlook", "Requested action not taken: mailbox unavailable"},
    {"Yahoo", "554 delivery error: dd This user doesn't have a yahoo.com account (bob@e.test) [0]"},
    {"YahooDisabled", "554 30 Sorry, your message cannot be delivered. This mailbox is disabled."},
    {"Apple", "<x@e.test>: user lookup success but no user record found"},
    {"Comcast", "Not our Customer"},
    {"MailRu", "invalid mailbox. Local mailbox x@e.test is unavailable: user not found"},
    {"MailRuInactive", "Message was not accepted -- account is inactive"},
    {"Yandex", "No such user!"},
    {"Gmx", "Requested mail action not taken: mailbox unavailable"},
    {"Laposte", "Adresse inconnue. Unknown recipient"},
    {"German", "Unbekannter Empfänger"},
    {"Dutch", "Onbekende gebruiker"},
    {"Qmail", "Sorry, no mailbox here by that name. (vpopmail)"},
    {"QmailClosed", "This address no longer accepts mail."},
    {"Exim", "Unrouteable address"},
    {"EximDomain",
     "all relevant MX records point to non-existent hosts or unrouteable mail domain"},
    {"Postfix", "unknown user: \"bob\""},
    {"PostfixVirtual", "User unknown in virtual mailbox table"},
    {"DotNetStatus", "", "SmtpStatusCode: MailboxUnavailable"},
    {"DotNetName", "", "MailboxNameNotAllowed"},
    {"SendGrid", "Bounced Address"},
    {"Mailgun", "Not delivering to previously bounced address"},
    {"Capitals", "USER UNKNOWN"},
};

const BounceCase kSoft[] = {
    {"ACategoryBesideAReasonOfTheSender", "Permanent error: rejected as spam"},
    {"JoinedWordsOfAFullMailbox", "MailboxFull"},
    // Nothing that can be told.
    {"NoText", ""},
    {"TheWordBounced", "Bounced"},
    {"UndeterminedText", "Something went wrong while the message was handled"},
    // The words of services that decided themselves.
    {"TheWordSoftBounce", "SoftBounce"},
    {"TheCustomersStatus", "", "", "SoftBounce"},
    {"TheStatusBeforeTheWords", "user unknown", "", "SoftBounce"},
    // Enhanced status codes.
    {"MailboxFull", "552 5.2.2 Mailbox full"},
    {"MailboxFullUnder550", "550 5.2.2 user over quota"},
    {"TooLong", "552 5.2.3 Message exceeds local size limit"},
    {"TooBig", "552 5.3.4 Message size exceeds fixed limit"},
    {"Class4", "450 4.2.0 Greylisted"},
    {"Class4OfAnAddress", "450 4.1.1 undeliverable address: unverified"},
    {"Class4InADotNetText", "Mailbox unavailable. The server response was: 4.2.2 not now"},
    {"Expired", "4.4.7 Message expired"},
    {"PolicyOfTheServer", "550 5.7.1 Message rejected as spam by content filtering"},
    {"NotAuthorized", "550 5.7.1 Delivery not authorized, message refused"},
    {"Unauthenticated", "550 5.7.26 This mail is unauthenticated"},
    {"SenderSyntax", "553 5.1.7 bad sender address syntax"},
    {"SenderDomain", "553 5.1.8 <us@example.test>: Sender address rejected: Domain not found"},
    {"RateOfAMailbox",
     "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents it"},
    {"Loop", "554 5.4.6 Too many hops"},
    {"Protocol", "503 5.5.1 Bad sequence of commands"},
    {"Content", "554 5.6.0 Message content rejected"},
    // Reply codes.
    {"Reply421", "421 try later"},
    {"Reply450", "450 Requested mail action not taken: mailbox unavailable"},
    {"Reply451", "451 local error in processing"},
    {"Reply452", "452 insufficient system storage"},
    {"Reply552", "552 exceeded storage allocation"},
    {"Reply554", "554 Transaction failed"},
    {"Reply550OfABlockList", "550 Blocked using zen.spamhaus.org"},
    {"Reply550OfASender", "550 Sender address rejected"},
    {"Reply550OfAPolicy", "550 Message rejected due to local policy"},
    {"Reply550OfAFullMailbox", "550 Mailbox is full"},
    {"Reply550OfRelaying", "550 relaying denied"},
    {"Reply550ForATime", "550 mailbox unavailable, please try again later"},
    // Words.
    {"QuotaExceeded", "The recipient's mailbox exceeded quota"},
    {"TemporarilyDisabled", "user unknown: account temporarily disabled"},
    {"TimedOut", "connection timed out"},
    {"Refused", "Connection refused"},
    {"OutOfOffice", "Out of office"},
    // What looks like a code and is none.
    {"AnAddressOfAHost", "no answer from 5.1.1.1"},
    {"AnAddressOfAHostBehind", "no answer from 192.5.1.1"},
    {"AVersion", "v5.1.1 of the relay"},
    {"ADate", "no answer since 5.1.2026"},
    {"ASubjectThatDoesNotExist", "5.9.1"},
    {"DigitsOfAMailAddress", "no answer for <user-5.1.1@example.test>"},
    {"WordsOfAMailAddress", "no answer for hard@example.test"},
    {"AReplyCodeInAMailAddress", "no answer for 550@example.test"},
    {"ANumberThatHoldsAReplyCode", "no answer, id 15503"},
    {"ANumberWithAFraction", "no answer for 550.3 seconds"},
    {"AWordThatBeginsWithHard", "hardware of the server failed"},
    {"ACodeOfSuccess", "2.1.5 relayed"},
};

INSTANTIATE_TEST_SUITE_P(Says, HardBounce, testing::ValuesIn(kHard), name_of);
INSTANTIATE_TEST_SUITE_P(Says, SoftBounce, testing::ValuesIn(kSoft), name_of);

TEST(KindOfBounce, OfATextOfAnySizeIsFoundInTime) {
  const std::string large(1'000'000, '5');
  EXPECT_EQ(kind_of_bounce({large, large, large}), Bounce::soft);
  EXPECT_EQ(kind_of_bounce({"\xFF\xFE 5.1.1", "", ""}), Bounce::hard) << "broken UTF-8";
}

}  // namespace
}  // namespace surveybridge::mapping
