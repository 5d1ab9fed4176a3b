#include "connectors/service/credentials.hpp"

#include <cstdlib>
#include <deque>

#include <gmock/gmock.h>

#include "mapping/values/base64.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::service;
using config::Auth;
using config::Secret;
using mapping::Instant;
using std::chrono::seconds;

// Answers in order; keeps the requests.
class Scripted final : public Transport {
 public:
  std::deque<Exchange> answers;
  std::vector<Request> requests;
  Exchange send(const Request& request) override {
    requests.push_back(request);
    if (answers.empty()) return Failure{Failure::Kind::not_connected, "nobody there", 0};
    Exchange answer = answers.front();
    answers.pop_front();
    return answer;
  }
};

constexpr const char* kVariable = "BRIDGE_TEST_SECRET";

std::unique_ptr<Credentials> make(Auth auth) {
  setenv(kVariable, "s3 cret&", 1);
  const Secret secret{Secret::From::env, kVariable};
  auth.client_secret = auth.token = auth.password = secret;
  return std::get<0>(Credentials::make(auth));
}

Auth oauth2() {
  Auth auth;
  auth.kind = Auth::Kind::oauth2;
  auth.token_url = "https://login.test/token";
  auth.client_id = "crm";
  auth.scope = "surveys all";
  return auth;
}

Exchange token(const std::string& text, const std::string& expires = "3600") {
  return Response{200, {}, R"({"access_token":")" + text + R"(","expires_in":)" + expires + "}"};
}

std::string value_of(const std::variant<std::optional<Header>, Trouble>& answer) {
  return std::get<std::optional<Header>>(answer).value().second;
}

TEST(Credentials, MakeTheFixedHeaders) {
  Scripted transport;
  Auth auth;
  EXPECT_EQ(std::get<0>(make(auth)->header(transport, {})), std::nullopt);
  auth.kind = Auth::Kind::bearer;
  EXPECT_EQ(value_of(make(auth)->header(transport, {})), "Bearer s3 cret&");
  auth.kind = Auth::Kind::basic;
  auth.user = "Aladdin";
  EXPECT_EQ(value_of(make(auth)->header(transport, {})), "Basic QWxhZGRpbjpzMyBjcmV0Jg==");
  auth.kind = Auth::Kind::header;
  auth.header = "X-Api-Key";
  EXPECT_EQ(std::get<0>(make(auth)->header(transport, {})), (Header{"X-Api-Key", "s3 cret&"}));
  EXPECT_TRUE(transport.requests.empty());
}

TEST(Credentials, FetchATokenAndKeepItUntilShortlyBeforeItEnds) {
  Scripted transport;
  transport.answers = {token("one"), token("two")};
  const auto credentials = make(oauth2());
  const Instant now{};
  EXPECT_EQ(value_of(credentials->header(transport, now)), "Bearer one");
  EXPECT_EQ(value_of(credentials->header(transport, now + seconds{3500})), "Bearer one");
  EXPECT_EQ(value_of(credentials->header(transport, now + seconds{3541})), "Bearer two");
  ASSERT_EQ(transport.requests.size(), 2u);
  EXPECT_EQ(transport.requests[0].body,
            "grant_type=client_credentials&scope=surveys%20all&client_id=crm"
            "&client_secret=s3%20cret%26");
}

TEST(Credentials, CanCarryTheSecretAsBasic) {
  Scripted transport;
  transport.answers = {token("one")};
  Auth auth = oauth2();
  auth.secret_in = Auth::SecretIn::basic;
  make(auth)->header(transport, {});
  EXPECT_EQ(transport.requests[0].body.find("secret"), std::string::npos);
  EXPECT_EQ(transport.requests[0].headers[0],
            (Header{"Authorization", "Basic " + mapping::write_base64("crm:s3%20cret%26")}));
}

TEST(Credentials, RefreshAfterARefusalOnlyWhatWasRefused) {
  Scripted transport;
  transport.answers = {token("one"), token("two")};
  const auto credentials = make(oauth2());
  const auto one = std::get<0>(credentials->header(transport, {}));
  EXPECT_TRUE(credentials->refused(one));
  EXPECT_EQ(value_of(credentials->header(transport, {})), "Bearer two");
  EXPECT_TRUE(credentials->refused(one)) << "another job's late news";
  EXPECT_EQ(value_of(credentials->header(transport, {})), "Bearer two");
}

TEST(Credentials, HaveNothingToRefreshWhenTheyAreFixed) {
  Auth auth;
  auth.kind = Auth::Kind::bearer;
  EXPECT_FALSE(make(auth)->refused(Header{"Authorization", "Bearer s3 cret&"}));
}

TEST(Credentials, SurviveEveryLifetime) {
  for (const char* expires : {"\"3600\"", "0", "-5", "1e300", "null", "\"soon\""}) {
    Scripted transport;
    transport.answers = {token("one", expires)};
    EXPECT_EQ(value_of(make(oauth2())->header(transport, {})), "Bearer one") << expires;
  }
}

