// The certificate that a real TLS server shows, good or bad.
#include <gmock/gmock.h>

#include "connectors/service/curl_transport.hpp"
#include "tests/support/tls_server.hpp"

namespace {

using namespace surveybridge::service;
using namespace std::chrono_literals;
using testing::HasSubstr;

std::optional<Certificate> look(const support::TlsServer& server, const std::string& ca_file) {
  CurlLimits limits;
  limits.ca_file = ca_file;
  return look_at_certificate(server.url() + "/external/api", limits);
}

// To a day: the certificate was made by the clock of this moment.
void expect_end(const std::optional<Certificate>& certificate, int days) {
  ASSERT_TRUE(certificate);
  const auto left = certificate->ends - std::chrono::system_clock::now();
  EXPECT_GT(left, std::chrono::days{days - 1});
  EXPECT_LE(left, std::chrono::days{days});
}

TEST(CertificateOf, AServerThatIsTrusted) {
  const support::TlsServer server(12);
  const auto found = look(server, server.certificate());
  expect_end(found, 12);
  EXPECT_EQ(found->fault, "");
}

TEST(CertificateOf, AServerWhoseCertificateHasEnded) {
  const support::TlsServer server(-1);
  const auto found = look(server, server.certificate());
  expect_end(found, -1);
  EXPECT_THAT(found->fault, HasSubstr("certificate has expired"));
}

TEST(CertificateOf, AServerWithTheCertificateOfAnotherHost) {
  const support::TlsServer server(40, "DNS:surveys.example.com");
  const auto found = look(server, server.certificate());
  expect_end(found, 40);
  EXPECT_THAT(found->fault, HasSubstr("no alternative certificate subject name matches"));
}

TEST(CertificateOf, AServerWhoseAuthorityNobodyKnows) {
  const support::TlsServer server(40);
  const auto found = look(server, "");
  expect_end(found, 40);
  EXPECT_NE(found->fault, "");
}

TEST(CertificateOf, NoServerAndNoTls) {
  CurlLimits limits;
  EXPECT_FALSE(look_at_certificate("http://127.0.0.1:1/", limits));
  const std::string nobody = "https://127.0.0.1:" + std::to_string(support::free_port());
  EXPECT_FALSE(look_at_certificate(nobody, limits));
}

}  // namespace
