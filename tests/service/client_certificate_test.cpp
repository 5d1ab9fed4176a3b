// Our certificate: the files that can be used, and a real TLS server that asks for it.
#include "connectors/service/client_certificate.hpp"

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>

#include "connectors/service/credentials.hpp"
#include "connectors/service/curl_transport.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/raw_server.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tls_front.hpp"
#include "tests/support/tls_server.hpp"

namespace {

namespace config = surveybridge::config;
namespace fs = std::filesystem;
using namespace surveybridge::service;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class OurCertificate : public testing::Test {
 protected:
  OurCertificate() {
    support::make_certificate(file("own"), 20);
    support::make_certificate(file("other"), 20);
  }
  std::string file(const std::string& name) const { return folder_.path() + "/" + name; }
  std::variant<ClientCertificate, std::string> read(const std::string& certificate,
                                                    const std::string& key) const {
    config::Service settings;
    settings.client_certificate = {config::Secret::From::file, file(certificate)};
    settings.client_key = {config::Secret::From::file, file(key)};
    return read_client_certificate(settings);
  }
  // Why the two cannot be used.
  std::string fault(const std::string& certificate, const std::string& key) const {
    const auto answer = read(certificate, key);
    const auto* why = std::get_if<std::string>(&answer);
    return why == nullptr ? "" : *why;
  }
  ClientCertificate named(const std::string& name) const {
    return std::get<ClientCertificate>(read(name + ".pem", name + ".key"));
  }
  std::string quoted(const std::string& name) const { return "file \"" + file(name) + "\""; }

  support::TemporaryFolder folder_;
};

TEST_F(OurCertificate, IsReadWithItsKeyAndItsEnd) {
  const auto own = named("own");
  EXPECT_TRUE(own.given());
  EXPECT_THAT(own.chain, HasSubstr("-----BEGIN CERTIFICATE-----\n"));
  EXPECT_EQ(own.place, quoted("own.pem"));
  const auto left = own.ends - std::chrono::system_clock::now();
  EXPECT_GT(left, std::chrono::days{19});
  EXPECT_LE(left, std::chrono::days{20});
  EXPECT_FALSE(std::get<ClientCertificate>(read_client_certificate({})).given());
}

TEST_F(OurCertificate, IsNotUsedWithoutWhatItNeeds) {
  EXPECT_EQ(fault("none.pem", "own.key"), "service.client_certificate: " + quoted("none.pem") +
                                              " cannot be read: No such file or directory");
  EXPECT_EQ(fault("own.pem", "none.key"), "service.client_key: " + quoted("none.key") +
                                              " cannot be read: No such file or directory");
  EXPECT_EQ(fault("own.key", "own.key"),
            "service.client_certificate: " + quoted("own.key") +
                " has no certificate in PEM (-----BEGIN CERTIFICATE-----)");
  fs::permissions(file("own.pem"), fs::perms::others_read, fs::perm_options::add);
  EXPECT_EQ(fault("own.pem", "own.pem"), "service.client_key: " + quoted("own.pem") +
                                             " can be read by everybody: `chmod 600 " +
                                             file("own.pem") +
                                             "`, or 640 where the daemon reads it as a member of "
                                             "its group");
  fs::permissions(file("other.pem"), fs::perms::owner_read);
  EXPECT_EQ(fault("own.pem", "other.pem"),
            "service.client_key: " + quoted("other.pem") +
                " has no private key in PEM (-----BEGIN PRIVATE KEY-----)");
  EXPECT_EQ(fault("own.pem", "other.key"), "service.client_key: " + quoted("other.key") +
                                               " is not the key of the certificate in " +
                                               quoted("own.pem"));
  support::run({{"openssl", "pkey", "-in", file("own.key"), "-aes256", "-passout", "pass:hunter2",
                 "-out", file("locked.key")},
                {}});
  fs::permissions(file("locked.key"), fs::perms::owner_read);
  EXPECT_THAT(fault("own.pem", "locked.key"),
              HasSubstr("service.client_key: " + quoted("locked.key") + " has a password"));
}

class AskedForOurCertificate : public OurCertificate {
 protected:
  AskedForOurCertificate() { support::make_certificate(file("ended"), -1); }
  CurlLimits limits(const ClientCertificate& client) const {
    CurlLimits limits;
    limits.ca_file = file("server.pem");
    limits.client = client;
    return limits;
  }
  Exchange get(const ClientCertificate& client) const {
    CurlTransport transport(limits(client), nullptr);
    return transport.send({"GET", front_.url() + "/list", {}, {}, false, {}});
  }
  std::string refusal(const ClientCertificate& client) const {
    const Exchange exchange = get(client);
    const auto* failure = std::get_if<Failure>(&exchange);
    return failure == nullptr ? "answered" : failure->detail;
  }

  support::RawServer behind_{[](const auto&) {
    return support::RawServer::Said{support::ok(R"({"access_token":"a-token","expires_in":60})"),
                                    support::RawServer::Said::Then::listen};
  }};
  const std::string server_ = [this] {
    support::make_certificate(file("server"), 20);
    return file("server");
  }();
  support::TlsFront front_{server_, file("own.pem"), behind_.url()};
};

TEST_F(AskedForOurCertificate, ShowsIt) {
  const Exchange exchange = get(named("own"));
  ASSERT_TRUE(std::holds_alternative<Response>(exchange)) << std::get<Failure>(exchange).detail;
  EXPECT_EQ(std::get<Response>(exchange).status, 200);
  const auto seen = look_at_certificate(front_.url(), limits(named("own")));
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->fault, "");
}

TEST_F(AskedForOurCertificate, ShowsItToTheTokenEndpoint) {
  setenv("BRIDGE_TEST_SECRET", "s3cret&more", 1);
  config::Auth auth;
  auth.kind = config::Auth::Kind::oauth2;
  auth.token_url = front_.url() + "/token";
  auth.client_id = "crm";
  auth.client_secret = {config::Secret::From::env, "BRIDGE_TEST_SECRET"};
  const auto credentials = std::get<0>(Credentials::make(auth));
  CurlTransport transport(limits(named("own")), nullptr);
  const auto header = credentials->header(transport, {});
  ASSERT_EQ(header.index(), 0u) << std::get<Trouble>(header).detail;
  EXPECT_EQ(std::get<0>(header).value().second, "Bearer a-token");
  ASSERT_THAT(behind_.heard(), SizeIs(1));
  EXPECT_THAT(behind_.heard().front().head, testing::StartsWith("POST /token "));
}

TEST_F(AskedForOurCertificate, SaysThatTheServerRefusesIt) {
  EXPECT_THAT(refusal({}), HasSubstr("TLS was refused: tlsv13 alert certificate required"));
  EXPECT_THAT(refusal(named("other")), HasSubstr("TLS was refused: "));
  EXPECT_THAT(behind_.heard(), IsEmpty());
}

TEST_F(AskedForOurCertificate, SendsNothingOnceItHasEnded) {
  const Exchange exchange = get(named("ended"));
  const auto* failure = std::get_if<Failure>(&exchange);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->kind, Failure::Kind::not_connected);
  EXPECT_THAT(failure->detail,
              HasSubstr("our certificate (" + quoted("ended.pem") + ") ended on "));
}

}  // namespace
