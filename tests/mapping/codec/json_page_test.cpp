#include <gmock/gmock.h>

#include "tests/mapping/codec_bodies.hpp"

namespace surveybridge::mapping {
namespace {

std::string one(std::string_view members) {
  return fmt::format(R"({{"Customers":[{{{}}}]}})", members);
}

TEST(JsonPage, ReadsACustomerToItsDepth) {
  const Page read = page(R"({"Customers":[{
      "Id": 7, "Status": {"StatusCode": 4, "StatusName": "Invited"}, "Email": "a@example.test",
      "DateInvited": "2026-11-01T10:00:00.5+01:00", "OptedOut": false, "FormStatus": 2,
      "Answers": [{"BaseQuestionId": 1200, "Text": "goed",
                   "SelectedScalePositions": [{"Id": 1, "Value": 9}, {"Id": 2, "Value": 10}],
                   "FileAnswers": [{"Data": "AAEC"}]}],
      "Data": [{"CustomerDataColumnId": 3, "Value": "A-17"}]}], "NextCursor": "a+/="})");
  ASSERT_EQ(read.records.size(), 1U);
  EXPECT_EQ(read.next_cursor, "a+/=");
  const Record& customer = read.records[0];
  EXPECT_EQ(customer.value("Id"), Value(std::int64_t{7}));
  EXPECT_EQ(customer.at("Status").records.at(0).value("StatusName"), Value("Invited"));
  EXPECT_EQ(customer.value("OptedOut"), Value(false));
  EXPECT_EQ(customer.value("FormStatus"), Value(Enumerator{2, ""}));
  const Record& answer = customer.at("Answers").records.at(0);
  EXPECT_EQ(answer.at("SelectedScalePositions").records.at(1).value("Value"),
            Value(std::int64_t{10}));
  EXPECT_EQ(answer.at("FileAnswers").records.at(0).value("Data"),
            Value(Bytes{std::string("\0\1\2", 3)}));
  EXPECT_EQ(customer.at("Data").records.at(0).value("Value"), Value("A-17"));
  EXPECT_EQ(write(customer, Format::json),
            R"({"Id":7,"Status":{"StatusCode":4,"StatusName":"Invited"},)"
            R"("DateInvited":"2026-11-01T09:00:00.5Z","OptedOut":false,)"
            R"("Answers":[{"BaseQuestionId":1200,"Text":"goed",)"
            R"("SelectedScalePositions":[{"Id":1,"Value":9},{"Id":2,"Value":10}],)"
            R"("FileAnswers":[{"Data":"AAEC"}]}],"FormStatus":2,"Email":"a@example.test",)"
            R"("Data":[{"CustomerDataColumnId":3,"Value":"A-17"}]})");
}

TEST(JsonPage, ReadsNamesWithoutRegardToCaseAndPassesOverWhatItDoesNotKnow) {
  const Record read = only(R"({"customers":[{"EMAIL":"a@example.test","id":7,
      "Extra":{"Id":9,"deep":[[{"Email":"no"}],"x",1e300,null]},"More":[1,2],"status":{"new":1,
      "statuscode":4}}],"Paging":{"NextCursor":"no"}})");
  EXPECT_EQ(write(read, Format::json),
            R"({"Id":7,"Status":{"StatusCode":4},"Email":"a@example.test"})");
}

TEST(JsonPage, ReadsNullAsAbsent) {
  EXPECT_EQ(only(one(R"("Id":null,"Status":null,"Answers":null,"Data":[],"Email":null)")),
            Record(customer()));
  EXPECT_EQ(outcome(R"({"Customers":null,"NextCursor":null})"), "page of 0");
  EXPECT_EQ(outcome(R"({"Customers":[]})"), "page of 0");
  EXPECT_EQ(outcome(R"({"NextCursor":""})"), "page of 0");
  EXPECT_EQ(outcome("{}"), "page of 0");
}

TEST(JsonPage, TellsOfAPageWithoutItsList) {
  EXPECT_FALSE(page(R"({"Customers":[]})").bare);
  EXPECT_FALSE(page(R"({"Customers":[],"Total":1})").bare);
  EXPECT_TRUE(page("{}").bare);
  EXPECT_TRUE(page(R"({"Customers":null,"NextCursor":null})").bare);
}

