#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sandbox/body/body.hpp"
#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string kHead =
    R"(<ImportCustomersRequest xmlns:i="http://www.w3.org/2001/XMLSchema-instance">)";
const std::string kTail = "</ImportCustomersRequest>";

Reply post_xml(TurnedWorld& world, const std::string& body,
               const std::string& accept = "application/xml") {
  return world.service.handle({"POST",
                               TurnedWorld::kAdd,
                               {{"Authorization", "Bearer sandbox-token"},
                                {"Content-Type", "text/xml; charset=utf-8"},
                                {"Accept", accept}},
                               body});
}

Reply get_xml(TurnedWorld& world, const std::string& target) {
  return world.service.handle(
      {"GET", target, {{"Authorization", "Bearer sandbox-token"}, {"Accept", "text/xml"}}, ""});
}

std::string with_customer(const std::string& inner) {
  return kHead + "<Customers><ImportCustomer>" + inner + "</ImportCustomer></Customers>" + kTail;
}

TEST(Xml, MeansTheSameAsJson) {
  TurnedWorld world(still());
  const std::string xml = kHead + R"(<ApproveAutomatically>true</ApproveAutomatically>
    <Customers><ImportCustomer>
      <Answers><ImportAnswerExternal><BaseQuestionId>1200</BaseQuestionId>
        <FileAnswers><FileAnswer><Data>aGk=</Data><FileName>a</FileName></FileAnswer></FileAnswers>
        <SelectedScalePositions><ScalePosition><Value>9</Value></ScalePosition></SelectedScalePositions>
        <Text>5 &lt; 6 &amp; &#x20AC;</Text></ImportAnswerExternal></Answers>
      <AnswersToCopy><int>4</int><int>5</int></AnswersToCopy>
      <CopyAllAnswers>1</CopyAllAnswers>
      <Data><CustomerData><CustomerDataColumnId>1</CustomerDataColumnId><Value>o-1</Value></CustomerData></Data>
      <Email>a@example.test</Email>
      <PhoneNumber i:nil="true"/>
      <Priority> 3</Priority>
      <TransactionDate>2026-03-01T10:00:00+01:00</TransactionDate>
    </ImportCustomer></Customers>)" +
                          kTail;
  const std::string right = [&] {
    std::string text = xml;
    return text.replace(text.find("> 3<"), 4, ">3<");
  }();
  EXPECT_EQ(post_xml(world, xml).status, 400) << "an integer has no blanks";
  ASSERT_EQ(post_xml(world, right).status, 200);
  const Json json = Json::parse(R"({"ApproveAutomatically":true,"Customers":[{"Answers":[
    {"BaseQuestionId":1200,"FileAnswers":[{"Data":"aGk=","FileName":"a"}],
     "SelectedScalePositions":[{"Value":9}],"Text":"5 < 6 & €"}],"AnswersToCopy":[4,5],
    "CopyAllAnswers":true,"Data":[{"CustomerDataColumnId":1,"Value":"o-1"}],
    "Email":"a@example.test","PhoneNumber":null,"Priority":3,
    "TransactionDate":"2026-03-01T10:00:00+01:00"}]})");
  ASSERT_EQ(world.add(json).status, 200);
  Json held = Json::parse(world.get("/sandbox/customers").body)["customers"];
  for (Json& one : held)
    one["id"] = 0;
  EXPECT_EQ(held[0], held[1]);
  EXPECT_EQ(held[0]["answers"][0]["Text"], "5 < 6 & €");
}

TEST(Xml, IsReadWhateverItsNamespaceAndPrefix) {
  TurnedWorld world(still());
  EXPECT_EQ(post_xml(world, R"(<?xml version="1.0"?><!-- c --><a:ImportCustomersRequest xmlns:a="u">
    <a:Customers><a:ImportCustomer><a:Email>a@example.test</a:Email></a:ImportCustomer>
    </a:Customers></a:ImportCustomersRequest>)")
                .status,
            200);
  EXPECT_EQ(post_xml(world,
                     "\xEF\xBB\xBF<ImportCustomersRequest xmlns=\"v\"><Customers>"
                     "<ImportCustomer/></Customers></ImportCustomersRequest>")
                .status,
            200);
  EXPECT_THAT(world.service.customers(), SizeIs(2));
}

