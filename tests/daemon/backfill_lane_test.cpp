// Walks that share a place, one after the other.
#include "daemon/backfill_lane.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace {

using namespace surveybridge::daemon;

const TimePoint kNow{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}};

// So many pages of ten records; what it does is written down.
class Walk final : public Job {
 public:
  Walk(std::string name, int pages, std::string& story)
      : name_(std::move(name)), pages_(pages), story_(story) {}
  ~Walk() override { story_ += name_ + " gone;"; }
  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override {
    if (pages_ == 0) throw std::runtime_error("no such page");
    story_ += name_ + ";";
    standing_.done += 10;
    standing_.caught_up = --pages_ == 0;
    return standing_.caught_up ? kNever : now + Duration{1};
  }
  const Standing& standing() const override { return standing_; }
  void leave() override { story_ += name_ + " left;"; }

 private:
  std::string name_;
  int pages_;
  std::string& story_;
  Standing standing_;
};

BackfillLane lane(std::vector<int> pages, std::string& story) {
  std::vector<std::unique_ptr<Job>> walks;
  for (const int each : pages)
    walks.push_back(
        std::make_unique<Walk>(std::string(1, static_cast<char>('a' + walks.size())), each, story));
  return BackfillLane("lane", std::move(walks));
}

TEST(BackfillLane, WalksOneAfterTheOther) {
  std::string story;
  auto both = lane({2, 1}, story);
  EXPECT_EQ(both.step(kNow), kNow + Duration{1}) << "as the walk wishes";
  EXPECT_EQ(both.step(kNow), kNow) << "the next one waits for nothing";
  EXPECT_EQ(both.standing().share.done, 1);
  EXPECT_EQ(both.standing().share.of, 2);
  EXPECT_FALSE(both.standing().caught_up);
  EXPECT_EQ(both.step(kNow), kNever);
  EXPECT_TRUE(both.standing().caught_up);
  EXPECT_EQ(both.standing().done, 30);
  EXPECT_EQ(both.step(kNow), kNever);
  both.leave();
  EXPECT_EQ(story, "a;a;a left;a gone;b;b left;b gone;");
}

TEST(BackfillLane, LeavesTheWalkItIsAt) {
  std::string story;
  auto both = lane({2, 1}, story);
  both.step(kNow);
  both.leave();
  EXPECT_EQ(story, "a;a left;");
}

TEST(BackfillLane, TriesAgainWhatFailed) {
  std::string story;
  auto broken = lane({0, 1}, story);
  EXPECT_THROW(broken.step(kNow), std::runtime_error);
  EXPECT_THROW(broken.step(kNow), std::runtime_error);
  EXPECT_EQ(broken.standing().share.done, 0);
  EXPECT_EQ(story, "");
}

TEST(BackfillLane, OfNoWalkIsAtItsEnd) {
  std::string story;
  auto none = lane({}, story);
  EXPECT_EQ(none.step(kNow), kNever);
  EXPECT_TRUE(none.standing().caught_up);
}

}  // namespace
