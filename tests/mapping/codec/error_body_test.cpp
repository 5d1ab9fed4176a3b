#include <gtest/gtest.h>

#include "mapping/codec/codec.hpp"

namespace surveybridge::mapping {
namespace {

using Indexes = std::vector<std::size_t>;

struct BodyCase {
  std::string_view type, body, message;
  Indexes customers;
};

void check(std::initializer_list<BodyCase> cases) {
  for (const auto& [type, body, message, customers] : cases) {
    const ServiceError error = read_error(body, type);
    EXPECT_EQ(error.message, message) << body;
    EXPECT_EQ(error.customers, customers) << body;
  }
}

TEST(ErrorBody, ReadsAModelState) {
  check({{"application/json",
          R"({"Message":"The request is invalid.","ModelState":{
              "request.Customers[3].Email":["Not an address.","Too long."],
              "request.Customers[12].Data[0].Value":["Missing."]}})",
          "The request is invalid. request.Customers[3].Email: Not an address. "
          "request.Customers[3].Email: Too long. request.Customers[12].Data[0].Value: Missing.",
          {3, 12}}});
}

TEST(ErrorBody, ReadsTheSameAsXml) {
  check({{"text/xml",
          "<Error><Message>The request is invalid.</Message><ModelState>"
          "<request.Customers_x005B_3_x005D_.Email>Not an address."
          "</request.Customers_x005B_3_x005D_.Email></ModelState></Error>",
          "The request is invalid. request.Customers[3].Email: Not an address.",
          {3}},
         {"application/xml",
          "<ns:Error xmlns:ns=\"urn:x\"><ns:Message>No &amp; never: Customers[1]</ns:Message>"
          "</ns:Error>",
          "No & never: Customers[1]",
          {1}}});
}

TEST(ErrorBody, ReadsProblemJson) {
  check({{"application/problem+json",
          R"({"type":"https://example.test/Customers/9","title":"Validation failed","status":400,
              "errors":{"Customers[0].Email":["Bad."],"$.customers[2].Priority":["Not a number."]},
              "traceId":"00-ab-01"})",
          "Validation failed Customers[0].Email: Bad. $.customers[2].Priority: Not a number.",
          {0, 2}},
         {"",
          R"({"error":"invalid_client","error_description":"Unknown client."})",
          "invalid_client Unknown client.",
          {}}});
}

TEST(ErrorBody, ReadsBareStringsPlainTextAndNothing) {
  check({{"application/json", R"("Customers[4] has no e-mail")", "Customers[4] has no e-mail", {4}},
         {"text/plain", "Customers[4]\r\n  has\tno e-mail\n", "Customers[4] has no e-mail", {4}},
         {"<string>", "<string xmlns=\"urn:x\">Too many</string>", "Too many", {}},
         {"", "", "", {}},
         {"application/json", " \r\n ", "", {}},
         {"application/json", "null", "", {}},
         {"application/json", "\xEF\xBB\xBF\"x\"", "x", {}}});
}

TEST(ErrorBody, ReadsTheWordsOfAGatewaysPage) {
  check({{"text/html",
          "<html><head><title>502 Bad Gateway</title><style>p{color:red}</style>"
          "<script>if (a < b) alert('x')</script></head>\n<body><h1>502</h1><!-- x --></body>",
          "502 Bad Gateway 502",
          {}},
         {"application/json", "<!DOCTYPE html><p>Down for work", "Down for work", {}},
         {"text/html", "<html><script>never closed", "", {}}});
}

TEST(ErrorBody, ReadsABodyOfAnotherTypeAsPlainText) {
  check({{"application/json", "{\"Message\":\"cut o", "{\"Message\":\"cut o", {}},
         {"application/json", "Bad Request: Customers[1]", "Bad Request: Customers[1]", {1}},
         {"application/xml", "<Error><Message>x", "<Error><Message>x", {}},
         {"application/json", "\xFF\xFE", "(a text that is not UTF-8)", {}}});
}

