// A page with one record that is not well-formed: the others are read.
#include <random>
#include <set>

#include "tests/mapping/codec_bodies.hpp"

namespace surveybridge::mapping::mending {
namespace {

std::variant<Page, Malformed> read(std::string_view body, std::size_t most = 400'000) {
  Reading reading{"UTC", {}, true};
  reading.limits.page = most;
  return read_page(body, "", "Customers", customer(), reading);
}

Page mended(std::string_view body) {
  auto read_body = read(body);
  if (const auto* malformed = std::get_if<Malformed>(&read_body)) {
    ADD_FAILURE() << malformed->place << ": " << malformed->rule << "\n" << body;
    return {};
  }
  return std::get<Page>(std::move(read_body));
}

std::string json(std::string_view member) {
  return fmt::format(
      R"({{"Customers":[{{"Id":1,"Data":[{{"Name":"a"}},{{"Name":"b"}}]}},)"
      R"({{"Id":2,"Email":"b@e.test",{}}},{{"Id":3,"Answers":[{{"Text":"x"}}]}}],"NextCursor":"c"}})",
      member);
}
std::string xml(std::string_view member) {
  return fmt::format(
      "<R xmlns:i='x'><Customers><Customer><Id>1</Id></Customer><Customer><Id>2</Id>"
      "<Email>b@e.test</Email>{}</Customer><Customer><Id>3</Id></Customer></Customers>"
      "<NextCursor>c</NextCursor></R>",
      member);
}

TEST(Mended, IsWhatMeansTheSameWhenItIsWellFormed) {
  const struct {
    std::string_view member, field;
    Value value;
  } cases[] = {
      {R"("Language":"cut off \ud83d")", "Language", "cut off \uFFFD"},
      {R"("Language":"\ude00\ud83d\ud83d\ude00")", "Language", "\uFFFD\uFFFD😀"},
      {"\"Language\":\"one\ntwo\tthree\"", "Language", "one\ntwo\tthree"},
      {"\"Language\":\"\xED\xA0\xBD\xED\xB8\x80\"", "Language", "😀"},
      {"\"Language\":\"a\xC0\x80z\"", "Language", "a\uFFFDz"},
      {R"("Language":"tom\x27s and \'")", "Language", "tom's and '"},
      {R"("Priority":NaN,"Language":"x")", "Language", "x"},
      {R"("Priority":undefined,"OptedOut":True)", "OptedOut", true},
      {R"("Weight":1e400,"Language":"x")", "Language", "x"},
      {R"("Language":"x",)", "Language", "x"},
      {R"("Priority":07)", "Priority", std::int64_t{7}},
  };
  for (const auto& each : cases) {
    const Page page = mended(json(each.member));
    ASSERT_EQ(page.records.size(), 3U) << each.member;
    EXPECT_EQ(page.records[1].value(each.field), each.value) << each.member;
    EXPECT_EQ(page.next_cursor, "c");
  }
  const struct {
    std::string_view text;
    Value value;
  } texts[] = {
      {"a&nbsp;b &eacute;&hellip;", "a\u00A0b é…"},
      {"Marks & Spencer", "Marks & Spencer"},
      {"R&D <3 x", "R&D <3 x"},
      {"a&#0;b&#xD83D;", "a\uFFFDb\uFFFD"},
      {"&#xD83D;&#xDE00;", "😀"},
      {"\xED\xA0\xBD\xED\xB8\x80", "😀"},
  };
  for (const auto& each : texts) {
    const Page page = mended(xml(fmt::format("<Language>{}</Language>", each.text)));
    ASSERT_EQ(page.records.size(), 3U) << each.text;
    EXPECT_EQ(page.records[1].value("Language"), each.value) << each.text;
  }
}

TEST(Mended, IsNotWhatCouldMeanAnythingThatIsSetAsideWithWhatIsLegible) {
  for (const std::string_view member :
       {"\"Language\":\"caf\xE9\"", R"("Language":"C:\dir")", R"("Language":hello)",
        R"("Language":"x" "y")", R"("Language":"he said "no"")", R"("Language":"5" pipe")",
        R"("Data":[{"Name":"x"})", R"("Status":{"StatusCode":1)", R"("Language":"x)"}) {
    const Page page = mended(json(member));
    EXPECT_EQ(page.records.size(), 2U) << member;
    EXPECT_EQ(page.next_cursor, "c");
    ASSERT_EQ(page.unreadable.size(), 1U) << member;
    EXPECT_EQ(page.unreadable[0].fault.place, "Customers[1]");
    EXPECT_EQ(page.unreadable[0].partial.value("Email"), Value("b@e.test")) << member;
    EXPECT_NE(page.unreadable[0].raw.find("b@e.test"), std::string::npos);
  }
  for (const std::string_view member :
       {"<Language>caf\xE9</Language>", "<Language>&foo;</Language>", "<Language>x<b></Language>",
        "<Language>x", "</b>", "<Language><!-- x</Language>", "<Language>x</Customers>y</Language>",
        "</Customers>"}) {
    const Page page = mended(xml(member));
    EXPECT_EQ(page.records.size(), 2U) << member;
    ASSERT_EQ(page.unreadable.size(), 1U) << member;
    EXPECT_EQ(page.unreadable[0].partial.value("Email"), Value("b@e.test")) << member;
  }
}

TEST(Mended, IsAPageWhoseElementsHaveAPrefix) {
  const auto of = [](int id, std::string_view language) {
    return fmt::format("<a:Customer><a:Id>{}</a:Id><a:Language>{}</a:Language></a:Customer>", id,
                       language);
  };
  const std::string bad = of(2, "x<b>y");
  const Page page = mended("<R xmlns:a=\"u\"><a:Customers>" + of(1, "nl") + bad + of(3, "nl") +
                           of(4, "nl") + "</a:Customers><NextCursor/></R>");
  ASSERT_EQ(page.records.size(), 3U);
  EXPECT_EQ(page.records[2].value("Id"), Value(std::int64_t{4}));
  ASSERT_EQ(page.unreadable.size(), 1U);
  EXPECT_EQ(page.unreadable[0].raw, bad);
}

TEST(Mended, IsAPageThatEndsBehindABadRecord) {
  for (const std::string_view bad :
       {R"({"Id":2,"Language":"5" tv"})", R"({"Id":2,"Language":"he said "no""})",
        R"({"Id":2,"Language":"5" tv","Data":[{"Name":"a"}]})"}) {
    for (const std::string_view before : {"", R"("NextCursor":"c",)"}) {
      const std::string body = fmt::format(R"({{{}"Customers":[{{"Id":1}},{} ] }} )", before, bad);
      const Page page = mended(body);
      ASSERT_EQ(page.records.size(), 1U) << body;
      ASSERT_EQ(page.unreadable.size(), 1U) << body;
      EXPECT_EQ(page.unreadable[0].fault.place, "Customers[1]") << body;
      EXPECT_EQ(page.next_cursor, before.empty() ? "" : "c") << body;
    }
  }
}

