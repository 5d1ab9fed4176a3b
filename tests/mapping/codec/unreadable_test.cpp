// A record that cannot be read is set aside with its place, its text and what could be read of it.
#include "tests/mapping/codec_bodies.hpp"

namespace surveybridge::mapping {
namespace {

const Reading kSetAside{"UTC", {}, true};

Page read(std::string_view body) {
  auto page = read_page(body, "", "Customers", customer(), kSetAside);
  if (const auto* malformed = std::get_if<Malformed>(&page)) {
    ADD_FAILURE() << malformed->place << ": " << malformed->rule;
    return {};
  }
  return std::get<Page>(std::move(page));
}

// What is on the page does not depend on what follows it.
TEST(Unreadable, CursorLeavesTheRecords) {
  for (const auto* cursor :
       {"{}", "[]", R"(["x"])", R"({"Value":"x"})", R"("c","NextCursor":"d")"}) {
    for (const auto* body : {R"({{"Customers":[{{"Id":1}}],"NextCursor":{}}})",
                             R"({{"NextCursor":{},"HasMore":true,"Customers":[{{"Id":1}}]}})"}) {
      const Page page = read(fmt::format(fmt::runtime(body), cursor));
      EXPECT_EQ(page.records.size(), 1U) << cursor;
      EXPECT_EQ(page.next_cursor, kNoText) << cursor;
    }
  }
  const Page page = read(
      "<R><NextCursor><Value>x</Value></NextCursor><Customers><Customer><Id>1</Id>"
      "</Customer></Customers></R>");
  EXPECT_EQ(page.records.size(), 1U);
  EXPECT_EQ(page.next_cursor, kNoText);
}

TEST(Unreadable, RecordLeavesTheOthers) {
  const Page page = read(R"({"Customers":[{"Id":1},
      {"Id":2,"CompletionTimeInSeconds":12.5,"Email":"b@e.test"} ,{"Id":3}],"NextCursor":"c"})");
  ASSERT_EQ(page.records.size(), 2U);
  EXPECT_EQ(page.records[1].value("Id"), Value(std::int64_t{3}));
  EXPECT_EQ(page.next_cursor, "c");
  ASSERT_EQ(page.unreadable.size(), 1U);
  const Unreadable& one = page.unreadable[0];
  EXPECT_EQ(one.fault.place, "Customers[1].CompletionTimeInSeconds");
  EXPECT_EQ(one.raw, R"({"Id":2,"CompletionTimeInSeconds":12.5,"Email":"b@e.test"})");
  EXPECT_EQ(one.partial.value("Id"), Value(std::int64_t{2}));
  EXPECT_EQ(one.partial.value("Email"), Value("b@e.test"));
}

TEST(Unreadable, FaultMayLieDeepOrBeOfAnotherShape) {
  const Page page = read(R"({"Customers":[{"Id":1,"Answers":[{"BaseQuestionId":"x","Text":"y"}]},
      {"Id":2,"Status":[1,{"a":[2]}],"Email":"b@e.test"},{"Id":3,"Answers":{"a":{"b":1}}},
      {"Id":4,"Email":"a","Email":"b"},{"Id":5}]})");
  ASSERT_EQ(page.records.size(), 1U);
  ASSERT_EQ(page.unreadable.size(), 4U);
  EXPECT_EQ(page.unreadable[0].fault.place, "Customers[0].Answers[0].BaseQuestionId");
  EXPECT_EQ(page.unreadable[1].partial.value("Email"), Value("b@e.test"));
  EXPECT_EQ(page.unreadable[2].raw, R"({"Id":3,"Answers":{"a":{"b":1}}})");
  EXPECT_EQ(page.unreadable[3].fault.rule, "came twice in one object");
}

TEST(Unreadable, RecordWithoutItsKeyAndWhatIsNoObjectAtAll) {
  const Page page = read(R"({"Customers":[{"Email":"a@e.test"},null,7,[{"Id":1}],{"Id":2}]})");
  ASSERT_EQ(page.records.size(), 1U);
  ASSERT_EQ(page.unreadable.size(), 4U);
  EXPECT_EQ(page.unreadable[0].fault.place + " " + page.unreadable[0].fault.rule,
            "Customers[0].Id is missing");
  EXPECT_EQ(page.unreadable[2].raw, "7");
  EXPECT_EQ(page.unreadable[3].raw, R"([{"Id":1}])");
}

TEST(Unreadable, RecordInXmlToo) {
  const Page page = read(
      "<R><Customers><Customer><Id>1</Id></Customer><Customer><Id>2</Id>"
      "<CompletionTimeInSeconds>12.5</CompletionTimeInSeconds><Email>b@e.test</Email></Customer>"
      "</Customers><NextCursor>c</NextCursor></R>");
  ASSERT_EQ(page.records.size(), 1U);
  ASSERT_EQ(page.unreadable.size(), 1U);
  EXPECT_EQ(page.unreadable[0].partial.value("Email"), Value("b@e.test"));
  EXPECT_EQ(page.unreadable[0].raw,
            "<Customer><Id>2</Id><CompletionTimeInSeconds>12.5</CompletionTimeInSeconds>"
            "<Email>b@e.test</Email></Customer>");
  EXPECT_EQ(page.next_cursor, "c");
}

