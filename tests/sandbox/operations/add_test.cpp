#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kFault = 11, kScheduled = 2, kImported = 1;

TEST(Add, StoresWhatItWasGiven) {
  TurnedWorld world(still());
  Json one = customer("Anna@Example.test", "o-1");
  one["TransactionDate"] = "2026-02-28T23:30:00.123456+01:00";
  one["Priority"] = 3;
  ASSERT_EQ(world.add(batch({one})).status, 200);
  const auto held = world.service.customers();
  ASSERT_THAT(held, SizeIs(1));
  EXPECT_EQ(held[0].email, "Anna@Example.test");
  EXPECT_THAT(held[0].data, ElementsAre(testing::Pair("OrderNumber", "o-1")));
  const Json row = world.ask("/external/api/v3/customer")["Customers"][0];
  EXPECT_EQ(row["TransactionDate"], "2026-02-28T22:30:00.123456Z");
  EXPECT_EQ(row["Priority"], 3);
  EXPECT_EQ(row["Status"]["StatusName"], "Scheduled");
}

TEST(Add, FillsAMissingTransactionDateWithNow) {
  TurnedWorld world(still());
  Json null_date = customer("b@example.test");
  null_date["TransactionDate"] = nullptr;
  ASSERT_EQ(world.add(batch({customer("a@example.test"), null_date})).status, 200);
  for (const Held& held : world.service.customers())
    EXPECT_EQ(held.transaction_date, kStart);
}

TEST(Add, TakesTwoHundredAndRefusesMore) {
  TurnedWorld world(still());
  EXPECT_EQ(world.add(batch_of(200)).status, 200);
  EXPECT_THAT(places(world.add(batch_of(201))), ElementsAre("request.Customers"));
  EXPECT_THAT(world.service.customers(), SizeIs(200));
}

TEST(Add, NamesTheCustomerThatLacksARequiredColumn) {
  Options options = still();
  options.columns = {{1, "OrderNumber", "Order number", true, false},
                     {2, "FirstName", "First name", false, false}};
  TurnedWorld world(options);
  Json null_value = customer("c@example.test", "x");
  null_value["Data"][0]["Value"] = nullptr;
  const Reply reply =
      world.add(batch({customer("a@example.test", "1"), customer("b@example.test"), null_value}));
  EXPECT_THAT(places(reply), ElementsAre("request.Customers[1].Data", "request.Customers[2].Data"));
  EXPECT_NE(reply.body.find("OrderNumber"), std::string::npos);
  EXPECT_THAT(world.service.customers(), IsEmpty());
}

