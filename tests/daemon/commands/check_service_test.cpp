// What `check` says of certificates and clocks. Time is an argument.
#include "daemon/commands/check_service.hpp"

#include <gtest/gtest.h>

namespace surveybridge::daemon {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kChecked{std::chrono::sys_days{std::chrono::year{2026} / 11 / 22}};

std::string said_of(Duration left, const std::string& fault = "") {
  const auto found = certificate_finding({kChecked + left, fault}, "https://s.example", kChecked);
  return found ? (found->wrong ? "wrong: " : "note: ") + found->text : "";
}

TEST(CertificateFinding, IsANoteThirtyDaysBeforeTheEnd) {
  EXPECT_EQ(said_of(24h * 30), "");
  EXPECT_EQ(said_of(24h * 30 - 1s),
            "note: service: the certificate of https://s.example ends in 29 days, on "
            "2026-12-21T23:59:59Z");
  EXPECT_EQ(said_of(25h),
            "note: service: the certificate of https://s.example ends in 1 day, on "
            "2026-11-23T01:00:00Z");
}

TEST(CertificateFinding, IsWrongWhereItIsNotTrusted) {
  EXPECT_EQ(said_of(-24h, "it has expired"),
            "wrong: service: the certificate of https://s.example is not trusted: it has expired; "
            "it ended on 2026-11-21T00:00:00Z");
  EXPECT_EQ(said_of(24h * 300, "another host"),
            "wrong: service: the certificate of https://s.example is not trusted: another host; "
            "it ends on 2027-09-18T00:00:00Z");
}

TEST(ClientFinding, SaysWhenOurOwnCertificateEnds) {
  const auto said = [](Duration left) {
    const auto found =
        client_finding({"chain", "key", "file \"/own.pem\"", kChecked + left}, kChecked);
    return found ? (found->wrong ? "wrong: " : "note: ") + found->text : "";
  };
  EXPECT_FALSE(client_finding({}, kChecked)) << "there is none";
  EXPECT_EQ(said(24h * 30), "");
  EXPECT_EQ(said(25h),
            "note: service.client_certificate: file \"/own.pem\" ends in 1 day, on "
            "2026-11-23T01:00:00Z");
  EXPECT_EQ(said(0s),
            "wrong: service.client_certificate: file \"/own.pem\" ended on "
            "2026-11-22T00:00:00Z: nothing is sent");
}

TEST(ClockFinding, SaysADifferenceFromFiveSecondsOn) {
  EXPECT_FALSE(clock_finding(4s));
  EXPECT_FALSE(clock_finding(-4s));
  EXPECT_EQ(clock_finding(5s), "its clock is 5 s ahead of this machine's");
  EXPECT_EQ(clock_finding(-1h), "its clock is 3600 s behind this machine's");
}

}  // namespace
}  // namespace surveybridge::daemon
