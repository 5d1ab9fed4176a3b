// A second customer of the same transaction, which the service made by itself.
#include "mapping/interface/second_feedback.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge::mapping;

Record customer_of(std::int64_t id, std::optional<std::int64_t> original,
                   std::optional<bool> flag = {}) {
  Record record(customer());
  record.set("Id", id);
  if (flag) record.set("IsSecondFeedBack", *flag);
  if (original) {
    Record information(*customer().find("SecondFeedbackInformation")->of);
    information.set("OriginalCustomerId", *original);
    record.at("SecondFeedbackInformation").records.push_back(std::move(information));
  }
  return record;
}

TEST(SecondFeedback, IsSaidByTheFlagOrByAnotherOriginal) {
  EXPECT_TRUE(is_second_feedback(customer_of(8, {}, true)));
  EXPECT_TRUE(is_second_feedback(customer_of(8, 7)));
  EXPECT_FALSE(is_second_feedback(customer_of(7, {})));
  EXPECT_FALSE(is_second_feedback(customer_of(7, {}, false)));
}

TEST(SecondFeedback, IsNotTheOriginalThatNamesItself) {
  EXPECT_FALSE(is_second_feedback(customer_of(7, 7)));
  EXPECT_FALSE(is_second_feedback(customer_of(7, 0)));
}

TEST(SecondFeedback, StandsForTheCustomerThatWasImported) {
  EXPECT_EQ(imported_customer_id(customer_of(7, {})), 7);
  EXPECT_EQ(imported_customer_id(customer_of(8, 7, true)), 7);
  EXPECT_EQ(imported_customer_id(customer_of(8, {}, true)), std::nullopt);
}

}  // namespace
