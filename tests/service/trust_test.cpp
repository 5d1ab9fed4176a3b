// Which server the transport trusts: a real TLS server with a certificate of its own.
#include <ctime>

#include <gmock/gmock.h>

#include "connectors/service/curl_transport.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tls_server.hpp"

namespace {

using namespace surveybridge::service;
using namespace std::chrono_literals;

class Trust : public testing::Test {
 protected:
  Trust() {
    support::make_certificate(file("own"), 2);
    support::make_certificate(file("other"), 2);
    server_ = std::make_unique<support::ChildProcess>(
        support::Program{{"openssl", "s_server", "-www", "-accept", address_, "-key",
                          file("own.key"), "-cert", file("own.pem")},
                         {}});
    if (!server_->wait_for("ACCEPT", 20s)) throw std::runtime_error(server_->err());
  }
  std::string file(const std::string& name) const { return folder_.path() + "/" + name; }
  Exchange get(const std::string& ca_file) const {
    CurlLimits limits;
    limits.ca_file = ca_file;
    CurlTransport transport(limits, nullptr);
    return transport.send({"GET", "https://" + address_ + "/", {}, {}, false, {}});
  }
  void expect_no_trust(const std::string& ca_file) const {
    const Exchange exchange = get(ca_file);
    const auto* failure = std::get_if<Failure>(&exchange);
    ASSERT_NE(failure, nullptr);
    EXPECT_EQ(failure->kind, Failure::Kind::not_connected);
    EXPECT_THAT(failure->detail, testing::HasSubstr("cert"));
  }

  support::TemporaryFolder folder_;
  std::string address_ = "127.0.0.1:" + std::to_string(support::free_port());
  std::unique_ptr<support::ChildProcess> server_;
};

TEST_F(Trust, AcceptsTheAuthoritiesOfTheFile) {
  const Exchange exchange = get(file("own.pem"));
  ASSERT_TRUE(std::holds_alternative<Response>(exchange)) << std::get<Failure>(exchange).detail;
  EXPECT_EQ(std::get<Response>(exchange).status, 200);
}

TEST_F(Trust, TellsWhenTheCertificateEnds) {
  const Exchange exchange = get(file("own.pem"));
  ASSERT_TRUE(std::holds_alternative<Response>(exchange));
  const std::int64_t in_two_days = std::time(nullptr) + 2 * 86'400;
  EXPECT_NEAR(static_cast<double>(std::get<Response>(exchange).certificate_ends),
              static_cast<double>(in_two_days), 600);
}

TEST_F(Trust, RefusesOtherAuthorities) {
  expect_no_trust(file("other.pem"));
  expect_no_trust("");
  expect_no_trust(file("missing.pem"));
}

}  // namespace
