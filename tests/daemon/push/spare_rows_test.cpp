// How many rows a push reads for one batch.
#include <gtest/gtest.h>

#include "daemon/push/batch_size.hpp"

namespace {

using surveybridge::daemon::SpareRows;

// After batches of which every row could be sent.
SpareRows settled() {
  SpareRows spare;
  for (int batch = 0; batch < 20; ++batch)
    spare.learn(200, 250, 250, 200, 200);
  return spare;
}

TEST(SpareRowsOfABatch, AreAsManyAsTheBatchUntilSomethingIsKnown) {
  EXPECT_EQ(SpareRows().limit(200), 400u);
}

TEST(SpareRowsOfABatch, BecomeFewerWhereEveryRowCanBeSent) {
  SpareRows spare;
  spare.learn(200, 400, 400, 200, 200);
  EXPECT_EQ(spare.limit(200), 350u);
  EXPECT_EQ(settled().limit(200), 201u) << "the one more shows that others wait";
}

TEST(SpareRowsOfABatch, AreMoreThanWereLost) {
  SpareRows spare = settled();
  spare.learn(200, 201, 181, 200, 181);
  EXPECT_EQ(spare.limit(200), 230u) << "20 were set aside";
  spare.learn(200, 230, 230, 200, 180);
  EXPECT_EQ(spare.limit(200), 230u) << "20 had the address of another";
  spare.learn(200, 230, 5, 200, 5);
  EXPECT_EQ(spare.limit(200), 400u) << "no more than twice the batch";
}

TEST(SpareRowsOfABatch, AreNotForgottenByOneBatchThatLostNone) {
  SpareRows spare = settled();
  spare.learn(200, 201, 193, 200, 193);
  EXPECT_EQ(spare.limit(200), 212u);
  spare.learn(200, 212, 212, 200, 200);
  EXPECT_EQ(spare.limit(200), 209u);
}

TEST(SpareRowsOfABatch, AreNotLostWhereTheBatchMayBeSmallOnly) {
  SpareRows spare = settled();
  spare.learn(200, 201, 201, 1, 1);
  EXPECT_EQ(spare.limit(200), 201u);
}

}  // namespace
