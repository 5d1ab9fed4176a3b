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

}  // namespace
}  // namespace surveybridge::mapping
