// How the API's functions read answers, without a network.
#include "connectors/service/api.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace surveybridge::service {
namespace {

// Answers every request with one body.
class Still final : public Transport {
 public:
  explicit Still(std::string body, int status = 200) : body_(std::move(body)), status_(status) {}
  Exchange send(const Request&) override {
    Response answer{status_, {{"content-type", "application/json"}, {"link", link}}, body_};
    answer.headers.insert(answer.headers.end(), more.begin(), more.end());
    return answer;
  }
  std::string link = {};
  std::vector<Header> more = {};

 private:
  std::string body_;
  int status_;
};

std::string outcome(const config::Service& settings, std::string body, Bare bare = Bare::refused,
                    int status = 200) {
  const auto credentials = std::get<0>(Credentials::make(settings.auth));
  Still transport(std::move(body), status);
  Api api(settings, transport, *credentials);
  const auto read = api.page(customers(), {}, "", 100, {}, {}, bare);
  if (const auto* trouble = std::get_if<Trouble>(&read)) return trouble->detail;
  const auto& page = std::get<mapping::Page>(read);
  return "page of " + std::to_string(page.records.size() + page.unreadable.size());
}

std::string outcome_of(std::string body, const Header& header = {"x-nothing", "1"},
                       const std::string& cursor = "", int status = 200) {
  const config::Service settings;
  const auto credentials = std::get<0>(Credentials::make(settings.auth));
  Still transport(std::move(body), status);
  transport.more = {header};
  Api api(settings, transport, *credentials);
  const auto read = api.page(customers(), {}, cursor, 100, {});
  const auto* trouble = std::get_if<Trouble>(&read);
  return trouble == nullptr ? "" : trouble->detail;
}

std::string page_of(std::size_t customers) {
  std::string body = R"({"Customers":[{})";
  for (std::size_t i = 1; i < customers; ++i)
    body += ",{}";
  return body + "]}";
}

config::Auth with_token(const char* secret) {
  setenv("BRIDGE_TEST_TOKEN", secret, 1);
  config::Auth auth;
  auth.kind = config::Auth::Kind::bearer;
  auth.token = {config::Secret::From::env, "BRIDGE_TEST_TOKEN"};
  return auth;
}

// A gateway that shows the request, and a record that has it.
TEST(Api, TakesItsOwnSecretOutOfWhatTheServiceSays) {
  config::Service settings;
  settings.auth = with_token("s3/cret+to\"ken&");
  const auto credentials = std::get<0>(Credentials::make(settings.auth));
  for (const char* written :
       {R"(s3/cret+to\"ken&)", R"(s3\/cret\u002bto\u0022ken\u0026)", R"(s3\/cret+to\"ken&amp;)",
        R"(s3%2Fcret%2bto%22ken%26)", R"(s3/cret&#43;to&quot;ken&#x26;)",
        R"(s3\\\/cret\\u002bto\\\"ken\\u0026)", R"(s3%252Fcret%252bto%2522ken%2526)"}) {
    Still transport(R"({"Customers":[{"Id":1,"Email":"Bearer )" + std::string(written) +
                    R"(, it says"},{"Id":"Bearer )" + written + R"("}]})");
    Api api(settings, transport, *credentials);
    const auto read = api.page(customers(), {}, "", 100, {});
    const auto* page = std::get_if<mapping::Page>(&read);
    ASSERT_NE(page, nullptr) << written;
    ASSERT_EQ(page->records.size(), 1U) << written;
    ASSERT_EQ(page->unreadable.size(), 1U) << written;
    EXPECT_THAT(page->unreadable[0].raw, testing::HasSubstr("Bearer ***")) << written;
    EXPECT_THAT(page->unreadable[0].raw, testing::Not(testing::HasSubstr("cret"))) << written;
  }
}

TEST(Api, LeavesWhatIsTooShortForASecretAsItIs) {
  config::Service settings;
  settings.auth = with_token("Custom");
  EXPECT_EQ(outcome(settings, page_of(20)), "page of 20");
}