TEST(Mended, IsAPageWhoseLastRecordHasTheEndOfTheListInItsText) {
  const Page page = mended(
      "<R><Customers><Customer><Id>1</Id></Customer><Customer><Id>2</Id><Language></Customers>"
      "</Language></Customer></Customers><NextCursor>c</NextCursor></R>");
  EXPECT_EQ(page.records.size(), 1U);
  EXPECT_EQ(page.unreadable.size(), 1U);
  EXPECT_EQ(page.next_cursor, "c");
}

TEST(Mended, IsARecordOfAnyDepth) {
  const std::string deep(100'000, '['), back(100'000, ']');
  EXPECT_EQ(mended(json("\"Extra\":" + deep + back)).records.size(), 3U);
  std::string open, close;
  for (int i = 0; i < 100; ++i) {
    open += "<a>";
    close += "</a>";
  }
  EXPECT_EQ(mended(xml(open + close)).records.size(), 2U);
}

TEST(Mended, IsNoBodyThatIsCutOff) {
  const std::string last = R"({"Customers":[{"Id":1,"Data":[{"Name":"a"}],"Language":"x}]}"},)"
                           R"({"Id":2,"Language":"5" tv","Data":[{"Name":"a"},{"Name":"b"}]}]})";
  for (const auto& whole :
       {json("\"Language\":\"caf\xE9\""), xml("<Language>caf\xE9</Language>"), last}) {
    for (std::size_t size = 1; size < whole.size(); ++size)
      EXPECT_FALSE(std::holds_alternative<Page>(read(whole.substr(0, size))))
          << whole.substr(0, size);
  }
}

