// Hostile pages, the same attack in both formats: refused or read, never a crash, never a silent
// null, and always with the place.
#include <gmock/gmock.h>

#include "tests/mapping/codec_bodies.hpp"

namespace surveybridge::mapping {
namespace {

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  text.reserve(piece.size() * times);
  for (std::size_t i = 0; i < times; ++i)
    text += piece;
  return text;
}

std::string json(std::string_view members) {
  return fmt::format(R"({{"Customers":[{{}},{{{}}}]}})", members);
}
std::string xml(std::string_view members) {
  return fmt::format("<R><Customers><C/><C>{}</C></Customers></R>", members);
}
Value second(const std::string& body, std::string_view field) {
  const Page read = page(body);
  return read.records.size() == 2 ? read.records[1].value(field) : Value("no such record");
}

TEST(HostilePage, OfTenThousandLevelsIsRefused) {
  constexpr std::size_t kLevels = 10'000;
  const std::string lists = repeated("[", kLevels) + repeated("]", kLevels);
  const std::string objects = repeated(R"({"x":)", kLevels) + "1" + repeated("}", kLevels);
  const std::string elements = repeated("<a>", kLevels) + repeated("</a>", kLevels);
  EXPECT_EQ(outcome(json("\"Unknown\":" + lists)), "Customers[1]: nested more than 64 deep");
  EXPECT_EQ(outcome(json("\"Unknown\":" + objects)), "Customers[1]: nested more than 64 deep");
  EXPECT_EQ(outcome(json("\"Answers\":" + lists)),
            "Customers[1].Answers[0]: expected an object, got a list");
  EXPECT_EQ(outcome(objects), ": nested more than 64 deep");
  EXPECT_EQ(outcome(xml(elements)), ": nested more than 64 deep at byte 205");
  EXPECT_EQ(outcome(elements), ": nested more than 64 deep at byte 193");
}

TEST(HostilePage, WithTextThatIsNotUtf8IsRefused) {
  for (const std::string_view bytes :
       {"\xFF", "\xC3(", "\xC0\xAF", "\xE2\x82", "\xED\xA0\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_THAT(outcome(json(fmt::format(R"("Email":"{}")", bytes))),
                testing::StartsWith("Customers[1].Email: not UTF-8 at byte "));
    EXPECT_EQ(outcome(xml(fmt::format("<Email>{}</Email>", bytes))), ": not UTF-8");
    EXPECT_EQ(outcome(xml(fmt::format("<{0}/>", bytes))), ": not UTF-8");
  }
  EXPECT_EQ(outcome(std::string_view("\xFF\xFE{\0}\0", 6)),
            ": expected an object with \"Customers\", got neither JSON nor XML");
}

TEST(HostilePage, WithHalfASurrogatePairIsRefused) {
  for (const auto* half : {R"(\ud800)", R"(\udbff x)", R"(\ud83d\ud83d)", R"(\udc00\ud800)",
                           R"(\ud83d\u0041)", R"(\ud83d\n)"}) {
    EXPECT_THAT(outcome(json(fmt::format(R"("Email":"{}")", half))),
                testing::StartsWith("Customers[1].Email: half a surrogate pair at byte "))
        << half;
  }
  for (const auto* half : {"&#xD800;", "&#55296;", "&#xDFFF;", "&#xD83D;&#xDE00;"}) {
    EXPECT_EQ(outcome(xml(fmt::format("<Email>{}</Email>", half))),
              ": an entity that is not read at byte 29")
        << half;
  }
}

TEST(HostilePage, WithADuplicateMemberIsRefused) {
  EXPECT_EQ(outcome(json(R"("Data":[{"Value":"a"},{"Value":"a","value":"b"}])")),
            "Customers[1].Data[1].Value: came twice in one object");
  EXPECT_EQ(outcome(json(R"("Status":{"StatusCode":1},"status":null)")),
            "Customers[1].Status: came twice in one object");
  EXPECT_EQ(outcome(xml("<Data><D/><D><Value>a</Value><b:value>b</b:value></D></Data>")),
            "Customers[1].Data[1].Value: came twice in one object");
  EXPECT_EQ(outcome(xml("<Status/><x:Status x:nil='true'/>")),
            "Customers[1].Status: came twice in one object");
}

TEST(HostilePage, WithNumbersBeyondTheirTypeIsRefused) {
  const struct {
    std::string_view number, rule;
  } cases[] = {
      {"9223372036854775808", "expected integer of 64 bits, got {}"},
      {"-9223372036854775809", "expected integer of 64 bits, got {}"},
      {"18446744073709551616", "expected integer of 64 bits, got {}"},
      {"1e5", "expected integer, got {}"},
      {"1E+2147483648", "expected integer, got {}"},
      {"1e-400", "expected integer, got {}"},
      {"0.5", "expected integer, got {}"},
  };
  for (const auto& [number, rule] : cases) {
    const std::string at = "Customers[1].Id: ";
    const std::string quoted = fmt::format("\"{}\"", number);
    const bool overflows = number.starts_with("1E");  // the JSON parser itself refuses it
    EXPECT_EQ(
        outcome(json(fmt::format(R"("Id":{})", number))),
        at + (overflows ? "number too large at byte 36" : fmt::format(fmt::runtime(rule), number)));
    EXPECT_EQ(outcome(json(fmt::format(R"("Id":{})", quoted))),
              at + fmt::format(fmt::runtime(rule), quoted));
    EXPECT_EQ(outcome(xml(fmt::format("<Id>{}</Id>", number))),
              at + fmt::format(fmt::runtime(rule), quoted));
  }
  EXPECT_EQ(second(json(R"("Id":-9223372036854775808)"), "Id"), Value(INT64_MIN));
  EXPECT_EQ(second(xml("<Id>9223372036854775807</Id>"), "Id"), Value(INT64_MAX));
}

TEST(HostilePage, KeepsLongTextsAndReportsOtherLongValuesByTheirSize) {
  const std::string digits = repeated("7", 300);
  EXPECT_EQ(second(json("\"Email\":" + digits), "Email"), Value(digits));
  EXPECT_EQ(second(xml("<Email>" + digits + "</Email>"), "Email"), Value(digits));
  const std::string rule = "Customers[1].Id: expected integer of 64 bits, got a text of 300 bytes";
  EXPECT_EQ(outcome(json("\"Id\":" + digits)), rule);
  EXPECT_EQ(outcome(json("\"Id\":\"" + digits + "\"")), rule);
  EXPECT_EQ(outcome(xml("<Id>" + digits + "</Id>")), rule);
  EXPECT_EQ(outcome(json("\"Email\":" + digits + digits)),
            "Customers[1].Email: number too large at byte 626");
}

TEST(HostilePage, WithADocumentTypeIsRefusedBeforeAnythingIsReadOfIt) {
  const std::string laughs =
      R"(<!DOCTYPE R [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>)";
  const std::string file = R"(<!DOCTYPE R [<!ENTITY f SYSTEM "file:///etc/passwd">]>)";
  const std::string rule = ": a document type, which is not read, at byte ";
  EXPECT_EQ(outcome(laughs + xml("<Email>&c;</Email>")), rule + "1");
  EXPECT_EQ(outcome(file + xml("<Email>&f;</Email>")), rule + "1");
  EXPECT_EQ(
      outcome("<?xml version='1.0'?><!DOCTYPE R SYSTEM 'http://example.test/r.dtd'>" + xml("")),
      rule + "22");
  EXPECT_EQ(outcome(xml("<!ENTITY a 'b'>")), rule + "22");
  EXPECT_EQ(outcome(xml("<Email>&f;</Email>")), ": an entity that is not read at byte 29");
}

TEST(HostilePage, OfMoreElementsThanRecordsCanHaveIsRefused) {
  EXPECT_THAT(outcome(xml(repeated("<a/>", 2'500'000))),
              testing::StartsWith(": more than 2401000 elements and attributes at byte "));
}

TEST(HostilePage, OfMoreEmptyThingsThanRecordsCanHaveIsRefused) {
  constexpr std::size_t kMany = 400'000;
  const std::string rule = "more than 400000 items in one body";
  const std::string of_page = "more than 400000 items in one page";
  EXPECT_EQ(outcome(fmt::format(R"({{"Customers":[{}{{}}]}})", repeated("{},", kMany))),
            "Customers[400000]: " + of_page);
  EXPECT_EQ(outcome(json(fmt::format(R"("Answers":[{}{{}}])", repeated("{},", kMany)))),
            "Customers[1].Answers[399998]: " + rule);
  EXPECT_EQ(outcome(fmt::format("<R><Customers>{}</Customers></R>", repeated("<C/>", kMany + 1))),
            "Customers[400000]: " + of_page);
  EXPECT_EQ(outcome(xml(fmt::format("<Answers>{}</Answers>", repeated("<A/>", kMany + 1)))),
            "Customers[1].Answers[399998]: " + rule);
}

TEST(HostilePage, OfMoreValuesThanRecordsCanHaveIsRefused) {
  constexpr std::size_t kMany = 250'000;  // each of eight values
  const std::string rule = "more than 2000000 values in one body";
  const std::string in_json = R"({"Id":1,"Status":{},"Batch":{"Id":1,"IsTest":true},"Review":{},)"
                              R"("Email":"","OptedOut":false,"UserAgent":null},)";
  EXPECT_EQ(
      outcome(fmt::format(R"({{"Customers":[{}{{"Review":{{}}}}]}})", repeated(in_json, kMany))),
      "Customers[250000].Review: " + rule);
  EXPECT_EQ(outcome(fmt::format(R"({{"Customers":[{}{{}}]}})", repeated(in_json, kMany))),
            "page of 250001");
  const std::string in_xml =
      "<C><Id>1</Id><Email>x</Email><Batch><Id>1</Id><IsTest>1</IsTest></Batch><OptedOut>0"
      "</OptedOut><Priority>1</Priority><Language>x</Language></C>";
  EXPECT_EQ(outcome(fmt::format("<R><Customers>{}<C><Id>1</Id></C></Customers></R>",
                                repeated(in_xml, kMany))),
            "Customers[250000].Id: " + rule);
}

// If the time were not linear in the body, this test would take minutes.
TEST(HostilePage, CostsNoMoreThanItsSize) {
  constexpr std::size_t kMany = 2'000'000;
  std::string replaced = repeated("\uFFFD", kMany);
  EXPECT_TRUE(second(json("\"Email\":\"" + repeated("\\u0000", kMany) + "\""), "Email") ==
              Value(std::move(replaced)));
  EXPECT_EQ(outcome(xml(repeated("<a/>", kMany))), "page of 2");
  EXPECT_EQ(outcome(xml("<a b='" + repeated("&amp;", kMany) + "'/>")), "page of 2");
}

}  // namespace
}  // namespace surveybridge::mapping
