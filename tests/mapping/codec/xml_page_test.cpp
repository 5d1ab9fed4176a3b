#include "tests/mapping/codec_bodies.hpp"

namespace surveybridge::mapping {
namespace {

std::string one(std::string_view members) {
  return fmt::format("<R><Customers><Customer>{}</Customer></Customers></R>", members);
}

TEST(XmlPage, ReadsByLocalNameWhateverTheNamespacePrefixAndOrder) {
  const Page read = page(R"(<?xml version="1.0" encoding="utf-8"?>
    <!-- as .NET writes it -->
    <GetCustomerResponse xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns="urn:x">
      <NextCursor>a+/=</NextCursor>
      <Customers xmlns:b="urn:y">
        <b:Customer>
          <b:Status><StatusName>Invited</StatusName><b:StatusCode> 4 </b:StatusCode></b:Status>
          <b:FormStatus>New</b:FormStatus>
          <b:DateInvited i:nil="true"/>
          <b:email>a@example.test</b:email>
          <b:Unknown><b:Id>9</b:Id></b:Unknown>
          <b:Id>7</b:Id>
          <b:Answers><b:ExportAnswer><b:Text>goed &amp; wel</b:Text></b:ExportAnswer></b:Answers>
        </b:Customer>
      </Customers>
    </GetCustomerResponse>)");
  ASSERT_EQ(read.records.size(), 1U);
  EXPECT_EQ(read.next_cursor, "a+/=");
  EXPECT_EQ(write(read.records[0], Format::xml),
            "<Customer><Answers><ExportAnswer><Text>goed &amp; wel</Text></ExportAnswer></Answers>"
            "<Email>a@example.test</Email><FormStatus>New</FormStatus><Id>7</Id>"
            "<Status><StatusCode>4</StatusCode><StatusName>Invited</StatusName></Status>"
            "</Customer>");
}

TEST(XmlPage, TakesTheItemsOfAListUnderAnyName) {
  EXPECT_EQ(outcome("<R><Customers><Customer/><x:Other/><Customer/></Customers></R>"), "page of 3");
}

TEST(XmlPage, ReadsNilAndEmptyAsAbsent) {
  EXPECT_EQ(only(one("<Id i:nil=\"true\"/><Status i:nil=\"1\"/><Answers nil=\"true\"/><Data/>"
                     "<OpenDate/><OptedOut> </OptedOut><Email x:nil='true'> </Email>")),
            Record(customer()));
  EXPECT_EQ(outcome("<R/>"), "page of 0");
  EXPECT_EQ(outcome("<R><Customers i:nil=\"true\"/><NextCursor i:nil=\"true\"/></R>"), "page of 0");
  EXPECT_EQ(outcome("<R><Customers/><NextCursor> </NextCursor></R>"), "page of 0");
  EXPECT_EQ(only(one("<Email i:nil=\"false\">x</Email>")).value("Email"), Value("x"));
}

TEST(XmlPage, ReadsMembersThatAreAttributesWhereNoElementHasTheirName) {
  const Record customer = only(
      R"(<R><Customers><Customer id="7" Email="a@e.test" OptedOut="true" type="x" x:Language="nl">
         <Status StatusCode="4"/><Data><D Name="Order" Value="A-17"/></Data>
         </Customer></Customers></R>)");
  EXPECT_EQ(write(customer, Format::json),
            R"({"Id":7,"Status":{"StatusCode":4},"OptedOut":true,"Email":"a@e.test",)"
            R"("Data":[{"Name":"Order","Value":"A-17"}]})");
  EXPECT_EQ(only(R"(<R><Customers><C Id="8"><Id>7</Id></C></Customers></R>)").value("Id"),
            Value(std::int64_t{7}));
  EXPECT_EQ(page(R"(<R NextCursor="c"><Customers/></R>)").next_cursor, "c");
}

TEST(XmlPage, ReadsEnumeratorsByNameAndNumber) {
  EXPECT_EQ(only(one("<FormStatus>New</FormStatus>")).value("FormStatus"),
            Value(Enumerator{{}, "New"}));
  EXPECT_EQ(only(one("<FormStatus>2</FormStatus>")).value("FormStatus"), Value(Enumerator{2, ""}));
}

TEST(XmlPage, KeepsTextAsItIs) {
  const auto email = [](std::string_view inside) {
    return only(one(fmt::format("<Email>{}</Email>", inside))).value("Email");
  };
  EXPECT_EQ(email(""), Value(""));
  EXPECT_EQ(email("  "), Value("  "));
  EXPECT_EQ(email(" a\tb "), Value(" a\tb "));
  EXPECT_EQ(email("a\r\nb"), Value("a\nb"));
  EXPECT_EQ(email("a&#13;\nb"), Value("a\r\nb"));
  EXPECT_EQ(email("&lt;&gt;&amp;&quot;&apos;&#xE9;&#128512;"), Value("<>&\"'é😀"));
  EXPECT_EQ(email("&#x1;"), Value("\x01"));
  EXPECT_EQ(email("<![CDATA[<b>&amp;</b>]]>"), Value("<b>&amp;</b>"));
  EXPECT_EQ(email("a<!-- not this -->b<![CDATA[c]]>"), Value("abc"));
  EXPECT_EQ(email("&amp;lt;"), Value("&lt;"));
}

TEST(XmlPage, RefusesWithThePlaceInTheDocument) {
  const struct {
    std::string_view body, expected;
  } cases[] = {
      {"<R><Customers><C/><C/><C/><C><Status><StatusCode>x</StatusCode></Status></C></Customers>"
       "</R>",
       R"(Customers[3].Status.StatusCode: expected integer, got "x")"},
      {"<R><Customers><C><Id><x/></Id></C></Customers></R>",
       "Customers[0].Id: expected a single value, got elements"},
      {"<R><Customers><C>text</C></Customers></R>", "Customers[0]: expected elements, got text"},
      {"<R><Customers>text</Customers></R>", "Customers: expected elements, got text"},
      {"<R><Customers><C i:nil=\"true\"/></Customers></R>",
       "Customers[0]: expected an object, got null"},
      {"<R><Customers><C><Status>4</Status></C></Customers></R>",
       "Customers[0].Status: expected elements, got text"},
      {"<R><Customers><C><Email>a</Email><email>a</email></C></Customers></R>",
       "Customers[0].Email: came twice in one object"},
      {"<R><Customers/><Customers/></R>", "Customers: came twice in one object"},
      {"<Error><Message>No.</Message></Error>",
       R"(: expected an object with "Customers", got an object with none of its members)"},
      {"<html><body/></html>", R"(: expected an object with "Customers", got an HTML page)"},
      {"<R>text</R>", ": expected elements, got text"},
      {"<R><Customers></R></Customers>", ": not XML at byte 17"},
      {"<R><Customers><1/></Customers></R>", ": not XML at byte 16"},
  };
  for (const auto& [body, expected] : cases)
    EXPECT_EQ(outcome(body), expected) << body;
}

TEST(XmlPage, RefusesWhatIsCutOffWhereverItIs) {
  const std::string whole =
      "<?xml version='1.0'?><R a='1>2'><!-- x --><Customers><C><Id>7</Id><Email>a&amp;é"
      "<![CDATA[x]]></Email></C></Customers></R>";
  ASSERT_EQ(outcome(whole), "page of 1");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_EQ(outcome(whole.substr(0, size)).find("page"), std::string::npos)
        << whole.substr(0, size);
  }
}

TEST(XmlPage, IsBoundedInDepthAndItems) {
  Reading small = kReading;
  small.limits = {4000, 5, 3};
  const auto read = [&](std::string_view body) {
    return outcome(body, "", "Customers", customer(), small);
  };
  EXPECT_EQ(read("<R><Customers><C/><C/><C/></Customers></R>"), "page of 3");
  EXPECT_EQ(read("<R><Customers><C/><C/><C/><C/></Customers></R>"),
            "Customers[3]: more than 3 items in one body");
  EXPECT_EQ(read("<R><Customers><C><x><y/></x></C></Customers></R>"), "page of 1");
  EXPECT_EQ(read("<R><Customers><C><x><y><z/></y></x></C></Customers></R>"),
            ": nested more than 5 deep at byte 24");
}

}  // namespace
}  // namespace surveybridge::mapping