TEST(Mended, CostsNoMoreThanItsSize) {
  const auto repeated = [](std::string_view piece, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i)
      text += piece;
    return text;
  };
  constexpr std::size_t kMany = 300'000;
  for (const std::string_view piece : {R"(,{"Id":[1,)", ",{", "]", R"(,{"Id":1,"a":")", "\xFF,",
                                       R"({"Id":[1,{"Id":1},)", R"({"Id":[x,{"Id":1},)"})
    read(R"({"Customers":[)" + repeated(piece, kMany));
  for (const std::string_view piece :
       {"<Customer>", "<Customer a='", "<!--", "<a<", "&", "<![CDATA["})
    read("<R><Customers><Customer>" + repeated(piece, kMany));
}

TEST(Page, OfMoreItemsThanItMayHaveIsRefusedWhateverTheyAre) {
  for (const std::string_view item : {"1", "{}", "[]", "null", R"({"Id":1})", "NaN"}) {
    std::string items(item);
    for (int i = 0; i < 20; ++i)
      items += "," + std::string(item);
    const std::string body = R"({"Customers":[)" + items + "]}";
    EXPECT_TRUE(std::holds_alternative<Malformed>(read(body, 20))) << item;
    EXPECT_TRUE(std::holds_alternative<Page>(read(body, 21))) << item;
  }
}

TEST(Page, CountsOnlyWithItsList) {
  for (const std::string_view body :
       {R"({"Customers":[]})", R"({"Customers":[],"NextCursor":null,"Total":0})",
        R"({"Customers":[],"Success":true,"Error":null,"Errors":[]})", "<R><Customers/></R>",
        R"({"Customers":[],"ErrorCode":"None"})", R"({"Customers":[],"ErrorCode":" OK "})",
        R"({"Customers":[],"Error":{"Code":0,"Message":"OK"}})",
        "<R><ErrorCode>None</ErrorCode><Customers/></R>"})
    EXPECT_TRUE(mended(body).records.empty()) << body;
  for (const std::string_view body :
       {R"({"Success":false,"Message":"Timeout","Customers":null,"NextCursor":null})",
        R"({"Customers":[],"NextCursor":null,"success":false})",
        R"({"Customers":[{"Id":1}],"Errors":["partition 3 is away"]})",
        R"({"Customers":[],"Error":{"Code":-2146232060}})", R"({"NextCursor":null,"Total":0})",
        R"({"NextCursor":null,"Error":{"Code":-2146232060}})", R"("")", "[1]", "0",
        R"({"Customers":null,"Message":"no"})", "<R><Success>false</Success><Customers/></R>",
        "<R><Error><Message>not now</Message></Error><Customers/></R>"})
    EXPECT_TRUE(std::holds_alternative<Malformed>(read(body))) << body;
}

