#include "daemon/lists/filter_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using mapping::Instant;
using mapping::Record;
using std::chrono::hours;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const Instant kDay{std::chrono::sys_days{std::chrono::year{2026} / 5 / 10}};

Record& inside(Record& record, const char* object) {
  auto& records = record.at(object).records;
  if (records.empty()) records.emplace_back(*record.resource->find(object)->of);
  return records.front();
}

struct UnrequestedItems : testing::Test {
  Record customer{mapping::customer()};

  void add_data(std::int64_t column, const mapping::Value& value, bool encrypted = false) {
    Record& item = customer.at("Data").records.emplace_back(mapping::customer_data());
    item.set("CustomerDataColumnId", column);
    item.set("Value", value);
    if (encrypted) item.set("IsEncrypted", true);
  }
  // Should this parameter have excluded the customer?
  bool strays(const std::string& name, const service::Argument& asked) const {
    return !drop_unrequested({customer}, {{name, asked}}).ignored.empty();
  }
};

TEST_F(UnrequestedItems, LieMoreThanADayOutsideADateFilter) {
  const service::DateFilter asked{kDay, kDay + hours{120}};
  for (const auto& [date, stray] : {std::pair{kDay - hours{25}, true},
                                    {kDay - hours{23}, false},
                                    {kDay + hours{143}, false},
                                    {kDay + hours{145}, true}}) {
    customer.set("LastActivityDate", date);
    EXPECT_EQ(strays("LastActivityDateFilter", asked), stray);
    EXPECT_FALSE(strays("TransactionDateFilter", asked)) << "it shows no such date";
    EXPECT_FALSE(strays("BatchClosedDateFilter", asked)) << "nothing shows it";
  }
}

TEST_F(UnrequestedItems, LieOutsideTheReviewsDateOfCustomersAndRatings) {
  const service::DateFilter asked{kDay, std::nullopt};
  Record rating(mapping::rating());
  rating.set("ReviewApprovedDate", kDay - hours{48});
  inside(customer, "Review").set("ReviewApprovedDate", kDay - hours{48});
  EXPECT_THAT(drop_unrequested({rating, customer}, {{"ReviewApprovedDateFilter", asked}}).records,
              IsEmpty());
}

TEST_F(UnrequestedItems, HaveAnotherCodeAddressOrAnswerThanAskedFor) {
  EXPECT_FALSE(strays("Statuses", service::Scalars{"3"})) << "it shows no status";
  EXPECT_FALSE(strays("IsOptout", std::string("true")));
  EXPECT_FALSE(strays("EmailAddresses", service::Scalars{"a@b.test"}));
  customer.set("Id", std::int64_t{7});
  customer.set("Email", std::string("A@b.test"));
  customer.set("OptedOut", false);
  inside(customer, "Status").set("StatusCode", std::int64_t{3});
  inside(customer, "Batch").set("IsTest", true);
  EXPECT_FALSE(strays("Statuses", service::Scalars{"2", "3"}));
  EXPECT_TRUE(strays("Statuses", service::Scalars{"2", "33"}));
  EXPECT_FALSE(strays("CustomerIds", service::Scalars{"7"}));
  EXPECT_TRUE(strays("CustomerIds", service::Scalars{"8"}));
  EXPECT_FALSE(strays("EmailAddresses", service::Scalars{"x@b.test", "a@B.test"}));
  EXPECT_TRUE(strays("EmailAddresses", service::Scalars{"x@b.test"}));
  EXPECT_FALSE(strays("IsOptout", std::string("false")));
  EXPECT_TRUE(strays("IsOptout", std::string("true")));
  EXPECT_FALSE(strays("IncludeTestRecords", std::string("true")));
  EXPECT_TRUE(strays("IncludeTestRecords", std::string("false")));
  EXPECT_FALSE(strays("IncludeNotes", std::string("true")));
}

