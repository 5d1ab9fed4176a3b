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

TEST(Unreadable, BodyStaysMalformed) {
  for (const std::string_view body :
       {R"({"Customers":[{"Id":1},{"Id":2,"Email":"b)", R"({"Customers":7})", R"([1])"}) {
    EXPECT_TRUE(
        std::holds_alternative<Malformed>(read_page(body, "", "Customers", customer(), kSetAside)))
        << body;
  }
}

}  // namespace
}  // namespace surveybridge::mapping