TEST(Page, IsNoEndWhereItSaysThatItIsNotWhole) {
  for (const std::string_view name :
       {"Partial", "isPartial", "INCOMPLETE", "incomplete_results", "timed_out", "timedOut",
        "partial-results", "Degraded", "hasMore", "more", "has_next_page", "truncated",
        "isTruncated", "is_truncated", "has_more_pages", "nextLink", "next_page_token"}) {
    const bool is_more = name.find("ore") != name.npos || name.find("next") != name.npos ||
                         name.find("runcated") != name.npos;
    const std::string fault = fmt::format(
        "expected an object with \"Customers\", got one that says that it is not whole{}",
        is_more ? ": more follows, and there is no cursor" : "");
    for (const std::string_view value :
         {"true", "1", R"("Yes")", R"(" TRUE ")", R"(["shard 3"])", R"({"shards":[3]})"}) {
      for (const std::string_view cursor : {"null", R"("c")"}) {
        const auto body = fmt::format(R"({{"Customers":[{{"Id":1}}],"NextCursor":{},"{}":{}}})",
                                      cursor, name, value);
        const auto page = read(body);
        const auto* malformed = std::get_if<Malformed>(&page);
        EXPECT_EQ(malformed == nullptr ? "" : malformed->rule,
                  is_more && cursor != "null" ? "" : fault)
            << body;
      }
    }
    const auto in_xml = [&](std::string_view value) {
      return fmt::format(
          "<R><{0}>{1}</{0}><Customers><Customer><Id>1</Id></Customer></Customers></R>", name,
          value);
    };
    for (const std::string_view value : {"true", "1", "Yes"}) {
      const auto page = read(in_xml(value));
      ASSERT_TRUE(std::holds_alternative<Malformed>(page)) << in_xml(value);
      EXPECT_EQ(std::get<Malformed>(page).rule, fault) << in_xml(value);
    }
    for (const std::string_view value : {"false", "0", "null", R"("")", R"("No")", "[]", "{}"})
      EXPECT_EQ(mended(fmt::format(R"({{"{}":{},"Customers":[{{"Id":1}}]}})", name, value))
                    .records.size(),
                1U)
          << name << " " << value;
    EXPECT_EQ(mended(in_xml("false")).records.size(), 1U) << name;
    // Of a record, or of what stands beside the list, it says nothing about the page.
    EXPECT_EQ(mended(json(fmt::format(R"("{}":true)", name))).records.size(), 3U) << name;
    EXPECT_EQ(mended(xml(fmt::format("<{0}>true</{0}>", name))).records.size(), 3U) << name;
  }
  EXPECT_TRUE(std::holds_alternative<Malformed>(read(R"({"Customers":[],"isComplete":false})")));
  EXPECT_TRUE(mended(R"({"Customers":[],"Complete":true})").records.empty());
}

TEST(Page, HasItsCursorWhateverJoinsTheWordsOfItsName) {
  for (const std::string_view name : {"next_cursor", "nextCursor", "NEXT-CURSOR"}) {
    const auto page = read(fmt::format(R"({{"customers":[{{"id":1}}],"{}":"c"}})", name));
    ASSERT_TRUE(std::holds_alternative<Page>(page)) << name;
    EXPECT_EQ(std::get<Page>(page).next_cursor, "c") << name;
  }
}