TEST(ErrorBody, FindsTheIndexInEveryForm) {
  const struct {
    std::string_view text;
    Indexes customers;
  } cases[] = {
      {"Customers[3]", {3}},
      {"customers[3].Email", {3}},
      {"request.Customers[3].Email", {3}},
      {"CUSTOMERS[0]", {0}},
      {"/Customers/3/Email", {3}},
      {"#/customers/3", {3}},
      {"Customers[5], Customers[1] and Customers[5]", {1, 5}},
      {"Customers[199999]", {199999}},
      {"customers.3.email", {3}},
      {"$.Customers[3].Email", {3}},
      {"body/Customers/3/Email: bad", {3}},
      {"Customers", {}},
      {"Customers[", {}},
      {"Customers[3", {}},
      {"Customers[]", {}},
      {"Customers[-1]", {}},
      {"Customers[x]", {}},
      {"Customers[3 ]", {}},
      {"Customers[9999999]", {}},
      {"Customers[99999999999999999999]", {}},
      {"Customers/3a", {}},
      {"Customers/1234567", {}},
      {"MyCustomers[3]", {}},
      {"my_customers[3]", {}},
      {"Customer[3]", {}},
      {"Customers 3", {}},
      {"Customers.Answers[3]", {}},
      {"'https://crm.example/customers/17' is no valid Link", {}},
      {"https://crm.example/customers/17", {}},
      {"The path /customers/17 is no valid Link, says Customers[2]", {2}},
      {"See customers.3.example", {}},
  };
  for (const auto& [text, customers] : cases) {
    EXPECT_EQ(read_error(text, "text/plain").customers, customers) << text;
  }
}

TEST(ErrorBody, FindsTheCustomersOfEveryUsualNotation) {
  const struct {
    std::string_view body;
    Indexes customers;
  } cases[] = {
      {R"({"errors":[{"index":1,"field":"Email","message":"bad"}]})", {1}},
      {R"({"errors":[{"index":"1"},{"index":4}]})", {1, 4}},
      {R"({"errors":[{"CustomerIndex":0,"message":"bad"}]})", {0}},
      {R"({"errors":[{"source":{"pointer":"/Customers/3/Email"},"detail":"bad"}]})", {3}},
      {R"({"detail":[{"loc":["body","Customers",3,"Email"],"msg":"bad"}]})", {3}},
      {R"({"errors":[{"path":["customers","3"],"message":"bad"}]})", {3}},
      {R"({"errors":{"Customers":{"3":{"Email":["bad"]},"5":["bad"]}}})", {3, 5}},
      {R"({"errors":{"customers.3.email":["bad"]}})", {3}},
      {R"({"field":"Customers","count":3})", {}},
      {R"({"Message":"'https://crm.example/customers/17' is no valid Link"})", {}},
  };
  for (const auto& [body, customers] : cases)
    EXPECT_EQ(read_error(body, "application/json").customers, customers) << body;
}

// Then the batch is halved.
TEST(ErrorBody, NamesNobodyWhereOneEntryIsNotUnderstood) {
  for (const std::string_view body :
       {R"({"errors":[{"index":1,"message":"bad"},{"email":"x@example.test","message":"bad"}]})",
        R"({"errors":[{"row":3,"message":"bad"}]})",
        R"({"errors":[{"line":2,"message":"Customers[1] is bad"},{"line":4,"message":"bad"}]})",
        R"({"Customers":[{"Email":"x@example.test","error":"bad"}]})",
        R"({"errors":[{"id":17,"message":"bad"}]})"})
    EXPECT_EQ(read_error(body, "application/json").customers, Indexes{}) << body;
}

TEST(NamedRefusal, IsFoundInWhatSaysDone) {
  for (const std::string_view body :
       {R"({"success":false,"imported":5,"failed":1,"errors":[{"index":1}]})",
        R"({"Success":"false"})", R"({"isSuccess":0})", R"({"errors":["bad"]})",
        R"({"data":null,"errors":[{"message":"bad"}]})", R"({"failed":2})", R"({"error":true})",
        R"({"results":[{"index":0,"status":200},{"index":1,"status":422}]})",
        R"({"status":"failed"})", R"({"ModelState":{"Customers[3].Email":["bad"]}})",
        "<Result><Success>false</Success></Result>",
        "<Result><Errors><Error>bad</Error></Errors></Result>", "false", " false\n",
        "<boolean>false</boolean>", R"({"isError":true})", R"("{\"success\":false}")",
        R"(<string>{"success":false}</string>)"})
    EXPECT_NE(named_refusal(body, "").words, "") << body;
}

