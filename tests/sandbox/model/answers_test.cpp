#include "sandbox/model/answers.hpp"

#include <array>

#include <gtest/gtest.h>

#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

// Whoever would not recommend the shop does not write that all went well.
TEST(Answers, SayWhatAgreesWithTheScore) {
  constexpr TimePoint kEver = kStart + 1000 * 24h;
  std::array<int, 3> said{};
  for (std::int64_t id = 1; id <= 500; ++id) {
    Birth birth;
    birth.id = id;
    birth.created = kStart;
    birth.approved = true;
    Customer customer;
    customer.id = id;
    customer.life = live(birth, {7, 1, 0.1});
    std::int64_t score = -1;
    for (const Answer& answer : answers_of(customer, 7, kEver)) {
      if (answer.question == 1200) score = answer.positions.at(0).value.value_or(-1);
      if (answer.categories.empty()) continue;
      const int sentiment = answer.categories.at(0).sentiment;
      EXPECT_EQ(sentiment, score <= 6 ? 0 : score <= 8 ? 1 : 2) << "customer " << id;
      ++said.at(static_cast<std::size_t>(sentiment));
    }
  }
  for (const int times : said)
    EXPECT_GT(times, 10);
}

}  // namespace
}  // namespace sandbox