TEST(Xml, MustBeInTheNamespaceThatIsExpected) {
  Options options = still();
  options.style.xml.expected_namespace = "urn:s";
  TurnedWorld world(options);
  const auto with = [&](const std::string& attribute, const std::string& prefix) {
    const std::string p = prefix;
    return post_xml(world, "<" + p + "ImportCustomersRequest " + attribute + "><" + p +
                               "Customers><" + p + "ImportCustomer/></" + p + "Customers></" + p +
                               "ImportCustomersRequest>")
        .status;
  };
  EXPECT_EQ(with("xmlns=\"urn:s\"", ""), 200);
  EXPECT_EQ(with("xmlns:s=\"urn:s\"", "s:"), 200);
  EXPECT_EQ(with("", ""), 400);
  EXPECT_EQ(with("xmlns=\"urn:t\"", ""), 400);
  EXPECT_EQ(with("xmlns:s=\"urn:s\"", ""), 400);
}

TEST(Xml, MustKeepTheAlphabetWhereThatIsExpected) {
  Options options = still();
  options.style.xml.expect_alphabetical = true;
  TurnedWorld world(options);
  EXPECT_EQ(post_xml(world, with_customer("<Email>a@b.test</Email><Priority>1</Priority>")).status,
            200);
  EXPECT_EQ(post_xml(world, with_customer("<Priority>1</Priority><Email>c@d.test</Email>")).status,
            400);
}

class BadXml : public testing::TestWithParam<std::string> {};

TEST_P(BadXml, IsRefused) {
  TurnedWorld world(still());
  EXPECT_EQ(post_xml(world, GetParam()).status, 400);
  EXPECT_THAT(world.service.customers(), IsEmpty());
}

std::string nested(int levels) {
  std::string open, close;
  for (int i = 0; i < levels; ++i) {
    open += "<a>";
    close += "</a>";
  }
  return kHead + open + close + kTail;
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, BadXml,
    testing::Values(
        "", "text", "<", kHead, "<Customers/>", "{}", nested(100), nested(20000),
        "<!DOCTYPE x [<!ENTITY e \"boom\">]>" + with_customer("<Email>&e;</Email>"),
        "<!DOCTYPE x SYSTEM \"file:///etc/passwd\">" + with_customer("<Email>a@b.test</Email>"),
        with_customer("<Email>\xFF\xFE</Email>"), with_customer("<Email>\xED\xA0\x80</Email>"),
        with_customer("<Email>a@b.test</Email>words"), with_customer("<Shoe>43</Shoe>"),
        with_customer("<email>a@b.test</email>"),
        with_customer("<Email>a@b.test</Email><Email>c@d.test</Email>"),
        with_customer("<Priority>high</Priority>"), with_customer("<Priority/>"),
        with_customer("<CopyAllAnswers>TRUE</CopyAllAnswers>"), with_customer("<TransactionDate/>"),
        with_customer("<Data><Wrong/></Data>"), with_customer("<Data>1</Data>"),
        with_customer("<AnswersToCopy><int/></AnswersToCopy>"),
        with_customer("<Email><b>a@b.test</b></Email>"),
        kHead + "<Customers><ImportCustomer>x</ImportCustomer></Customers>" + kTail));

TEST(Xml, ShowsPagesWithNilsNamesAndItems) {
  TurnedWorld world;
  world.add(batch({customer("a@example.test", "1 < 2 & 'x'\r\n")}));
  const Reply reply = get_xml(world, "/external/api/v3/customer");
  EXPECT_EQ(header(reply.headers, "Content-Type"), "application/xml; charset=utf-8");
  EXPECT_THAT(reply.body,
              HasSubstr("<GetCustomerResponse xmlns:i=\"http://www.w3.org/2001/"
                        "XMLSchema-instance\" xmlns=\"http://schemas.example.com/surveys\">"));
  EXPECT_THAT(reply.body, HasSubstr("<Customers><Customer>"));
  EXPECT_THAT(reply.body, HasSubstr("<Value>1 &lt; 2 &amp; 'x'&#xD;\n</Value>"));
  EXPECT_THAT(reply.body, HasSubstr("<DateInvited i:nil=\"true\"/>"));
  EXPECT_THAT(reply.body, HasSubstr("<FormStatus>None</FormStatus>"));
  EXPECT_THAT(reply.body, HasSubstr("<NextCursor i:nil=\"true\"/>"));
  EXPECT_LT(reply.body.find("<AccessKey>"), reply.body.find("<Answers")) << "alphabetical";
  EXPECT_LT(reply.body.find("<Answers"), reply.body.find("<Id>"));
}