TEST(NamedRefusal, IsNotFoundWhereNothingWasRefused) {
  for (const std::string_view body :
       {"", "null", "[]", "{}", "\"ok\"", "OK", R"({"success":true,"errors":[]})",
        R"({"Success":"true","Errors":null,"failed":0,"error":""})", R"({"error":false})",
        R"({"errors":{"count":0}})", R"({"status":"ok"})", R"({"status":200,"imported":6})",
        R"({"results":[{"status":201}]})", "<Result><Success>true</Success><Errors/></Result>",
        R"({"message":"no errors"})"})
    EXPECT_EQ(named_refusal(body, "").words, "") << body;
  for (const std::string_view body :
       {"true", R"({"isError":false})", R"("{\"success\":true}")", R"("[3] were added")",
        "<Result><Errors> None </Errors></Result>", "12 were added"})
    EXPECT_EQ(named_refusal(body, "").words, "") << body;
}

TEST(NamedRefusal, IsFoundInEveryUsualWord) {
  for (const std::string_view body :
       {R"({"status":"fail","data":{"Email":"bad"}})", R"({"status":false})", R"({"code":422})",
        R"({"ErrorCode":17,"Message":"x"})", R"({"isSuccessful":false})", R"({"result":"failed"})",
        R"({"failureCount":3})", "<R><Status>\n Failed\n</Status></R>"})
    EXPECT_NE(named_refusal(body, "").words, "") << body;
  EXPECT_NE(named_refusal("ERROR 17: quota exceeded", "text/plain").words, "");
  for (const std::string_view body :
       {R"({"status":"ok","code":200,"ErrorCode":0})", R"({"status":0,"exception":null})"})
    EXPECT_EQ(named_refusal(body, "").words, "") << body;
}

TEST(NamedRefusal, IsFoundInEveryUsualPlace) {
  for (const std::string_view body :
       {R"({"results":[{"status":201},{"status":"409 Conflict"}]})",
        "<m><response><status>HTTP/1.1 422 Unprocessable Entity</status></response></m>",
        R"({"ExceptionType":"System.NullReferenceException","Message":"An error has occurred."})",
        R"({"d":"{\"success\":false}"})", R"("Error: no such batch")", R"(<R success="false"/>)",
        R"(<R><Row index="1" status="422"/></R>)"})
    EXPECT_NE(named_refusal(body, "").words, "") << body;
  EXPECT_NE(named_refusal(R"({"title":"x"})", "application/problem+json; charset=utf-8").words, "");
  EXPECT_NE(named_refusal("Service temporarily unavailable", "text/plain").words, "");
  EXPECT_EQ(named_refusal(R"({"success":false})", "").words, R"("success": false or the like)");
  for (const std::string_view body :
       {R"({"results":[{"status":"201 Created"}]})", "<R><status>HTTP/1.1 200 OK</status></R>",
        R"({"d":"{\"success\":true}"})", R"(<R success="true" errors="0"/>)",
        R"("3 were added, 0 errors")", R"({"note":"[errors] none"})"})
    EXPECT_EQ(named_refusal(body, "").words, "") << body;
}

TEST(NamedRefusal, IsFoundWhateverWordsItsNameJoins) {
  for (const std::string_view body :
       {R"({"FailedItems":[{"Email":"x"}]})",
        R"({"failed_records":1})",
        R"({"RejectedCustomers":[{"Index":0}]})",
        R"({"total_rejected_recipients":2})",
        R"({"InvalidEmails":["x"]})",
        R"({"invalids":["x"]})",
        R"({"imported":1,"skipped":1})",
        R"({"Imported":1,"Ignored":2})",
        R"({"added":2,"duplicates":1})",
        R"({"NotImported":2})",
        R"({"UnprocessedItems":[{"x":1}]})",
        R"({"error_indices":[0]})",
        R"({"numErrors":1})",
        R"({"NumberOfErrors":1})",
        R"({"errorsByRow":{"0":"x"}})",
        R"({"IsValid":false})",
        R"({"HasFailed":true})",
        R"({"ValidationMessages":["Email is invalid"]})",
        R"({"ResultCode":-1})",
        R"({"ReturnCode":"ERR"})",
        R"({"Status":"KO"})",
        R"({"status":"CompletedWithErrors"})",
        R"({"status":"bad_request"})",
        R"({"items":[{"responseStatus":422}]})",
        R"({"statuses":["201","422"]})",
        R"({"Imported":0})",
        R"({"SuccessCount":0})",
        R"({"Saved":"N"})",
        R"({"Message":"An error has occurred."})",
        R"({"message":"System under maintenance"})",
        "<R><FailedCustomers><C><Index>0</Index></C></FailedCustomers></R>",
        R"(<R imported="0"/>)",
        R"("Import failed")",
        R"("0 customers imported")"})
    EXPECT_NE(named_refusal(body, "").words, "") << body;
  for (const std::string_view body :
       {"Import failed for 2 customers", "Not OK", "NOK", "KO", "We are down for maintenance",
        "0 customers imported", "Imported: 0", "Imported 0, failed 2"})
    EXPECT_NE(named_refusal(body, "text/plain").words, "") << body;
}