TEST(Api, BoundsAPageInItsItems) {
  EXPECT_EQ(outcome({}, page_of(10'000)), "page of 10000");
  EXPECT_EQ(outcome({}, page_of(10'001)), "Customers[10000]: more than 10000 items in one page");
}

TEST(Api, RefusesAnAnswerWithoutAListWhereNobodyAsksForThat) {
  for (const auto* body : {"", "null", " [ ] ", "{}", R"({"Customers":null,"NextCursor":null})",
                           R"({"NextCursor":""})"}) {
    EXPECT_EQ(outcome({}, body),
              "expected an object with \"Customers\", got an answer without that list");
    EXPECT_EQ(outcome({}, body, Bare::taken), "page of 0");
  }
  for (const auto* body : {R"({"Customers":null,"A":1})", R"({"Customers":null,"NextCursor":"c"})",
                           R"({"NextCursor":"c"})", "[1]", "nullx", "[[]]"})
    EXPECT_NE(outcome({}, body, Bare::taken), "page of 0") << body;
}

TEST(Api, TakesNoPartOfAnAnswerForAPage) {
  for (const auto bare : {Bare::refused, Bare::taken})
    EXPECT_EQ(outcome({}, page_of(2), bare, 206), "HTTP 206: the answer says that it is not whole");
  EXPECT_EQ(outcome({}, page_of(2), Bare::refused, 203), "page of 2");
}

TEST(Api, BelievesNoEndBesideALinkToTheNextPage) {
  const auto is_page = [](const std::string& link, const std::string& cursor) {
    const auto credentials = std::get<0>(Credentials::make({}));
    Still transport(R"({"Customers":[{"Id":1}],"NextCursor":")" + cursor + "\"}");
    transport.link = link;
    const config::Service settings;
    Api api(settings, transport, *credentials);
    return std::holds_alternative<mapping::Page>(api.page(customers(), {}, "", 100, {}));
  };
  for (const char* link :
       {R"(<https://x.test/b>; rel="next")", R"(<b>;REL=Next)",
        R"(<b>; title="x"; rel="last next")", R"(<a>; rel="prev", <b?a=1,2;3>; rel="next")"}) {
    EXPECT_FALSE(is_page(link, "")) << link;
    EXPECT_TRUE(is_page(link, "c")) << link;
  }
  for (const char* link : {R"(<https://x.test/?a; rel="next">; rel="self")", R"(<a>; rel="prev")",
                           R"(<a>; rel="next-version")", R"(<a>; title="next")"})
    EXPECT_TRUE(is_page(link, "")) << link;
}

// A service that counts pages, and knows no cursor: its first page would be the whole list.
TEST(Api, BelievesNoFirstPageThatSaysThatThereIsMore) {
  const std::string two = R"({"Customers":[{"Id":1},{"Id":2}])";
  for (const char* member : {R"("TotalCount":3)", R"("total":"250")", R"("Total_Records":3)",
                             R"("Count":3)", R"("meta":{"total":3})", R"("TotalPages":2)",
                             R"("paging":{"page_count":2})", R"("@odata.count":3)"}) {
    const std::string body = two + "," + member + "}";
    EXPECT_THAT(outcome_of(body), testing::HasSubstr("is not whole")) << member;
    EXPECT_EQ(outcome_of(body, {"x-nothing", "1"}, "c"), "") << "it may be the last: " << member;
    EXPECT_EQ(outcome_of(two + R"(,"NextCursor":"c",)" + member + "}"), "") << member;
  }
  EXPECT_EQ(outcome_of(two + R"(,"TotalCount":3})"),
            "the answer says that it is not whole: it has 2 of 3 items, and there is no cursor");
  for (const char* member : {R"("TotalCount":2)", R"("total":0)", R"("TotalPages":1)",
                             R"("Other":{"total":3})", R"("total":null)"})
    EXPECT_EQ(outcome_of(two + "," + member + "}"), "") << member;
  for (const auto& [name, value] : std::vector<Header>{{"x-total-count", "3"},
                                                       {"x-total-pages", "2"},
                                                       {"x-next-cursor", "c"},
                                                       {"x-has-more", "true"}})
    EXPECT_THAT(outcome_of(two + "}", {name, value}), testing::HasSubstr("is not whole")) << name;
  for (const auto& [name, value] : std::vector<Header>{{"x-total-count", "2"},
                                                       {"x-total-pages", "1"},
                                                       {"x-next-cursor", ""},
                                                       {"x-has-more", "false"}})
    EXPECT_EQ(outcome_of(two + "}", {name, value}), "") << name;
}

// What a cache has kept says nothing about what was added, or who has opted out, since.
TEST(Api, TakesNoOldAnswerForTheList) {
  const std::string body = page_of(2);
  EXPECT_THAT(outcome_of(body, {"age", "86400"}), testing::HasSubstr("86400 seconds old"));
  EXPECT_THAT(outcome_of(body, {"warning", "110 - \"Response is Stale\""}),
              testing::HasSubstr("stale"));
  for (const auto& [name, value] : std::vector<Header>{
           {"age", "60"}, {"age", "0"}, {"age", "x"}, {"warning", "299 - \"Deprecated\""}})
    EXPECT_EQ(outcome_of(body, {name, value}), "") << value;
  EXPECT_THAT(outcome_of(R"({"Customers":[]})", {"x-nothing", "1"}, "", 202),
              testing::HasSubstr("not ready"));
}

TEST(Api, AsksCachesForNoAnswerOfTheirOwn) {
  class Watched final : public Transport {
   public:
    Exchange send(const Request& request) override {
      seen = request.headers;
      return Response{200, {}, R"({"Customers":[]})"};
    }
    std::vector<Header> seen;
  } transport;
  const config::Service settings;
  const auto credentials = std::get<0>(Credentials::make(settings.auth));
  Api api(settings, transport, *credentials);
  api.page(customers(), {}, "", 100, {});
  EXPECT_THAT(transport.seen, testing::Contains(Header{"Cache-Control", "no-cache"}));
}

TEST(Api, BoundsAPageInItsBytesAsTheSettingsSay) {
  config::Service settings;
  settings.max_body = 100;
  EXPECT_EQ(outcome(settings, page_of(20)), "page of 20");
  EXPECT_EQ(outcome(settings, page_of(40)), "135 bytes, more than the 100 that are read");
}

}  // namespace
}  // namespace surveybridge::service