TEST(Xml, ShowsEveryListAndAnsweredCustomers) {
  TurnedWorld world;
  world.add(batch_of(200));
  world.now += 40 * 24h;
  const std::string customers = get_xml(world, "/external/api/v3/customer?IncludeNotes=true").body;
  for (const char* piece : {"<ExportAnswer>", "<AnswerCategory>", "<Sentiment>Positive</Sentiment>",
                            "<ScalePosition>", "<FileAnswer>", "<FormNote>",
                            "<Type>InteractionBySystem</Type>", "<ReviewStatus>Approved<"}) {
    EXPECT_THAT(customers, HasSubstr(piece));
  }
  const std::string ratings =
      get_xml(world, "/external/api/v3/rating?ReviewApprovedDateFilter.From=2026-01-01").body;
  for (const char* piece :
       {"<Ratings><Rating>", "<RatingAnswer>", "<RatingData>", "<RatingReaction>"}) {
    EXPECT_THAT(ratings, HasSubstr(piece));
  }
  EXPECT_THAT(get_xml(world, "/external/api/v3/customer/getbouncers").body,
              HasSubstr("<Bouncers><BouncedCustomer>"));
  EXPECT_THAT(get_xml(world, "/external/api/v1/customerdatacolumn").body,
              HasSubstr("<CustomerDataColumns><CustomerDataColumn>"));
}

TEST(Xml, HasThePrefixAndNamespaceOfTheDeployment) {
  Options options = still();
  options.style.xml.prefix = "s";
  TurnedWorld prefixed(options);
  EXPECT_THAT(get_xml(prefixed, "/external/api/v3/customer").body,
              HasSubstr("<s:Customers/><s:NextCursor i:nil=\"true\"/>"));
  options.style.xml = {"", "", false, "", false};
  TurnedWorld bare(options);
  EXPECT_THAT(get_xml(bare, "/external/api/v3/customer").body, Not(HasSubstr(" xmlns=")));
}

TEST(Xml, TellsWhatIsWrongInErrors) {
  TurnedWorld world(still());
  const Reply reply = post_xml(world, with_customer("<Priority>x</Priority>"));
  EXPECT_THAT(reply.body, HasSubstr("<Error xmlns:i="));
  EXPECT_THAT(reply.body, HasSubstr("<request.Customers_x005B_0_x005D_.Priority>"));
  EXPECT_THAT(places(post_xml(world, with_customer("<Priority>x</Priority>"), "application/json")),
              ElementsAre("request.Customers[0].Priority"));
}

TEST(Xml, IsTakenByItsTypeOrFirstByte) {
  TurnedWorld world(still());
  const std::string body = with_customer("<Email>a@example.test</Email>");
  const auto with = [&](Headers headers) {
    headers.emplace_back("Authorization", "Bearer sandbox-token");
    return world.service.handle({"POST", TurnedWorld::kAdd, headers, body}).status;
  };
  EXPECT_EQ(with({{"Content-Type", "application/soap+xml"}}), 200);
  EXPECT_EQ(with({}), 200);
  EXPECT_EQ(with({{"Content-Type", "application/json"}}), 400);
  EXPECT_EQ(with({{"Content-Type", "text/csv"}}), 415);
  EXPECT_EQ(with({{"Content-Type", "application/x-www-form-urlencoded"}}), 415);
}

TEST(Xml, WritesWhatItCannotHoldAsAReplacement) {
  EXPECT_THAT(write_xml("a", {std::string("x\x01y")}, {}), HasSubstr(">x\xEF\xBF\xBDy<"));
}

}  // namespace
}  // namespace sandbox