TEST(JsonPage, IsNoneWhereItSaysThatItHasFailed) {
  for (const std::string_view member :
       {R"("HasErrors":true)", R"("IsSuccessful":"False")", R"("IsValid":false)",
        R"("Status":"Failed")", R"("statusCode":503)", R"("Result":"Failure")",
        R"("error_description":"x")", R"("ErrorList":["x"])", R"("ExceptionMessage":"x")",
        R"("ModelState":{"a":["b"]})", R"("Message":"An error has occurred.")",
        R"("meta":{"status":500})", R"("ResponseStatus":{"ErrorCode":"x"})"})
    EXPECT_EQ(outcome(fmt::format(R"({{{},"Customers":[]}})", member)),
              ": expected an object with \"Customers\", got one that says that it has failed")
        << member;
  EXPECT_EQ(outcome("<R><Customers/><Status>Failed</Status></R>"),
            ": expected an object with \"Customers\", got one that says that it has failed");
  for (const std::string_view member :
       {R"("HasErrors":false)", R"("Status":"ok")", R"("statusCode":200)", R"("Errors":[])",
        R"("ErrorCode":"0")", R"("Message":"No errors")", R"("Skipped":100)", R"("Results":450)",
        R"("Status":{"Listed":450})", R"("meta":{"status":200,"message":""})",
        R"("done":false,"NextCursor":"c")"})
    EXPECT_EQ(outcome(fmt::format(R"({{{},"Customers":[]}})", member)), "page of 0") << member;
}

TEST(JsonPage, IsNotWholeWhereItSaysSoInFurtherWords) {
  for (const std::string_view member :
       {R"("ready":false)", R"("IsStale":true)", R"("LimitExceeded":true)", R"("NextPosition":"b")",
        R"("resumptionToken":"b")", R"("meta":{"next_key":"b"})"})
    EXPECT_THAT(outcome(fmt::format(R"({{{},"Customers":[]}})", member)),
                testing::HasSubstr("is not whole"))
        << member;
  EXPECT_EQ(page(R"({"Customers":[],"current_page":1,"last_page":3})").pages, 3);
  EXPECT_EQ(page(R"({"Customers":[],"lastPage":true,"last":1100})").pages, 0);
}

TEST(JsonPage, ReadsABlankCursorAsNone) {
  for (const auto* cursor : {"null", R"("")", R"("  \t\r\n")"}) {
    EXPECT_EQ(page(fmt::format(R"({{"Customers":[],"NextCursor":{}}})", cursor)).next_cursor, "");
  }
  EXPECT_EQ(page(R"({"Customers":[],"NextCursor":" x "})").next_cursor, " x ");
  EXPECT_EQ(page(R"({"Customers":[],"NextCursor":12})").next_cursor, "12");
}

TEST(JsonPage, ReadsRatingsBouncersStatusesAndDataColumns) {
  EXPECT_EQ(outcome(R"({"Ratings":[{"Id":1},{"Id":2}]})", "", "Ratings", rating()), "page of 2");
  EXPECT_EQ(outcome(R"({"Bouncers":[{"Reason":"full"}]})", "", "Bouncers", bouncer()), "page of 1");
  const auto statuses =
      page(R"({"Statuses":[{"StatusCode":1,"StatusName":"New"}]})", "", "Statuses", status());
  EXPECT_EQ(statuses.records.at(0).value("StatusName"), Value("New"));
  const auto columns = page(R"({"CustomerDataColumns":[{"Id":3,"Required":true,"Name":"Order"}]})",
                            "", "CustomerDataColumns", data_column());
  EXPECT_EQ(columns.records.at(0).value("Required"), Value(true));
}

TEST(JsonPage, TellsWhenAnInstantWasFinerThanStored) {
  EXPECT_FALSE(page(one(R"("OpenDate":"2026-11-01T10:00:00.1234560Z")")).finer_than_stored);
  EXPECT_TRUE(page(one(R"("OpenDate":"2026-11-01T10:00:00.1234567Z")")).finer_than_stored);
}

