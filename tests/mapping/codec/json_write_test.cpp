#include "mapping/values/dates.hpp"
#include "tests/mapping/codec_bodies.hpp"

namespace surveybridge::mapping {
namespace {

std::string email_as_json(std::string text) {
  Record record(import_customer());
  record.set("Email", std::move(text));
  return write(record, Format::json);
}

TEST(JsonWrite, LeavesOutWhatIsAbsent) {
  Record record(customer());
  EXPECT_EQ(write(record, Format::json), "{}");
  record.at("Status").records.emplace_back(status());
  record.set("FormStatus", Enumerator{});
  record.set("Email", "");
  EXPECT_EQ(write(record, Format::json), R"({"Status":{},"Email":""})");
}

TEST(JsonWrite, WritesEveryKindOfValueExactly) {
  Record record(customer());
  record.set("Id", std::int64_t{-9223372036854775807 - 1});
  record.set("Priority", Decimal{"12345678901234567890.10"});
  record.set("OptedOut", true);
  record.set("OpenDate", Instant{std::chrono::microseconds{1}});
  record.set("FormStatus", Enumerator{{}, "New"});
  record.set("Language", Bytes{"hallo"});
  record.set("TransactionDate", read_date("2026-11-01 10:00")->value);
  EXPECT_EQ(write(record, Format::json),
            R"({"Id":-9223372036854775808,"OpenDate":"1970-01-01T00:00:00.000001Z",)"
            R"("OptedOut":true,"Priority":12345678901234567890.10,"FormStatus":"New",)"
            R"("TransactionDate":"2026-11-01T10:00:00","Language":"aGFsbG8="})");
}

TEST(JsonWrite, PrefersTheNumberOfAnEnumerator) {
  Record record(customer());
  record.set("FormStatus", Enumerator{2, "Closed"});
  EXPECT_EQ(write(record, Format::json), R"({"FormStatus":2})");
  EXPECT_EQ(write(record, Format::xml), "<Customer><FormStatus>Closed</FormStatus></Customer>");
}

TEST(JsonWrite, WritesListsOfScalarsAndOfObjects) {
  Record record(import_customer());
  record.at("AnswersToCopy").values = {std::int64_t{3}, std::int64_t{1}};
  record.at("Data").records = {Record(customer_data()), Record(customer_data())};
  record.at("Data").records[1].set("Value", "x");
  EXPECT_EQ(write(record, Format::json), R"({"Data":[{},{"Value":"x"}],"AnswersToCopy":[3,1]})");
}

TEST(JsonWrite, EscapesWhatJsonCannotHoldBare) {
  EXPECT_EQ(email_as_json("\"\\/\b\f\n\r\t\x01\x1f\x7f"),
            "{\"Email\":\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\\u0001\\u001f\x7f\"}");
  EXPECT_EQ(email_as_json(std::string("a\0b", 3)), R"({"Email":"a\u0000b"})");
  EXPECT_EQ(email_as_json("é€😀"), R"({"Email":"é€😀"})");
}

TEST(JsonWrite, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(email_as_json("a\xC3"), "{\"Email\":\"a\uFFFD\"}");
  EXPECT_EQ(email_as_json("\xE9t\xE9"), "{\"Email\":\"\uFFFDt\uFFFD\"}");
  EXPECT_EQ(email_as_json("é\xED\xA0\x80é"), "{\"Email\":\"é\uFFFD\uFFFD\uFFFDé\"}");
}

TEST(JsonMember, IsWrittenAsAnObjectAndReadAgain) {
  EXPECT_EQ(write_member("a", Null{}), R"({"a":null})");
  EXPECT_EQ(write_member("a\"b\\", "it's \"{}\""), R"({"a\"b\\":"it's \"{}\""})");
  for (const Value& value :
       {Value{true}, Value{false}, Value{std::int64_t{-9223372036854775807 - 1}},
        Value{Decimal{"12345678901234567890.10"}}, Value{"é \"\\\n"}, Value{""}, Value{Null{}}})
    EXPECT_EQ(read_member(write_member("k \"'.\\", value), "k \"'.\\"), value);
}

TEST(JsonMember, IsFoundInTheOutermostObjectAlone) {
  const std::string_view object =
      R"( {"b":{"a":1},"c":[{"a":2},3],"\u0061":4,"d":null,"A":5,"e":"x"} )";
  EXPECT_EQ(read_member(object, "a"), Value{std::int64_t{4}});
  EXPECT_EQ(read_member(object, "b"), Value{R"({"a":1})"});
  EXPECT_EQ(read_member(object, "c"), Value{R"([{"a":2},3])"});
  EXPECT_EQ(read_member(object, "e"), Value{"x"});
  EXPECT_EQ(read_member(object, "d"), Value{Null{}});
  EXPECT_EQ(read_member(object, "none"), Value{Null{}});
  EXPECT_EQ(read_member(R"({"a":1,"a":{},"a":2})", "a"), Value{std::int64_t{2}}) << "the last";
  EXPECT_EQ(read_member("{}", "a"), Value{Null{}});
}

TEST(JsonMember, IsNoneOfWhatIsNoObject) {
  for (const std::string_view text :
       {"", "[1]", R"(["a",{"a":1}])", "null", "5", R"("a")", R"({"a":1)", R"({"a":1} x)", "{a:1}"})
    EXPECT_EQ(read_member(text, "a"), std::nullopt) << text;
}

}  // namespace
}  // namespace surveybridge::mapping