TEST(Add, RefusesColumnsThatAreUnknownArchivedOrTwice) {
  TurnedWorld world(still());
  const auto with = [](const char* data) {
    Json one = customer("a@example.test");
    one["Data"] = Json::parse(data);
    return batch({one});
  };
  const std::string id = "request.Customers[0].Data[0].CustomerDataColumnId";
  EXPECT_THAT(places(world.add(with(R"([{"CustomerDataColumnId":77,"Value":"x"}])"))),
              ElementsAre(id));
  EXPECT_THAT(places(world.add(with(R"([{"CustomerDataColumnId":9,"Value":"x"}])"))),
              ElementsAre(id));
  EXPECT_THAT(places(world.add(with(R"([{"Name":"OrderNumber","Value":"x"}])"))), ElementsAre(id));
  EXPECT_THAT(places(world.add(with(R"([{"CustomerDataColumnId":1,"Value":"x"},
                                        {"CustomerDataColumnId":1,"Value":"y"}])"))),
              ElementsAre("request.Customers[0].Data"));
  EXPECT_THAT(world.service.customers(), IsEmpty());
}

// XML 1.0 cannot hold these characters, not even escaped: a list in XML could not be read.
TEST(Add, RefusesACharacterThatXmlCannotHold) {
  TurnedWorld world(still());
  for (const char* text : {"bell\x07", "escape\x1b[2J", "\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    EXPECT_THAT(places(world.add(batch({customer("a@example.test", text)}))),
                ElementsAre("request.Customers[0].Data[0].Value"));
  }
  EXPECT_THAT(places(world.add(batch({customer(std::string("a\0@example.test", 15))}))),
              ElementsAre("request.Customers[0].Email"));
  EXPECT_EQ(
      world.add(batch({customer("a@example.test", "tab\t, line\r\n, \x7f, \xEF\xBF\xBD")})).status,
      200);
}

// Every date-time that is stored can be written again with four digits for its year.
TEST(Add, RefusesADateOutsideOfTheYears1To9999) {
  TurnedWorld world(still());
  const auto at = [](const char* date) {
    Json one = customer("a@example.test");
    one["TransactionDate"] = date;
    return batch({one});
  };
  for (const char* date : {"0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00+00:01",
                           "0000-06-01T00:00:00Z", "9999-12-31T23:59:59-00:01"}) {
    EXPECT_THAT(places(world.add(at(date))), ElementsAre("request.Customers[0].TransactionDate"))
        << date;
  }
  for (const char* date :
       {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00-14:00", "9999-12-31T23:59:59.999999Z"}) {
    EXPECT_EQ(world.add(at(date)).status, 200) << date;
  }
}

struct BadMember {
  const char* customer;
  const char* place;
};

class BadCustomer : public testing::TestWithParam<BadMember> {};

TEST_P(BadCustomer, IsRefusedWithItsPlace) {
  TurnedWorld world(still());
  const Json bad = Json::parse(GetParam().customer);
  const Reply reply = world.add(batch({customer("first@example.test"), bad}));
  EXPECT_THAT(places(reply), ElementsAre("request.Customers[1]" + std::string(GetParam().place)));
  EXPECT_THAT(world.service.customers(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Types, BadCustomer,
    testing::Values(
        BadMember{R"({"Email":3})", ".Email"}, BadMember{R"({"Email":["a@b.test"]})", ".Email"},
        BadMember{R"({"PhoneNumber":31201234567})", ".PhoneNumber"},
        BadMember{R"({"TransactionDate":"yesterday"})", ".TransactionDate"},
        BadMember{R"({"TransactionDate":"2026-02-30T10:00:00Z"})", ".TransactionDate"},
        BadMember{R"({"TransactionDate":"2026-02-20T10:00:00"})", ".TransactionDate"},
        BadMember{R"({"TransactionDate":1772452800})", ".TransactionDate"},
        BadMember{R"({"SendDate":"2026-02-20T25:00:00Z"})", ".SendDate"},
        BadMember{R"({"EndDate":true})", ".EndDate"}, BadMember{R"({"Priority":"3"})", ".Priority"},
        BadMember{R"({"Priority":1.5})", ".Priority"},
        BadMember{R"({"Priority":9223372036854775808})", ".Priority"},
        BadMember{R"({"PreviousId":"x"})", ".PreviousId"},
        BadMember{R"({"CopyAllAnswers":1})", ".CopyAllAnswers"},
        BadMember{R"({"AnswersToCopy":[1,"2"]})", ".AnswersToCopy[1]"},
        BadMember{R"({"AnswersToCopy":{"int":1}})", ".AnswersToCopy"},
        BadMember{R"({"Data":{}})", ".Data"},
        BadMember{R"({"Data":[{"CustomerDataColumnId":"1"}]})", ".Data[0].CustomerDataColumnId"},
        BadMember{R"({"Data":[{"CustomerDataColumnId":1,"Value":7}]})", ".Data[0].Value"},
        BadMember{R"({"Data":[[]]})", ".Data[0]"},
        BadMember{R"({"Answers":[{}]})", ".Answers[0].BaseQuestionId"},
        BadMember{R"({"Answers":[{"BaseQuestionId":1,"SelectedScalePositions":[{"Value":"9"}]}]})",
                  ".Answers[0].SelectedScalePositions[0].Value"},
        BadMember{R"({"Answers":[{"BaseQuestionId":1,"FileAnswers":[{"Data":"no base64!"}]}]})",
                  ".Answers[0].FileAnswers[0].Data"},
        BadMember{R"({"Answers":[{"BaseQuestionId":1,"DateAnswered":"now"}]})",
                  ".Answers[0].DateAnswered"},
        BadMember{R"({"email":"a@b.test"})", ".email"}, BadMember{R"({"Shoe":"43"})", ".Shoe"}));

TEST(Add, RefusesABodyThatIsNoBatch) {
  TurnedWorld world(still());
  const std::vector<std::string> bodies = {"",
                                           "{",
                                           "[]",
                                           "null",
                                           "{}",
                                           R"({"Customers":[]})",
                                           R"({"Customers":"x"})",
                                           "{\"BatchName\":\"\xff\"}",
                                           R"({"Customers":[{}],"Customers":[{}]})",
                                           std::string(10000, '['),
                                           "<a/>"};
  for (const std::string& body : bodies) {
    EXPECT_EQ(world.send("POST", TurnedWorld::kAdd, body).status, 400) << body.substr(0, 60);
  }
  EXPECT_THAT(world.service.customers(), IsEmpty());
  EXPECT_EQ(world.service.adds(), static_cast<std::int64_t>(bodies.size()));
}

TEST(Add, GivesAnInvalidAddressAFaultStatus) {
  TurnedWorld world(still());
  const Json none = {{"PhoneNumber", "020"}};
  const std::vector<Json> bad = {customer("plain"),
                                 customer("a@b"),
                                 customer("a b@example.test"),
                                 customer("@example.test"),
                                 customer("a..b@example.test"),
                                 none,
                                 customer(std::string(65, 'x') + "@example.test")};
  ASSERT_EQ(world.add(batch(bad)).status, 200);
  for (const Held& held : world.service.customers()) {
    EXPECT_EQ(held.status_code, kFault) << held.email;
  }
}

TEST(Add, TakesUnusualAddresses) {
  TurnedWorld world(still());
  const std::string longest = std::string(64, 'x') + "@" + std::string(63, 'y') + "." +
                              std::string(63, 'z') + "." + std::string(56, 'w') + ".test";
  ASSERT_EQ(longest.size(), 254U);
  const std::vector<Json> good = {customer("o'brien+tag@example.test"),
                                  customer("jürgen@exämple.test"), customer("a@x.y.z.example.test"),
                                  customer(longest)};
  ASSERT_EQ(world.add(batch(good)).status, 200);
  for (const Held& held : world.service.customers()) {
    EXPECT_EQ(held.status_code, kScheduled) << held.email;
  }
}

TEST(Add, RefusesTheSameAddressTwiceUnlessAllowed) {
  TurnedWorld world(still());
  Json twins = batch({customer("twin@example.test"), customer("TWIN@Example.test")});
  EXPECT_THAT(places(world.add(twins)), ElementsAre("request.Customers[1].Email"));
  twins["AllowDuplicateEmail"] = true;
  EXPECT_EQ(world.add(twins).status, 200);
  EXPECT_EQ(world.add(batch({customer("twin@example.test")})).status, 200) << "another batch";
}

TEST(Add, KnowsTheTypesOfABatch) {
  TurnedWorld world(still());
  int portals = 0;
  for (const char* type : {"0", "1", "email", "portal"}) {
    Json one = batch_of(1);
    one["TypeBatch"] = type;
    EXPECT_EQ(world.add(one).status, 200) << type;
  }
  const Json rows1 = world.ask("/external/api/v3/customer")["Customers"];
  for (const Json& row : rows1) {
    portals += row["Batch"]["TypeBatch"] == "portal";
  }
  EXPECT_EQ(portals, 2);
  for (const char* type : {"2", "Email", "", " email"}) {
    Json one = batch_of(1);
    one["TypeBatch"] = type;
    EXPECT_THAT(places(world.add(one)), ElementsAre("request.TypeBatch")) << type;
  }
}

TEST(Add, ChecksTheSettingsOfABatch) {
  TurnedWorld world(still());
  const auto with = [](const char* name, const Json& value) {
    Json one = batch_of(1);
    one[name] = value;
    return one;
  };
  EXPECT_THAT(places(world.add(with("IsTest", "true"))), ElementsAre("request.IsTest"));
  EXPECT_THAT(places(world.add(with("SendTime", "10:00"))), ElementsAre("request.SendTime"));
  EXPECT_THAT(places(world.add(with("NotificationEmailAddresses", "a@b.test, x"))),
              ElementsAre("request.NotificationEmailAddresses"));
  EXPECT_EQ(world.add(with("NotificationEmailAddresses", "a@b.test, c@d.test")).status, 200);
  EXPECT_THAT(places(world.add(with("Batchname", "x"))), ElementsAre("request.Batchname"));
}

TEST(Add, MarksAConceptAsATest) {
  TurnedWorld world(still());
  Json one = batch_of(1);
  one["IsConcept"] = true;
  ASSERT_EQ(world.add(one).status, 200);
  EXPECT_TRUE(world.service.customers()[0].test);
  const Json row = world.ask("/external/api/v3/customer?IncludeTestRecords=true")["Customers"][0];
  EXPECT_EQ(row["IsConcept"], true);
  EXPECT_EQ(row["Batch"]["IsTest"], true);
}

TEST(Add, LetsABatchWaitForAnOperator) {
  TurnedWorld world;
  Json one = batch_of(20);
  one["ApproveAutomatically"] = false;
  ASSERT_EQ(world.add(one).status, 200);
  world.now += 30 * 24h;
  for (const Held& held : world.service.customers())
    EXPECT_EQ(held.status_code, kImported);
}

TEST(Add, CarriesGivenAnswers) {
  TurnedWorld world(still());
  Json one = customer("a@example.test");
  one["Answers"] = Json::parse(R"([
    {"BaseQuestionId":1200,"Text":"said before","SelectedScalePositions":[{"Value":9,"Label":"9"}],
     "FileAnswers":[{"FileName":"a.txt","Data":"aGk=","IsEncrypted":true,"EncryptionKey":"k"}]},
    {"BaseQuestionId":7,"PageRepetition":2}])");
  ASSERT_EQ(world.add(batch({one})).status, 200);
  const Json answers = world.ask("/external/api/v3/customer")["Customers"][0]["Answers"];
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_EQ(answers[0]["SelectedScalePositions"][0]["Value"], 9);
  EXPECT_EQ(answers[0]["FileAnswers"][0]["EncryptionKey"], "k");
  EXPECT_EQ(answers[1]["PageRepetition"], 2);
}

}  // namespace
}  // namespace sandbox