TEST(JsonPage, RefusesWithThePlaceInTheDocument) {
  const struct {
    std::string_view body, expected;
  } cases[] = {
      {R"({"Customers":[{},{},{},{"Status":{"StatusCode":"x"}}]})",
       R"(Customers[3].Status.StatusCode: expected integer, got "x")"},
      {R"({"Customers":[{"Answers":[{},{"SelectedScalePositions":[{"Value":true}]}]}]})",
       R"(Customers[0].Answers[1].SelectedScalePositions[0].Value: expected integer, got true)"},
      {R"({"customers":[{"id":1.5}]})", "Customers[0].Id: expected integer, got 1.5"},
      {R"({"Customers":[{"Id":{}}]})", "Customers[0].Id: expected integer, got an object"},
      {R"({"Customers":[{"Id":[1]}]})", "Customers[0].Id: expected integer, got a list"},
      {R"({"Customers":[{"Email":{"x":1}}]})", "Customers[0].Email: expected text, got an object"},
      {R"({"Customers":[{"Status":[]}]})", "Customers[0].Status: expected an object, got a list"},
      {R"({"Customers":[{"Status":4}]})",
       "Customers[0].Status: expected an object, got a single value"},
      {R"({"Customers":{"Id":1}})", "Customers: expected a list, got an object"},
      {R"({"Customers":"x"})", "Customers: expected a list, got a single value"},
      {R"({"Customers":[null]})", "Customers[0]: expected an object, got null"},
      {R"({"Customers":[{},7]})", "Customers[1]: expected an object, got a single value"},
      {R"({"Customers":[{},[]]})", "Customers[1]: expected an object, got a list"},
      {R"({"Customers":[],"NextCursor":{}})", "NextCursor: expected text, got an object"},
      {R"([{"Id":1}])", ": expected an object, got a list"},
      {R"("text")", ": expected an object, got a single value"},
      {R"({"Message":"An error has occurred."})",
       R"(: expected an object with "Customers", got an object with none of its members)"},
  };
  for (const auto& [body, expected] : cases)
    EXPECT_EQ(outcome(body), expected) << body;
}

TEST(JsonPage, RefusesAMemberThatComesTwice) {
  EXPECT_EQ(outcome(one(R"("Email":"a","Email":"b")")),
            "Customers[0].Email: came twice in one object");
  EXPECT_EQ(outcome(one(R"("Email":"a","email":"a")")),
            "Customers[0].Email: came twice in one object");
  EXPECT_EQ(outcome(R"({"Customers":[],"Customers":[]})"), "Customers: came twice in one object");
  EXPECT_EQ(outcome(one(R"("unknown":1,"unknown":2)")), "page of 1");
  EXPECT_EQ(outcome(R"({"Customers":[{"Id":1},{"Id":1}]})"), "page of 2");
}

TEST(JsonPage, RefusesWhatIsCutOffWhereverItIs) {
  const std::string whole = one(R"("Id":7,"Email":"é\n","Status":{"StatusCode":-4},"Data":[{}])");
  ASSERT_EQ(outcome(whole), "page of 1");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_NE(outcome(whole.substr(0, size)).find(fmt::format("cut off after {} bytes", size)),
              std::string::npos)
        << whole.substr(0, size) << "\n"
        << outcome(whole.substr(0, size));
  }
  EXPECT_EQ(outcome(R"({"Customers":[{"Id":1},{"Status":{"StatusCode":)"),
            "Customers[1].Status.StatusCode: cut off after 47 bytes");
}

