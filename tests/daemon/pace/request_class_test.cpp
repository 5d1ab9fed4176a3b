// Whether reading and writing have separate limits, judged from given refusals.
#include "daemon/pace/request_class.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace {

using namespace surveybridge::daemon;
using namespace std::chrono_literals;
using Verdict = RequestClassEvidence::Verdict;

// Reading and writing in changing proportions, refused when a limit is reached.
class RequestClasses : public testing::Test {
 protected:
  // This many requests a second of both for a while, then a refusal of `request_class`.
  void refusal(RequestClass request_class, double writes, double reads) {
    let_in_for(40s, writes, reads);
    evidence_.refused(now_, request_class, 0s);
  }
  void let_in_for(Duration length, double writes, double reads) {
    const TimePoint begun = now_;
    for (double written = 0, read = 0; now_ < begun + length; now_ += 10ms) {
      written = let_in(RequestClass::write, written + writes / 100);
      read = let_in(RequestClass::read, read + reads / 100);
    }
  }
  double let_in(RequestClass request_class, double due) {
    if (due < 1) return due;
    evidence_.accepted(now_, request_class);
    return due - 1;
  }
  RequestClassEvidence evidence_;
  TimePoint now_{1h};
};

TEST_F(RequestClasses, AreApartWhereOneIsRefusedAtItsOwnWhateverTheOtherHas) {
  for (int i = 0; i < 3; ++i) {
    refusal(RequestClass::write, 5, 1.7 + 0.1 * i);
    EXPECT_EQ(evidence_.verdict(), Verdict::open) << i;
    refusal(RequestClass::write, 5.1, 5);
  }
  EXPECT_EQ(evidence_.verdict(), Verdict::apart);
  EXPECT_NEAR(evidence_.own_edge(RequestClass::write), 5, 0.2);
  EXPECT_EQ(evidence_.own_edge(RequestClass::read), 0) << "it was never refused";
}

TEST_F(RequestClasses, AreTogetherWhereTheTotalIsTheSameWhateverTheMix) {
  for (int i = 0; i < 10; ++i) {
    const double writes = i % 2 == 0 ? 15 : 10;
    refusal(RequestClass::write, writes, 20 - writes + 0.1 * (i % 3));
  }
  EXPECT_EQ(evidence_.verdict(), Verdict::together);
}

TEST_F(RequestClasses, AreNotToldWhileTheMixIsAlwaysTheSame) {
  for (const double total : {8.0, 12.0, 16.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0})
    refusal(RequestClass::write, 0.75 * total, 0.25 * total);
  EXPECT_EQ(evidence_.verdict(), Verdict::open);
}

TEST_F(RequestClasses, AreNotToldWhileOneOfThemStillClimbs) {
  for (int i = 0; i < 12; ++i)
    refusal(RequestClass::read, 5, 5 + 1.5 * i);
  EXPECT_EQ(evidence_.verdict(), Verdict::open) << "its own limit is not found yet";
}

TEST_F(RequestClasses, AreApartWhereEachAloneHasALimitOfItsOwn) {
  for (int i = 0; i < 3; ++i) {
    refusal(RequestClass::write, 5, 0);
    refusal(RequestClass::read, 0, 20);
  }
  EXPECT_EQ(evidence_.verdict(), Verdict::apart);
}

TEST_F(RequestClasses, AreNotApartWhereALimitFallsAndComesBack) {
  for (const double total : {20.0, 10.0, 20.0, 10.0, 20.0, 10.0, 20.0})
    refusal(RequestClass::write, total, 0);
  EXPECT_EQ(evidence_.verdict(), Verdict::open);
}

TEST_F(RequestClasses, AreNotToldByRefusalsThatMeetASleeper) {
  for (int i = 0; i < 6; ++i) {
    let_in_for(1s, 5, 5);
    now_ += 24h;  // so long that no recent requests are left
    evidence_.refused(now_, i % 2 == 0 ? RequestClass::write : RequestClass::read, 0s);
  }
  EXPECT_EQ(evidence_.verdict(), Verdict::open);
  for (const RequestClass request_class : {RequestClass::write, RequestClass::read})
    EXPECT_TRUE(std::isfinite(evidence_.own_edge(request_class)));
}

TEST_F(RequestClasses, AreNotToldByWhatCameAllAtOneMoment) {
  for (int i = 0; i < 12; ++i) {
    for (int request = 0; request < 10 + i; ++request)
      evidence_.accepted(now_, request % 3 == 0 ? RequestClass::read : RequestClass::write);
    evidence_.refused(now_, RequestClass::write, 0s);
  }
  EXPECT_TRUE(std::isfinite(evidence_.own_edge(RequestClass::write)));
}

TEST_F(RequestClasses, AskForAnotherMixAfterEachRefusal) {
  const int before = evidence_.writes_in_a_row();
  refusal(RequestClass::write, 5, 5);
  EXPECT_NE(evidence_.writes_in_a_row(), before);
  refusal(RequestClass::write, 5, 5);
  EXPECT_EQ(evidence_.writes_in_a_row(), before);
}

}  // namespace
