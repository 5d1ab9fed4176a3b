// JSON and XML contain the same: every field of every resource, in both directions.
#include "mapping/values/dates.hpp"
#include "tests/mapping/codec_bodies.hpp"

namespace surveybridge::mapping {
namespace {

using namespace std::chrono_literals;

// A different value for every field, so that mixed-up fields are found.
Value sample(Type type, std::int64_t number) {
  switch (type) {
    case Type::boolean:
      return number % 2 == 0;
    case Type::integer:
      return number - 40;
    case Type::decimal:
      return Decimal{"0." + std::to_string(number) + "0"};
    case Type::text:
      return "é😀 <&>\"'\r\n\t " + std::to_string(number);
    case Type::guid:
      return "3F2504E0-4F89-11D3-9A0C-" + std::to_string(100000000000 + number);
    case Type::instant:
      return Instant{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}} + number * 1h +
             number * 1us;
    case Type::base64:
      return Bytes{std::string("\0\xFF", 2) + std::to_string(number)};
    case Type::enumeration:
      return Enumerator{number, ""};
    case Type::object:
      break;
  }
  return Null{};
}

Record filled(const Resource& shape, std::int64_t& number) {
  Record record(shape);
  for (const Field& field : shape.fields) {
    Slot& slot = record.slots[shape.index(field)];
    for (int i = 0; i < (field.list ? 2 : 1); ++i) {
      if (field.type == Type::object) {
        slot.records.push_back(filled(*field.of, number));
      } else if (field.list) {
        slot.values.push_back(sample(field.type, ++number));
      } else {
        slot.value = sample(field.type, ++number);
      }
    }
  }
  return record;
}

Record filled(const Resource& shape) {
  std::int64_t number = 0;
  return filled(shape, number);
}

Record read_back(const std::string& body, const Resource& shape) {
  const auto read = read_record(body, "", shape, kReading);
  if (const auto* malformed = std::get_if<Malformed>(&read)) {
    ADD_FAILURE() << malformed->place << ": " << malformed->rule << "\n" << body;
    return Record(shape);
  }
  return std::get<Record>(read);
}

const Resource* const kRoots[] = {&import_batch(), &customer(),    &rating(),
                                  &bouncer(),      &data_column(), &status()};

TEST(Formats, BringBackEveryFieldOfEveryResource) {
  for (const Resource* shape : kRoots) {
    const Record record = filled(*shape);
    EXPECT_TRUE(read_back(write(record, Format::json), *shape) == record) << shape->name;
    EXPECT_TRUE(read_back(write(record, Format::xml), *shape) == record) << shape->name;
    EXPECT_TRUE(read_back(write(record, Format::xml, {"urn:x&y", "urn:list"}), *shape) == record)
        << shape->name;
  }
}

TEST(Formats, MeanTheSameBatch) {
  const Record batch = filled(import_batch());
  EXPECT_EQ(read_back(write(batch, Format::json), import_batch()),
            read_back(write(batch, Format::xml), import_batch()));
}

TEST(Formats, MeanTheSamePage) {
  const Record record = filled(customer());
  const std::string json = write(record, Format::json);
  const std::string xml = write(record, Format::xml);
  const Page from_json =
      page(fmt::format(R"({{"Customers":[{},{}],"NextCursor":"x"}})", json, json));
  const Page from_xml =
      page(fmt::format("<R><NextCursor>x</NextCursor><Customers>{}{}</Customers></R>", xml, xml));
  EXPECT_EQ(from_json.records.size(), 2U);
  EXPECT_TRUE(from_json.records == from_xml.records);
  EXPECT_EQ(from_json.next_cursor, from_xml.next_cursor);
}

TEST(Formats, ReadARecordOrSayWhatItShouldHaveBeen) {
  const auto rule = [](std::string_view body) {
    const auto read = read_record(body, "", status(), kReading);
    const auto* malformed = std::get_if<Malformed>(&read);
    return malformed == nullptr ? "" : malformed->place + ": " + malformed->rule;
  };
  EXPECT_EQ(rule(R"({"StatusCode":1})"), "");
  EXPECT_EQ(rule(R"({"Message":"no"})"),
            ": expected CustomerStatus, got an object with none of its members");
  EXPECT_EQ(rule(R"({"StatusCode":"no"})"), "StatusCode: expected integer, got \"no\"");
  EXPECT_EQ(rule(""), ": expected CustomerStatus, got an empty body");
  EXPECT_EQ(rule("plain"), ": expected CustomerStatus, got neither JSON nor XML");
}

TEST(XmlWrite, PutsElementsInAlphabeticalOrderUnderTheNamespace) {
  Record batch(import_batch());
  batch.set("IsTest", true);
  batch.set("BatchName", "x");
  Record customer(import_customer());
  customer.set("Email", "a@example.test");
  customer.at("AnswersToCopy").values = {std::int64_t{3}, std::int64_t{1}};
  batch.at("Customers").records = {customer};
  const std::string inside =
      "<BatchName>x</BatchName><Customers><ImportCustomer><AnswersToCopy><int>3</int><int>1</int>"
      "</AnswersToCopy><Email>a@example.test</Email></ImportCustomer></Customers>"
      "<IsTest>true</IsTest></ImportCustomersRequest>";
  EXPECT_EQ(write(batch, Format::xml), "<ImportCustomersRequest>" + inside);
  EXPECT_EQ(write(batch, Format::xml, {"urn:a\"b", ""}),
            "<ImportCustomersRequest xmlns=\"urn:a&quot;b\">" + inside);
  EXPECT_EQ(write(batch, Format::xml, {"urn:a", "urn:<l"}),
            "<ImportCustomersRequest xmlns=\"urn:a\" xmlns:a=\"urn:&lt;l\"><BatchName>x</BatchName>"
            "<Customers><ImportCustomer><AnswersToCopy><a:int>3</a:int><a:int>1</a:int>"
            "</AnswersToCopy><Email>a@example.test</Email></ImportCustomer></Customers>"
            "<IsTest>true</IsTest></ImportCustomersRequest>");
}

TEST(XmlWrite, EscapesWhatItCanAndReplacesWhatXmlCannotHold) {
  const auto written = [](std::string text) {
    Record record(status());
    record.set("StatusName", std::move(text));
    const std::string xml = write(record, Format::xml);
    constexpr std::string_view before = "<CustomerStatus><StatusName>";
    constexpr std::string_view after = "</StatusName></CustomerStatus>";
    return xml.substr(before.size(), xml.size() - before.size() - after.size());
  };
  EXPECT_EQ(written("a<b>&\"'\r\n\t"), "a&lt;b&gt;&amp;&quot;'&#13;\n\t");
  EXPECT_EQ(written("]]>"), "]]&gt;");
  EXPECT_EQ(written(std::string("\0\x01\x1F", 3)), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(written("\xEF\xBF\xBE|\xEF\xBF\xBF"), "\uFFFD|\uFFFD");
  EXPECT_EQ(written("\xE9"), "\uFFFD");
  EXPECT_EQ(written(""), "");
}

TEST(Formats, AcceptAByteOrderMarkAndAnyContentType) {
  EXPECT_EQ(outcome("\xEF\xBB\xBF{\"Customers\":[{}]}"), "page of 1");
  EXPECT_EQ(outcome("\xEF\xBB\xBF<R><Customers><C/></Customers></R>"), "page of 1");
  EXPECT_EQ(outcome("\r\n{\"Customers\":[{}]}\r\n", "text/plain"), "page of 1");
  EXPECT_EQ(outcome("{\"Customers\":[{}]}", "application/problem+json;charset=utf-8"), "page of 1");
  EXPECT_EQ(outcome("<R><Customers><C/></Customers></R>", "TEXT/XML"), "page of 1");
}

TEST(Formats, RefuseABodyOfAnotherKindThanItsContentType) {
  EXPECT_EQ(outcome("<R><Customers/></R>", "application/json"), ": not JSON at byte 1");
  EXPECT_EQ(outcome("{}", "application/xml"), ": text outside the root element at byte 1");
  EXPECT_EQ(outcome("<!DOCTYPE html><html></html>", "application/json"),
            ": expected an object with \"Customers\", got an HTML page");
  EXPECT_EQ(outcome("<p>Sorry</p>", "text/html; charset=utf-8"),
            ": expected an object with \"Customers\", got an HTML page");
}

TEST(Formats, TakeABodyWithoutAListForABarePage) {
  for (const auto* body : {"", " \r\n", "null", " [ ] "}) {
    EXPECT_EQ(outcome(body, "application/json"), "page of 0") << body;
    EXPECT_TRUE(page(body).bare) << body;
  }
}

}  // namespace
}  // namespace surveybridge::mapping