TEST_F(UnrequestedItems, HaveAnotherReviewWhereBothSidesKnowItsNumberOrName) {
  auto review = [&](const mapping::Enumerator& value) {
    inside(customer, "Review").set("ReviewStatus", value);
  };
  EXPECT_FALSE(strays("ReviewStatus", std::string("Pending")));
  review({1, ""});
  EXPECT_FALSE(strays("ReviewStatus", std::string("Pending")));
  EXPECT_TRUE(strays("ReviewStatus", std::string("2")));
  EXPECT_FALSE(strays("ReviewStatus", std::string("1")));
  review({std::nullopt, "Approved"});
  EXPECT_TRUE(strays("ReviewStatus", std::string("Pending")));
  EXPECT_FALSE(strays("ReviewStatus", std::string("approved")));
  EXPECT_FALSE(strays("ReviewStatus", std::string("2")));
}

TEST_F(UnrequestedItems, HaveAnotherValueInAColumnTheyShowInClear) {
  const std::vector<service::DataFilter> asked = {{1, "o-1"}};
  EXPECT_FALSE(strays("DataFilters", asked));
  add_data(2, std::string("x"));
  EXPECT_FALSE(strays("DataFilters", asked));
  add_data(1, std::string("secret"), true);
  EXPECT_FALSE(strays("DataFilters", asked));
  add_data(1, std::string(" O-1"));
  EXPECT_FALSE(strays("DataFilters", asked)) << "written otherwise, it is the same";
  add_data(1, std::string("o-2"));
  EXPECT_TRUE(strays("DataFilters", asked));
}

TEST_F(UnrequestedItems, AreTakenOutOfAPageAndEveryIgnoredFilterIsNamed) {
  Record other = customer;
  other.set("Id", std::int64_t{8});
  other.set("OptedOut", true);
  customer.set("Id", std::int64_t{7});
  const auto sifted = drop_unrequested({customer, other}, {{"CustomerIds", service::Scalars{"7"}},
                                                           {"IsOptout", std::string("false")}});
  EXPECT_THAT(sifted.records, ElementsAre(customer));
  EXPECT_THAT(sifted.ignored, ElementsAre("CustomerIds", "IsOptout"));
}

std::string impossible_query(const service::Parameter& parameter) {
  const auto asked = impossible(parameter);
  return asked ? service::write_query({*asked}, {}, "UTC") : "";
}

TEST(Impossible, IsAskedForWhereThatMeansSomething) {
  EXPECT_EQ(impossible_query({"Statuses", service::Scalars{"1"}}), "Statuses=2147483647");
  EXPECT_EQ(impossible_query({"CustomerIds", service::Scalars{"1", "2"}}),
            "CustomerIds=2147483647");
  EXPECT_EQ(impossible_query({"EmailAddresses", service::Scalars{"a@b.test"}}),
            "EmailAddresses=-no-such-value-%40example.invalid");
  EXPECT_EQ(impossible_query({"OptedOutDateFilter", service::DateFilter{kDay, std::nullopt}}),
            "OptedOutDateFilter.From=1990-01-01T00%3A00%3A00Z"
            "&OptedOutDateFilter.To=1990-12-31T00%3A00%3A00Z");
  EXPECT_EQ(impossible_query({"DataFilters", std::vector<service::DataFilter>{{3, "1"}, {4, ""}}}),
            "DataFilters[0].CustomerDataColumnId=3&DataFilters[0].Value=-no-such-value-");
  EXPECT_EQ(impossible_query(
                {"AnswerFilters", std::vector<service::AnswerFilter>{{{{"A", {"1", "2"}}}}}}),
            "AnswerFilters[0].A=2147483647");
  EXPECT_EQ(impossible_query({"IsOptout", std::string("true")}), "");
  EXPECT_EQ(impossible_query({"ReviewStatus", std::string("Pending")}), "ReviewStatus=2147483647");
}

TEST(Impossible, OrShownByTheRowsIsEveryParameterThatChoosesThem) {
  for (const char* name : {"IsOptout", "ReviewStatus", "IncludeTestRecords"})
    EXPECT_TRUE(shows_in_rows({name, std::string("true")})) << name;
  for (const char* name : {"IncludeNotes", "ConcatAnswersForQuestionIds"})
    EXPECT_FALSE(shows_in_rows({name, std::string("true")})) << name;
}

}  // namespace
