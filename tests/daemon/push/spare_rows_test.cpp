// How many rows a push reads for one batch.
#include "daemon/push/spare_rows.hpp"

#include <gtest/gtest.h>

namespace {

using surveybridge::daemon::SpareRows;

TEST(SpareRowsOfABatch, AreAsManyAsTheBatchUntilSomethingIsKnown) {
  EXPECT_EQ(SpareRows().limit(200), 400u);
}

TEST(SpareRowsOfABatch, AreOneWhereEveryRowCanBeSent) {
  SpareRows spare;
  spare.learn(400, 400, 200, 200);
  EXPECT_EQ(spare.limit(200), 201u) << "the one more shows that others wait";
}

TEST(SpareRowsOfABatch, AreMoreThanWereLost) {
  SpareRows spare;
  spare.learn(201, 181, 200, 181);
  EXPECT_EQ(spare.limit(200), 230u) << "20 were set aside";
  spare.learn(230, 230, 200, 190);
  EXPECT_EQ(spare.limit(200), 215u) << "10 had the address of another";
  spare.learn(215, 5, 200, 5);
  EXPECT_EQ(spare.limit(200), 400u) << "no more than twice the batch";
}

TEST(SpareRowsOfABatch, AreNotLostWhereTheBatchMayBeSmallOnly) {
  SpareRows spare;
  spare.learn(400, 400, 1, 1);
  EXPECT_EQ(spare.limit(200), 201u);
}

}  // namespace
