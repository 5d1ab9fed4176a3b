#include "connectors/service/outcome.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge::service;
using surveybridge::mapping::Instant;

Exchange answered(int status, std::vector<std::pair<std::string, std::string>> headers = {},
                  std::string body = "") {
  return Response{status, std::move(headers), std::move(body)};
}

// The outcome in one word.
const char* name_of(const AddOutcome& outcome) {
  struct Name {
    const char* operator()(const Accepted&) const { return "accepted"; }
    const char* operator()(const NotSent& not_sent) const {
      return not_sent.trouble.kind == Trouble::Kind::too_many ? "too many" : "not sent";
    }
    const char* operator()(const TooLarge&) const { return "too large"; }
    const char* operator()(const Refused&) const { return "refused"; }
    const char* operator()(const Unknown&) const { return "unknown"; }
  };
  return std::visit(Name{}, outcome);
}

struct AddCase {
  const char* what;
  Exchange exchange;
  const char* outcome;
};

class AddOutcomes : public testing::TestWithParam<AddCase> {};

TEST_P(AddOutcomes, FollowTheTable) {
  EXPECT_STREQ(name_of(classify_add(GetParam().exchange, Instant{})), GetParam().outcome)
      << GetParam().what;
}

Exchange html(int status) {
  return answered(status, {{"content-type", "text/html; charset=utf-8"}}, "<html>sign in</html>");
}

Exchange failed(Failure::Kind kind, int status = 0) {
  return Failure{kind, "x", status};
}

INSTANTIATE_TEST_SUITE_P(
    Table, AddOutcomes,
    testing::Values(
        AddCase{"200", answered(200), "accepted"},
        AddCase{"201 with a string", answered(201, {}, "\"ok\""), "accepted"},
        AddCase{"204 without a body", answered(204), "accepted"},
        AddCase{"200 that names a refusal",
                answered(200, {{"content-type", "application/json"}}, R"({"success":false})"),
                "unknown"},
        AddCase{
            "200 that names a refusal behind other words",
            answered(200, {{"content-type", "application/json"}}, "Notice: x\n{\"success\":false}"),
            "unknown"},
        AddCase{"200 in XML that cannot be read",
                answered(200, {}, "<R><M>f&uuml;r</M><Success>false</Success></R>"), "unknown"},
        AddCase{"200 in JSON that is cut off", answered(200, {}, R"({"imported":3)"), "unknown"},
        AddCase{"200 with a bare false",
                answered(200, {{"content-type", "application/json"}}, "false"), "unknown"},
        AddCase{"200 that claims JSON and is empty",
                answered(200, {{"content-type", "application/json"}}, "\r\n"), "accepted"},
        AddCase{"200 with words", answered(200, {{"content-type", "text/plain"}}, "3 [were] added"),
                "accepted"},
        AddCase{"207 of which a part was refused",
                answered(207, {{"content-type", "application/json"}},
                         R"({"results":[{"index":1,"status":422}]})"),
                "unknown"},
        AddCase{"302: it may have been processed", answered(302), "unknown"},
        AddCase{"307", answered(307), "unknown"}, AddCase{"400", answered(400), "refused"},
        AddCase{"422", answered(422), "refused"}, AddCase{"401", answered(401), "not sent"},
        AddCase{"403", answered(403), "not sent"}, AddCase{"404", answered(404), "unknown"},
        AddCase{"408", answered(408), "unknown"}, AddCase{"413", answered(413), "too large"},
        AddCase{"429", answered(429), "too many"}, AddCase{"500", answered(500), "unknown"},
        AddCase{"502", answered(502), "unknown"}, AddCase{"503 bare", answered(503), "unknown"},
        AddCase{"503 that asks to wait", answered(503, {{"retry-after", "3"}}), "unknown"},
        AddCase{"504", answered(504), "unknown"}, AddCase{"405", answered(405), "unknown"},
        AddCase{"409", answered(409), "unknown"}, AddCase{"410", answered(410), "unknown"},
        AddCase{"415", answered(415), "unknown"}, AddCase{"200 with HTML", html(200), "unknown"},
        AddCase{"200 with HTML that claims to be text",
                answered(200, {{"content-type", "text/plain"}}, "\n<!DOCTYPE html><p>"), "unknown"},
        AddCase{"200 with HTML that claims nothing", answered(200, {}, "<HTML><body>"), "unknown"},
        AddCase{"200 with HTML behind a declaration and a comment",
                answered(200, {{"content-type", "application/xml"}},
                         "<?xml version=\"1.0\"?><!-- x --><html><body/></html>"),
                "unknown"},
        AddCase{"200 with HTML behind a comment", answered(200, {}, "<!-- x --><HTML>"), "unknown"},
        AddCase{"200 with a part of a page", answered(200, {}, "<head><title>Sign in</title>"),
                "unknown"},
        AddCase{"203 with a part of a page",
                answered(203, {{"content-type", "text/plain"}}, "<p>Please sign in</p>"),
                "unknown"},
        AddCase{"202 of a firewall that asks for a browser",
                answered(202, {{"x-amzn-waf-action", "challenge"}}), "unknown"},
        AddCase{"202 of the service", answered(202), "accepted"},
        AddCase{"200 in XML whose root begins as a name of HTML",
                answered(200, {}, "<person><id>1</id></person>"), "accepted"},
        AddCase{"200 with a document",
                answered(200, {{"content-type", "application/pdf"}}, "%PDF-1.7"), "unknown"},
        AddCase{"200 with a picture", answered(200, {{"content-type", "image/png"}}, "x"),
                "unknown"},
        AddCase{"200 in JSON", answered(200, {{"content-type", "text/json; charset=utf-8"}}, "{}"),
                "accepted"},
        AddCase{"200 in XML", answered(200, {{"content-type", "application/xml"}}, "<R/>"),
                "accepted"},
        AddCase{"200 that claims HTML and is empty",
                answered(200, {{"content-type", "text/html"}}, ""), "accepted"},
        AddCase{"400 with HTML: a gateway's refusal is one too", html(400), "refused"},
        AddCase{"not connected", failed(Failure::Kind::not_connected), "not sent"},
        AddCase{"too late to send", failed(Failure::Kind::stopped), "not sent"},
        AddCase{"reset", failed(Failure::Kind::unknown), "unknown"},
        AddCase{"200 cut off", failed(Failure::Kind::unknown, 200), "unknown"},
        AddCase{"a huge 200: no add is answered so", failed(Failure::Kind::too_large, 200),
                "unknown"},
        AddCase{"a huge 500", failed(Failure::Kind::too_large, 500), "unknown"}));

