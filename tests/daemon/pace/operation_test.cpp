// The words by which requests are counted.
#include <gtest/gtest.h>

#include "daemon/pace/transport.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using service::Failure;

TEST(Operations, AreNamedByTheirPathWithoutTheQuery) {
  config::Service service;
  service.base_url = "https://surveys.example.com";
  service.auth.token_url = "https://surveys.example.com/oauth2/token";
  service.dialect.columns_path = "/columns?all=1";
  const std::vector<std::pair<const char*, const char*>> cases{
      {"https://surveys.example.com/external/api/v3/customer/add", "add"},
      {"https://surveys.example.com/external/api/v3/customer?Cursor=x&Limit=100", "customers"},
      {"https://surveys.example.com/external/api/v3/rating?Limit=100", "ratings"},
      {"https://surveys.example.com/external/api/v3/customer/getbouncers", "bouncers"},
      {"https://surveys.example.com/columns?all=1", "columns"},
      {"https://surveys.example.com/external/api/v3/customer/getcustomerstatuses", "statuses"},
      {"https://surveys.example.com/oauth2/token", "token"},
      {"https://surveys.example.com/external/api/v3/customer/addition", "other"},
      {"https://surveys.example.com/external/api/v3/customer/jan@example.com", "other"},
      {"https://elsewhere.example.com/external/api/v3/customer/add", "other"}};
  for (const auto& [url, name] : cases)
    EXPECT_EQ(operation_of(url, service), name) << url;
}

TEST(Operations, EndWithAStatusOrAWord) {
  const auto failed = [](Failure::Kind kind, bool timed_out = false) {
    return code_of(Failure{kind, "cannot reach https://surveys.example.com", 0, timed_out});
  };
  EXPECT_EQ(code_of(service::Response{200, {}, ""}), "200");
  EXPECT_EQ(code_of(service::Response{429, {}, ""}), "429");
  EXPECT_EQ(code_of(service::Response{999, {}, ""}), "other");
  EXPECT_EQ(code_of(service::Response{0, {}, ""}), "other");
  EXPECT_EQ(failed(Failure::Kind::not_connected), "connection");
  EXPECT_EQ(failed(Failure::Kind::not_connected, true), "timeout");
  EXPECT_EQ(failed(Failure::Kind::unknown), "incomplete");
  EXPECT_EQ(failed(Failure::Kind::unknown, true), "timeout");
  EXPECT_EQ(failed(Failure::Kind::too_large), "too_large");
  EXPECT_EQ(failed(Failure::Kind::stopped), "stopped");
}

}  // namespace
