#include <gtest/gtest.h>

#include "daemon/push/push_plan.hpp"

namespace {

using namespace surveybridge::daemon;

TEST(RefusalReason, LosesTheWordsOfTheServiceAndNothingElse) {
  const auto reason = refusal_reason("Ann <ann@example.test>: refused");
  EXPECT_EQ(reason, "refused by the service: Ann <ann@example.test>: refused");
  EXPECT_EQ(without_service_words(reason), "refused by the service");
  EXPECT_EQ(without_service_words("not sent: " + reason), "not sent: refused by the service");
  EXPECT_EQ(without_service_words("Email: not an address: no @"), "Email: not an address: no @");
}

}  // namespace