TEST(JsonPage, RefusesWhatIsNotJsonWithoutQuotingIt) {
  const struct {
    std::string_view body, expected;
  } cases[] = {
      {R"({"Customers":[{"Email":"jan@example.test" "Id"}]})",
       "Customers[0].Email: not JSON at byte 43"},
      {R"({"Customers":[],})", "Customers: not JSON at byte 17"},
      {R"({"Customers":[]}{})", ": not JSON at byte 17"},
      {R"({'Customers':[]})", ": not JSON at byte 2"},
      {R"({"Customers":[{"Id":01}]})", "Customers[0].Id: not JSON at byte 22"},
      {R"({"Customers":[{"Id":NaN}]})", "Customers[0].Id: not JSON at byte 21"},
      {"{\"Customers\":[{\"Email\":\"a\nb\"}]}", "Customers[0].Email: not JSON at byte 26"},
      {"{\"Customers\":[{\"Email\":\"a\xC3(\"}]}", "Customers[0].Email: not UTF-8 at byte 27"},
      {"{\"Customers\":[{\"Email\":\"\xED\xA0\x80\"}]}",
       "Customers[0].Email: not UTF-8 at byte 26"},
      {R"({"Customers":[{"Email":"\ud83d"}]})",
       "Customers[0].Email: half a surrogate pair at byte 31"},
      {R"({"Customers":[{"Email":"\ude00"}]})",
       "Customers[0].Email: half a surrogate pair at byte 30"},
      {R"({"Customers":[{"Extra":1e999}]})", "Customers[0]: number too large at byte 28"},
      {{"{\"Customers\":[]}\0garbage", 24}, ": not JSON at byte 17"},
      {"// no\n{}", ": expected an object with \"Customers\", got neither JSON nor XML"},
  };
  for (const auto& [body, expected] : cases)
    EXPECT_EQ(outcome(body), expected) << body;
}

TEST(JsonPage, KeepsEscapesEmojiAndControlCharacters) {
  const Record read = only(one(R"("Email":"\ud83d\ude00 \u00e9\u0001\r\n\"\\\/")"));
  EXPECT_EQ(read.value("Email"), Value("😀 é\x01\r\n\"\\/"));
  EXPECT_EQ(only(one(R"("Email":"a\u0000b\u0000")")).value("Email"), Value("a\uFFFDb\uFFFD"));
}

TEST(JsonPage, KeepsANumberInATextFieldAsItWasWritten) {
  for (const auto* number : {"0", "-0", "-17", "1.50", "1E+2", "-0.0", "18446744073709551615",
                             "123456789012345678901234567890"}) {
    EXPECT_EQ(only(one(fmt::format("\"Email\":{}", number))).value("Email"), Value(number));
  }
  EXPECT_EQ(outcome(one(R"("Id":18446744073709551615)")),
            "Customers[0].Id: expected integer of 64 bits, got 18446744073709551615");
  EXPECT_EQ(outcome(one(R"("Extra":123456789012345678901234567890)")), "page of 1");
}

TEST(JsonPage, IsBoundedInBytesDepthAndItems) {
  Reading small = kReading;
  small.limits = {200, 4, 3};
  const auto read = [&](std::string_view body) {
    return outcome(body, "", "Customers", customer(), small);
  };
  EXPECT_EQ(read(R"({"Customers":[{},{},{}]})"), "page of 3");
  EXPECT_EQ(read(R"({"Customers":[{},{},{},{}]})"), "Customers[3]: more than 3 items in one body");
  EXPECT_EQ(read(R"({"Customers":[{"Data":[]},{"Data":[]},{"Data":[]}]})"), "page of 3");
  EXPECT_EQ(read(R"({"Customers":[{"x":[]}]})"), "page of 1");
  EXPECT_EQ(read(R"({"Customers":[{"x":[[]]}]})"), "Customers[0]: nested more than 4 deep");
  EXPECT_EQ(read(R"({"Customers":[{"Data":[{}]}]})"), "Customers[0].Data: nested more than 4 deep");
  EXPECT_EQ(read("{\"x\":\"" + std::string(200, 'x') + "\"}"),
            ": 208 bytes, more than the 200 that are read");
}

TEST(JsonPage, RefusesTenThousandLevels) {
  const std::string deep(10'000, '[');
  EXPECT_EQ(outcome(R"({"Customers":[],"x":)" + deep), ": nested more than 64 deep");
  EXPECT_EQ(outcome(deep), ": expected an object, got a list");
}

}  // namespace
}  // namespace surveybridge::mapping