TEST(AddOutcome, KeepsTheWaitOfAnUnknownAnswer) {
  const auto outcome = classify_add(answered(503, {{"retry-after", "7"}}), Instant{});
  EXPECT_EQ(std::get<Unknown>(outcome).trouble.wait, Wait{7000});
}

TEST(AddOutcome, IsUnknownWhereTheAnswerNamesAnotherHost) {
  const Exchange elsewhere =
      answered(201, {{"location", "https://portal.example.test/sign-in"}}, "");
  const Exchange here = answered(201, {{"location", "https://S.example.test:443/customer/7"}}, "");
  const Exchange relative = answered(201, {{"location", "/customer/7"}}, "");
  const auto name = [](const Exchange& exchange) {
    return std::string(name_of(classify_add(exchange, {}, "https://s.example.test/base")));
  };
  EXPECT_EQ(name(elsewhere), "unknown");
  EXPECT_EQ(name(here), "accepted");
  EXPECT_EQ(name(relative), "accepted");
}

TEST(AddOutcome, CarriesTheWaitAndTheRowsAtFault) {
  const auto too_many = classify_add(answered(429, {{"retry-after", "7"}}), Instant{});
  EXPECT_EQ(std::get<NotSent>(too_many).trouble.wait, Wait{7000});
  const auto refused = classify_add(
      answered(400, {{"content-type", "application/json"}},
               R"({"Message":"m","ModelState":{"request.Customers[3].Email":["bad"]}})"),
      Instant{});
  EXPECT_EQ(std::get<Refused>(refused).error.customers, std::vector<std::size_t>{3});
}

Trouble::Kind kind_of(Exchange exchange) {
  return std::get<Trouble>(classify_read(std::move(exchange), Instant{})).kind;
}

TEST(ReadOutcome, TellsWhoseTurnItIs) {
  using Kind = Trouble::Kind;
  EXPECT_EQ(kind_of(answered(400)), Kind::rejected);
  EXPECT_EQ(kind_of(answered(401)), Kind::unauthorized);
  EXPECT_EQ(kind_of(answered(403)), Kind::forbidden);
  EXPECT_EQ(kind_of(answered(403, {{"retry-after", "3"}})), Kind::too_many);
  EXPECT_EQ(kind_of(answered(403, {{"x-ratelimit-remaining", "0"}})), Kind::too_many);
  EXPECT_EQ(kind_of(answered(403, {{"x-ratelimit-remaining", "7"}})), Kind::forbidden);
  EXPECT_EQ(kind_of(answered(404)), Kind::misplaced);
  EXPECT_EQ(kind_of(answered(302)), Kind::misplaced);
  EXPECT_EQ(kind_of(answered(408)), Kind::unavailable);
  EXPECT_EQ(kind_of(answered(429)), Kind::too_many);
  EXPECT_EQ(kind_of(answered(500)), Kind::unavailable);
  EXPECT_EQ(kind_of(failed(Failure::Kind::unknown)), Kind::unavailable);
  EXPECT_EQ(kind_of(failed(Failure::Kind::too_large, 200)), Kind::malformed);
  EXPECT_TRUE(std::holds_alternative<Response>(classify_read(answered(200), Instant{})));
}

TEST(ReadOutcome, NeverRepeatsABodyInItsWords) {
  const auto trouble = std::get<Trouble>(classify_read(answered(500, {}, "jan@example.test"), {}));
  EXPECT_EQ(trouble.detail, "HTTP 500");
}

}  // namespace
