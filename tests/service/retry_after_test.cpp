#include "connectors/service/retry_after.hpp"

#include <gtest/gtest.h>

namespace {

using namespace surveybridge::service;
using std::chrono::seconds;
using surveybridge::mapping::Instant;

// Sun, 06 Nov 1994 08:49:37 GMT
constexpr Instant kNow{seconds{784111777}};

std::optional<Wait> read(const char* value) {
  return read_retry_after(value, kNow);
}

TEST(RetryAfter, ReadsSecondsAndDecimals) {
  EXPECT_EQ(read("0"), Wait{0});
  EXPECT_EQ(read("120"), Wait{120'000});
  EXPECT_EQ(read(" 5 "), Wait{5'000});
  EXPECT_EQ(read("1.5"), Wait{1'500});
  EXPECT_EQ(read("0.25"), Wait{250});
}

TEST(RetryAfter, RoundsUpNeverDown) {
  EXPECT_EQ(read("1.2341"), Wait{1'235});
}

TEST(RetryAfter, ReadsAllThreeFormsOfAnHttpDate) {
  EXPECT_EQ(read("Sun, 06 Nov 1994 08:50:37 GMT"), Wait{60'000});
  EXPECT_EQ(read("Sunday, 06-Nov-94 08:50:37 GMT"), Wait{60'000});
  EXPECT_EQ(read("Sun Nov  6 08:50:37 1994"), Wait{60'000});
}

TEST(RetryAfter, TakesADateInThePastAsNow) {
  EXPECT_EQ(read("Sun, 06 Nov 1994 08:00:00 GMT"), Wait{0});
}

TEST(RetryAfter, CutsWhatIsAbsurd) {
  EXPECT_EQ(read("2147483647"), kWaitUnclear);
  EXPECT_EQ(read("999999999"), kWaitUnclear);
  EXPECT_EQ(read("99999999999999999999999999"), kWaitUnclear);
  EXPECT_EQ(read("86400"), kWaitMax);
  EXPECT_EQ(read("Fri, 31 Dec 9999 23:59:59 GMT"), kWaitUnclear);
  EXPECT_EQ(read("Mon, 07 Nov 1994 08:49:37 GMT"), kWaitMax);
  EXPECT_EQ(read("Mon, 07 Nov 1994 08:49:38 GMT"), kWaitUnclear) << "as the same moment in seconds";
  EXPECT_EQ(read("1994-11-08T08:49:37Z"), kWaitUnclear);
}

// Kept by 2026-11-01T00:00:00Z.
TEST(RetryAfter, ReadsAMistakenUnitAsWhatIsPlausible) {
  const Instant at{seconds{1'793'491'200}};
  const auto later = [&](const char* value) { return read_retry_after(value, at); };
  EXPECT_EQ(later("1793491204"), Wait{4'000});
  EXPECT_EQ(later("1793491204.25"), Wait{4'250});
  EXPECT_EQ(later("1793491204250"), Wait{4'250});
  EXPECT_EQ(later("1793491204250001"), Wait{4'251}) << "never earlier than requested";
  EXPECT_EQ(later("1793491204250000000"), Wait{4'250});
  EXPECT_EQ(later("1793491100"), Wait{0}) << "it is over";
  EXPECT_EQ(later("1793591204"), kWaitUnclear) << "more than a day";
  EXPECT_EQ(later("120000"), Wait{120'000}) << "milliseconds";
  EXPECT_EQ(later("86400000"), kWaitMax);
  EXPECT_EQ(later("2026-11-01T00:00:05Z"), Wait{5'000});
  EXPECT_EQ(later("2026-11-01T01:00:05+01:00"), Wait{5'000});
  EXPECT_EQ(later("2026-11-01T00:00:05"), std::nullopt) << "of which place?";
}

TEST(RetryAfter, UnderstandsNothingElse) {
  for (const char* value :
       {"", "soon", "-1", "1e3", "1.", ".5", "1,5", "0x10", "12 s",
        "Sun, 06 Nov 1994 08:50:37 GMT and more", "Sun, 99 Nov 1994 08:50:37 GMT"}) {
    EXPECT_EQ(read(value), std::nullopt) << value;
  }
}

Response with(std::vector<std::pair<std::string, std::string>> headers) {
  return {429, std::move(headers), ""};
}

TEST(WaitOf, CountsADateFromTheAnswersOwnClock) {
  // The service's clock is ten minutes ahead of ours.
  const auto response = with({{"date", "Sun, 06 Nov 1994 08:59:37 GMT"},
                              {"retry-after", "Sun, 06 Nov 1994 08:59:47 GMT"}});
  EXPECT_EQ(wait_of(response, kNow), Wait{10'000});
}

TEST(WaitOf, FallsBackToTheResetOfASpentQuota) {
  EXPECT_EQ(wait_of(with({{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "42"}}), kNow),
            Wait{42'000});
  EXPECT_EQ(wait_of(with({{"x-rate-limit-reset", "9"}}), kNow), Wait{9'000});
  EXPECT_EQ(wait_of(with({{"ratelimit-remaining", "3"}, {"ratelimit-reset", "42"}}), kNow),
            std::nullopt);
  EXPECT_EQ(wait_of(with({}), kNow), std::nullopt);
  EXPECT_EQ(wait_of(with({{"retry-after", "soon"}, {"ratelimit-reset", "4"}}), kNow), Wait{4'000});
}

TEST(WaitOf, TakesTheLongestOfSeveral) {
  EXPECT_EQ(wait_of(with({{"retry-after", "0"}, {"retry-after", "8"}}), kNow), Wait{8'000});
  EXPECT_EQ(wait_of(with({{"retry-after", "9"}, {"retry-after", "soon"}}), kNow), Wait{9'000});
}

TEST(WaitOf, ReadsALargeResetAsMilliseconds) {
  const auto reset = [](const char* value) {
    return wait_of(with({{"x-ratelimit-reset", value}}), kNow);
  };
  EXPECT_EQ(reset("60000"), Wait{60'000});
  EXPECT_EQ(reset("3600"), Wait{3'600'000}) << "seconds";
  EXPECT_EQ(reset("3601"), Wait{3'601});
  EXPECT_EQ(reset("3600000"), Wait{3'600'000});
}

// Seconds of many hours are seldom whole thousands; milliseconds mostly are.
TEST(WaitOf, ReadsARetryAfterOfWholeThousandsAsMilliseconds) {
  const auto after = [](const char* value) {
    return wait_of(with({{"retry-after", value}}), kNow);
  };
  EXPECT_EQ(after("60000"), Wait{60'000});
  EXPECT_EQ(after(" 5000 "), Wait{5'000});
  EXPECT_EQ(after("120000"), Wait{120'000});
  EXPECT_EQ(after("3000"), Wait{3'000'000}) << "seconds: it is no more than an hour";
  EXPECT_EQ(after("7200"), Wait{7'200'000}) << "seconds";
  EXPECT_EQ(after("38211"), Wait{38'211'000}) << "seconds";
  EXPECT_EQ(after("86400"), kWaitMax) << "seconds";
}

TEST(WaitOf, TellsSecondsFromAnEpoch) {
  const Instant later{seconds{1'800'000'000}};
  EXPECT_EQ(wait_of(with({{"x-ratelimit-reset", "1800000030"}}), later), Wait{30'000});
  EXPECT_EQ(wait_of(with({{"x-ratelimit-reset", "1800000030000"}}), later), Wait{30'000});
  EXPECT_EQ(wait_of(with({{"x-ratelimit-reset", "1800000030.5"}}), later), Wait{30'500});
}

}  // namespace