Trouble trouble_of(const Exchange& answer) {
  Scripted transport;
  transport.answers = {answer};
  return std::get<Trouble>(make(oauth2())->header(transport, {}));
}

Trouble::Kind trouble_with(const Exchange& answer) {
  return trouble_of(answer).kind;
}

TEST(Credentials, TellARefusalFromAnOutage) {
  using Kind = Trouble::Kind;
  EXPECT_EQ(trouble_with(Response{401, {}, ""}), Kind::unauthorized);
  EXPECT_EQ(trouble_with(Response{400, {}, R"({"error":"invalid_client"})"}), Kind::unauthorized);
  EXPECT_EQ(trouble_with(Response{503, {}, ""}), Kind::unavailable);
  EXPECT_EQ(trouble_with(Failure{Failure::Kind::not_connected, "x", 0}), Kind::unavailable);
  EXPECT_EQ(trouble_with(Response{429, {}, ""}), Kind::too_many);
  EXPECT_EQ(trouble_with(Response{200, {}, "<html>"}), Kind::unauthorized);
  EXPECT_EQ(trouble_with(Response{200, {}, "{}"}), Kind::unauthorized);
  EXPECT_EQ(trouble_with(Response{200, {}, R"({"access_token":"a\r\nX: y"})"}), Kind::unauthorized);
}

TEST(Credentials, ShowTheErrorCodeOfTheTokenEndpointAndNoOtherWord) {
  const auto detail =
      trouble_of(Response{400, {}, R"({"error":"invalid_scope","x":"of ann"})"}).detail;
  EXPECT_THAT(detail, testing::HasSubstr("HTTP 400 (invalid_scope): it does not know client_id"));
  EXPECT_THAT(detail, testing::Not(testing::HasSubstr("ann")));
  EXPECT_THAT(trouble_of(Response{401, {}, "<html>"}).detail, testing::HasSubstr("HTTP 401: "));
}

// It is no answer to a request, which would stand for a row, a cursor or a list.
TEST(Credentials, TellNoStatusOfTheTokenEndpointAsTheServices) {
  for (const int status : {200, 302, 400, 401, 403, 404, 405, 410, 413, 422, 429, 500, 503}) {
    const Trouble trouble = trouble_of(Response{status, {}, "<html>"});
    EXPECT_EQ(trouble.status, 0) << status;
    EXPECT_NE(trouble.detail.find("token endpoint https://login.test/token: "), std::string::npos);
    EXPECT_NE(trouble.kind, Trouble::Kind::forbidden) << status;
    EXPECT_NE(trouble.kind, Trouble::Kind::misplaced) << status;
  }
}

TEST(Credentials, SayWhichSecretCannotBeReadButNeverWhatItIs) {
  Auth auth;
  auth.kind = Auth::Kind::bearer;
  auth.token = Secret{Secret::From::env, "BRIDGE_TEST_NOT_SET"};
  const auto made = Credentials::make(auth);
  EXPECT_NE(std::get<std::string>(made).find("BRIDGE_TEST_NOT_SET"), std::string::npos);
  setenv(kVariable, "two\nlines", 1);
  auth.token = Secret{Secret::From::env, kVariable};
  const auto broken = Credentials::make(auth);
  EXPECT_EQ(std::get<std::string>(broken).find("two"), std::string::npos);
}

TEST(Credentials, ReadASecretAgainThatTheServiceRefuses) {
  Scripted transport;
  Auth auth;
  auth.kind = Auth::Kind::bearer;
  const auto credentials = make(auth);
  const auto used = std::get<0>(credentials->header(transport, {}));
  EXPECT_FALSE(credentials->refused(used)) << "it is the same";
  setenv(kVariable, "new one", 1);
  EXPECT_TRUE(credentials->refused(used));
  EXPECT_EQ(value_of(credentials->header(transport, {})), "Bearer new one");
  EXPECT_TRUE(credentials->refused(used)) << "another job was refused with the old one";
  unsetenv(kVariable);
  EXPECT_FALSE(credentials->refused(std::get<0>(credentials->header(transport, {}))));
}

TEST(Credentials, AskForATokenOnceMoreWithANewSecret) {
  Scripted transport;
  const auto credentials = make(oauth2());
  transport.answers = {Response{401, {}, ""}, token("t")};
  setenv(kVariable, "new", 1);
  EXPECT_EQ(value_of(credentials->header(transport, {})), "Bearer t");
  ASSERT_EQ(transport.requests.size(), 2u);
  EXPECT_NE(transport.requests[1].body.find("client_secret=new"), std::string::npos);
  transport.answers = {Response{401, {}, ""}, token("u")};
  EXPECT_TRUE(std::holds_alternative<Trouble>(
      credentials->header(transport, Instant{std::chrono::hours{9}})))
      << "the same secret is not tried twice";
}

}  // namespace