TEST(Page, IsNoEndWhereWhatDescribesItSaysSo) {
  const auto in_json = [](std::string_view member) {
    return fmt::format(R"({{{},"Customers":[{{"Id":1}}],"NextCursor":null}})", member);
  };
  for (const std::string_view member :
       {R"("Meta":{"Partial":true})", R"("meta":{"total":5,"shards":{"a":1},"partial":true})",
        R"("paging":{"hasMore":true})", R"("pageInfo":{"isLastPage":false})",
        R"("_links":{"self":{"href":"/a"},"next":{"href":"/b"}})", R"("metadata":{"errors":["x"]})",
        R"("@odata.nextLink":"https://x")", R"("continuationToken":"x")", R"("isLast":false)",
        R"("done":false)", R"("isLast":0)"})
    EXPECT_TRUE(std::holds_alternative<Malformed>(read(in_json(member)))) << member;
  for (const std::string_view member :
       {R"("Meta":{"Partial":false})", R"("Meta":{"x":{"Partial":true}})", R"("Meta":"true")",
        R"("Other":{"Partial":true})", R"("page":{"number":0,"last":true})", R"("lastPage":0)",
        R"("_links":{"self":{"href":"/a"},"next":null,"last":{"href":"/a"}})", R"("done":true)"})
    EXPECT_EQ(mended(in_json(member)).records.size(), 1U) << member;
  const auto in_xml = [](std::string_view value) {
    return fmt::format(
        "<R><Paging><Total>5</Total><HasMore>{}</HasMore></Paging>"
        "<Customers><Customer><Id>1</Id></Customer></Customers></R>",
        value);
  };
  EXPECT_TRUE(std::holds_alternative<Malformed>(read(in_xml("true"))));
  EXPECT_EQ(mended(in_xml("false")).records.size(), 1U);
  const auto with_attributes = [](std::string_view root, std::string_view list,
                                  std::string_view item) {
    return fmt::format("<R {}><Customers {}><Customer {}><Id>1</Id></Customer></Customers></R>",
                       root, list, item);
  };
  EXPECT_TRUE(std::holds_alternative<Malformed>(read(with_attributes("partial='true'", "", ""))));
  EXPECT_TRUE(std::holds_alternative<Malformed>(read(with_attributes("", "hasMore='1'", ""))));
  EXPECT_EQ(mended(with_attributes("xmlns:error='urn:x' xmlns:next='urn:y' partial='false'",
                                   "total='5' more='0'", "partial='true' next='2'"))
                .records.size(),
            1U);
}

// One record of a page is damaged at random; no other one is lost.
TEST(Mended, IsEveryPageOfWhichOneRecordIsDamaged) {
  const bool kJson[] = {true, false};
  for (std::uint32_t seed = 1; seed <= 4000; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](std::size_t most) { return random() % most; };
    const bool in_json = kJson[seed % 2];
    std::vector<std::string> items;
    const std::size_t count = 2 + draw(5);
    for (std::size_t i = 0; i < count; ++i) {
      Record record(customer());
      record.set("Id", static_cast<std::int64_t>(i + 1));
      record.set("Email", "person" + std::to_string(i) + "@example.test");
      record.set("Language", "é <&> \"x\", {[");
      Record data(*customer().find("Data")->of);
      data.set("Name", "order");
      data.set("Value", "1, 2");
      record.at("Data").records = {data, data};
      Record answer(*customer().find("Answers")->of);
      answer.set("Text", "fine");
      record.at("Answers").records = {answer};
      items.push_back(write(record, in_json ? Format::json : Format::xml));
    }
    const std::size_t bad = draw(count);
    std::string& damaged = items[bad];
    const std::string pieces[] = {
        "\xE9", "\\ud83d", "\"", "\n", "&",   "&nbsp;", "<", "\\x", "NaN", std::string(1, '\0'),
        "{",    "}",       "[",  "]",  "<b>", "</b>",   ","};
    for (std::size_t faults = 1 + draw(3); faults > 0; --faults) {
      const std::size_t at = 1 + draw(damaged.size() - 2);
      if (draw(3) == 0)
        damaged.erase(at, 1 + draw(4));
      else
        damaged.insert(at, pieces[draw(std::size(pieces))]);
    }
    std::string body = in_json ? R"({"Customers":[)" : "<R><Customers>";
    for (std::size_t i = 0; i < count; ++i)
      body += (in_json && i > 0 ? "," : "") + items[i];
    body += in_json ? R"(],"NextCursor":"c"})" : "</Customers><NextCursor>c</NextCursor></R>";
    const auto result = read(body);
    const auto* page = std::get_if<Page>(&result);
    ASSERT_NE(page, nullptr) << seed << " " << std::get<Malformed>(result).rule << "\n" << body;
    std::set<std::int64_t> ids;
    for (const auto& record : page->records)
      ids.insert(std::get<std::int64_t>(record.value("Id")));
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_TRUE(i == bad || ids.contains(static_cast<std::int64_t>(i + 1)))
          << seed << ": record " << i + 1 << " of " << count << ", bad is " << bad + 1 << "\n"
          << body;
  }
}

}  // namespace
}  // namespace surveybridge::mapping::mending
