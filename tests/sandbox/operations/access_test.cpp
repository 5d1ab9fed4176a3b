#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sandbox/model/text.hpp"
#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

int status_with(TurnedWorld& world, const std::string& name, const std::string& value) {
  return world.service.handle({"GET", kList, {{name, value}}, ""}).status;
}

Reply grant(TurnedWorld& world, const std::string& form, const std::string& basic = "") {
  Request request{"POST", "/oauth2/token", {}, form};
  if (!basic.empty()) request.headers.emplace_back("authorization", "Basic " + write_base64(basic));
  return world.service.handle(request);
}

TEST(Access, NeedsAValidToken) {
  TurnedWorld world(still());
  EXPECT_EQ(world.service.handle({"GET", kList, {}, ""}).status, 401);
  EXPECT_EQ(status_with(world, "Authorization", "Bearer wrong"), 401);
  EXPECT_EQ(status_with(world, "Authorization", "Bearer "), 401);
  EXPECT_EQ(status_with(world, "Authorization", "sandbox-token"), 401);
  EXPECT_EQ(status_with(world, "Authorization", "Basic sandbox-token"), 401);
  EXPECT_EQ(status_with(world, "authorization", "bearer sandbox-token"), 200);
}

TEST(Access, TellsNothingOfAnAddWithoutAToken) {
  TurnedWorld world(still());
  const std::string body = batch_of(1).dump();
  EXPECT_EQ(world.service.handle({"POST", TurnedWorld::kAdd, {}, body}).status, 401);
  EXPECT_EQ(world.service.adds(), 0);
  EXPECT_TRUE(world.service.customers().empty());
}

TEST(Access, IsGivenForAClientsSecret) {
  TurnedWorld world(still());
  const std::string form = "grant_type=client_credentials&scope=surveys";
  const std::string id = "&client_id=sandbox&client_secret=sandbox-secret";
  for (const Reply& reply :
       {grant(world, form + id), grant(world, form, "sandbox:sandbox-secret")}) {
    ASSERT_EQ(reply.status, 200) << reply.body;
    const Json body = Json::parse(reply.body);
    EXPECT_EQ(body["token_type"], "Bearer");
    EXPECT_EQ(body["expires_in"], 3600);
    const std::string bearer = "Bearer " + body["access_token"].get<std::string>();
    EXPECT_EQ(status_with(world, "Authorization", bearer), 200);
  }
}

TEST(Access, IsNotGivenForAWrongSecret) {
  TurnedWorld world(still());
  const std::string form = "grant_type=client_credentials";
  EXPECT_EQ(grant(world, form).status, 401);
  EXPECT_EQ(grant(world, form + "&client_id=sandbox&client_secret=x").status, 401);
  EXPECT_EQ(grant(world, form, "sandbox:x").status, 401);
  EXPECT_EQ(grant(world, "grant_type=password", "sandbox:sandbox-secret").status, 400);
  EXPECT_EQ(grant(world, "%", "sandbox:sandbox-secret").status, 400);
}

TEST(Access, EndsWithItsTimeOrWhenRevoked) {
  Options options = still();
  options.token_lifetime = 60s;
  TurnedWorld world(options);
  const auto bearer = [&] {
    const Reply reply = grant(world, "grant_type=client_credentials", "sandbox:sandbox-secret");
    return "Bearer " + Json::parse(reply.body)["access_token"].get<std::string>();
  };
  const std::string first = bearer();
  world.now += 59s;
  EXPECT_EQ(status_with(world, "Authorization", first), 200);
  world.now += 1s;
  EXPECT_EQ(status_with(world, "Authorization", first), 401);
  const std::string second = bearer();
  EXPECT_NE(first, second);
  world.send("POST", "/sandbox/revoke");
  EXPECT_EQ(status_with(world, "Authorization", second), 401);
}

TEST(Access, KnowsANamedHeaderAndBasic) {
  Options options = still();
  options.token_header = "X-Api-Key";
  options.user = "crm";
  options.password = "p:w";
  TurnedWorld world(options);
  EXPECT_EQ(status_with(world, "x-api-key", "sandbox-token"), 200);
  EXPECT_EQ(status_with(world, "x-api-key", "other"), 401);
  EXPECT_EQ(status_with(world, "Authorization", "Basic " + write_base64("crm:p:w")), 200);
  EXPECT_EQ(status_with(world, "Authorization", "Basic " + write_base64("crm:p")), 401);
}

TEST(Access, IsFreeWithoutATokenInTheOptions) {
  Options options = still();
  options.token = "";
  TurnedWorld world(options);
  EXPECT_EQ(world.service.handle({"GET", kList, {}, ""}).status, 200);
}

}  // namespace
}  // namespace sandbox