TEST(NamedRefusal, IsNotFoundInSettingsLinksAndCountsOfNone) {
  for (const std::string_view body :
       {R"({"Imported":3,"Failed":0,"Skipped":0,"Invalid":[],"Rejected":"none","Errors":{}})",
        R"({"AllowDuplicateEmail":true,"failOnError":true,"errorsUrl":"/errors"})",
        R"({"errorCode":"SUCCESS","errorRate":0.0})", R"({"jobId":5,"status":"queued"})",
        R"({"Code":"OK","Result":"Accepted","State":"Open","Success":1})",
        R"({"BatchId":400,"Id":500,"index":0,"Result":450})",
        R"({"message":"3 customers were added. No customers failed."})",
        R"({"Customers":[{"OptedOut":false,"Status":{"StatusCode":10,"StatusName":"New"}}]})"})
    EXPECT_EQ(named_refusal(body, "").words, "") << body;
  for (const std::string_view body :
       {"3 of 3 customers imported without errors.", "Imported: 3 Failed: 0 Rejected: 0",
        "No Content", "10 added, 0 failed"})
    EXPECT_EQ(named_refusal(body, "text/plain").words, "") << body;
}

TEST(NamedRefusal, IsNotKnownWhereTheBodyCannotBeRead) {
  const struct {
    std::string_view type, body;
  } cases[] = {
      {"application/json", "Notice: x\n{\"success\":false}"},
      {"application/json", "{\"Message\":\"caf\xE9\",\"success\":false}"},
      {"text/plain", R"({"imported":3)"},
      {"", R"({"imported":3} {"success":false})"},
      {"", std::string_view("{}\0{\"success\":false}", 20)},
      {"", "<Result><Message>f&uuml;r</Message><Success>false</Success></Result>"},
  };
  for (const auto& [type, body] : cases)
    EXPECT_FALSE(named_refusal(body, type).is_read) << body;
  for (const std::string_view type : {"application/json", "application/xml"})
    EXPECT_TRUE(named_refusal("OK, 3 added", type).is_read) << "plain words";
  for (const std::string_view body :
       {"", " \r\n", "OK", "Notice: x\n{\"success\":false}", R"({"imported":3})", "\"[3] added\"",
        "<Result><Success>true</Success></Result>"})
    EXPECT_TRUE(named_refusal(body, "text/plain").is_read) << body;
}

TEST(ErrorBody, KeepsTheMessageShortAndWhole) {
  std::string many;
  for (int i = 0; i < 5000; ++i)
    many += "é";
  const auto message = read_error("\"" + many + "\"", "application/json").message;
  EXPECT_TRUE(message == many.substr(0, 1000) + "…") << message.size();
  EXPECT_LE(read_error("[\"" + many + "\",\"" + many + "\"]", "").message.size(), 1003U);
}

// Without the limit this would take minutes: each text would be read once more for a common name.
TEST(ErrorBody, ReadsNoNameLongerThanAnyPathIs) {
  std::string body = "{\"" + std::string(400'000, 'x') + "Customers[7]\":[\"Customers[3]\"";
  for (int i = 0; i < 200'000; ++i)
    body += ",\"\"";
  EXPECT_EQ(read_error(body + "]}", "application/json").customers, Indexes{3});
}

TEST(ErrorBody, SurvivesDepthAndSize) {
  EXPECT_LE(read_error(std::string(100'000, '['), "application/json").message.size(), 1003U);
  EXPECT_LE(read_error(std::string(3'000'000, 'x'), "").message.size(), 1003U);
  std::string deep;
  for (int i = 0; i < 10'000; ++i)
    deep += "<a>";
  EXPECT_LE(read_error(deep, "application/xml").message.size(), 1003U);
}

}  // namespace
}  // namespace surveybridge::mapping