TEST(Unreadable, TextBetweenItemsInXmlLeavesThemAndIsSetAside) {
  const Page page = read(
      "<R><Customers>a<Customer><Id>1</Id></Customer> b <Customer><Id>2</Id></Customer>&#160;"
      "</Customers><NextCursor>c</NextCursor></R>");
  ASSERT_EQ(page.records.size(), 2U);
  EXPECT_EQ(page.next_cursor, "c");
  ASSERT_EQ(page.unreadable.size(), 1U);
  EXPECT_EQ(page.unreadable[0].fault.place, "Customers[2]");
  EXPECT_EQ(page.unreadable[0].raw, "a b \u00A0");
  EXPECT_TRUE(page.unreadable[0].hides("OptedOut"));
}

TEST(Unreadable, RecordTellsWhichFieldsItHides) {
  const Page page = read(R"({"Customers":[{"Id":1,"CompletionTimeInSeconds":12.5,"OptedOut":null},
      {"Id":2,"OptedOut":"maybe","Answers":[{"BaseQuestionId":"x"}]},
      {"Id":3,"OptedOut":false,"OptedOut":true}, 7]})");
  ASSERT_EQ(page.unreadable.size(), 4U);
  const auto hides = [&](std::size_t record, std::string_view field) {
    return page.unreadable[record].hides(field);
  };
  EXPECT_TRUE(hides(0, "CompletionTimeInSeconds"));
  EXPECT_FALSE(hides(0, "OptedOut"));
  EXPECT_TRUE(hides(1, "OptedOut"));
  EXPECT_TRUE(hides(1, "Answers"));
  EXPECT_FALSE(hides(1, "Email"));
  EXPECT_TRUE(hides(2, "OptedOut")) << "it says both";
  EXPECT_TRUE(hides(3, "OptedOut")) << "nothing of it could be read";
  EXPECT_THROW(hides(0, "Emial"), std::out_of_range);
}

TEST(Unreadable, ValueInXmlThatIsNilOrStandsAsideHidesItsField) {
  const auto in = [](const std::string& members) {
    return read("<R><Customers><C><Id>1</Id>" + members + "</C></Customers></R>");
  };
  for (const char* members : {R"(<OptedOut value="true"/>)", R"(<OptedOut Flag="1"> </OptedOut>)",
                              R"(<OptedOut i:nil="true">true</OptedOut>)",
                              R"(<OptedOut i:nil="true"><Value>true</Value></OptedOut>)"}) {
    const Page page = in(members);
    ASSERT_EQ(page.unreadable.size(), 1U) << members;
    EXPECT_TRUE(page.unreadable[0].hides("OptedOut")) << members;
  }
  EXPECT_TRUE(in(R"(<Email value="a@e.test"/>)").unreadable.at(0).hides("Email"));
  const Page aside = read(R"(<R><Customers><C Id="1" OptedOut="maybe"/></Customers></R>)");
  EXPECT_TRUE(aside.unreadable.at(0).hides("OptedOut"));
  for (const char* members :
       {R"(<OptedOut i:nil="true"/>)", R"(<OptedOut i:nil="true"> </OptedOut>)",
        R"(<OptedOut xmlns="urn:x" i:type="xs:boolean" type="boolean" nil="true"/>)",
        R"(<Language source="x"/>)", R"(<OptedOut value="x">false</OptedOut>)"})
    EXPECT_EQ(in(members).records.size(), 1U) << members;
}

TEST(Unreadable, RecordThatIsNotWellFormedMayHideWhatStandsBehindTheFault) {
  const std::string json =
      R"({"Customers":[{"Id":1,"OptedOut":false,"Email":"b@e.test","Overtime":tr,"OptedOutDate":null}],)"
      R"("NextCursor":"c"})";
  const std::string xml =
      "<R><Customers><Customer><Id>1</Id><OptedOut>false</OptedOut><Email>b@e.test</Email>"
      "<Overtime></Overtim><OptedOutDate/></Customer></Customers><NextCursor>c</NextCursor></R>";
  for (const auto& body : {json, xml}) {
    const Page page = read(body);
    ASSERT_EQ(page.unreadable.size(), 1U) << body;
    EXPECT_FALSE(page.unreadable[0].hides("OptedOut")) << body;
    EXPECT_TRUE(page.unreadable[0].hides("OptedOutDate")) << body;
  }
}

TEST(Unreadable, BodyStaysMalformed) {
  for (const std::string_view body :
       {R"({"Customers":[{"Id":1},{"Id":2,"Email":"b)", R"({"Customers":7})", R"([1])",
        "<R><Customers>The service is not available.</Customers></R>"}) {
    EXPECT_TRUE(
        std::holds_alternative<Malformed>(read_page(body, "", "Customers", customer(), kSetAside)))
        << body;
  }
}

}  // namespace
}  // namespace surveybridge::mapping
