// Walks that share a worker run one after the other.
#include "daemon/pull/backfill_worker.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace {

using namespace surveybridge::daemon;

const TimePoint kToday{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}};

// A walk of a number of pages with ten records each; it records what it does.
class Walk final : public Job {
 public:
  Walk(std::string name, int pages, std::string& story)
      : name_(std::move(name)), pages_(pages), story_(story) {}
  ~Walk() override { story_ += name_ + " gone;"; }
  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override {
    if (pages_ == 0) throw std::runtime_error("no such page");
    story_ += name_ + ";";
    status_.done += 10;
    status_.caught_up = --pages_ == 0;
    return status_.caught_up ? kNever : now + Duration{1};
  }
  const JobStatus& status() const override { return status_; }
  void leave() override { story_ += name_ + " left;"; }

 private:
  std::string name_;
  int pages_;
  std::string& story_;
  JobStatus status_;
};

BackfillWorker request_class(std::vector<int> pages, std::string& story) {
  std::vector<std::unique_ptr<Job>> walks;
  for (const int each : pages)
    walks.push_back(
        std::make_unique<Walk>(std::string(1, static_cast<char>('a' + walks.size())), each, story));
  return BackfillWorker("lane", std::move(walks));
}

TEST(BackfillWorker, WalksOneAfterTheOther) {
  std::string story;
  auto both = request_class({2, 1}, story);
  EXPECT_EQ(both.step(kToday), kToday + Duration{1}) << "as the walk wishes";
  EXPECT_EQ(both.step(kToday), kToday) << "the next one waits for nothing";
  EXPECT_EQ(both.status().share.done, 1);
  EXPECT_EQ(both.status().share.of, 2);
  EXPECT_FALSE(both.status().caught_up);
  EXPECT_EQ(both.step(kToday), kNever);
  EXPECT_TRUE(both.status().caught_up);
  EXPECT_EQ(both.status().done, 30);
  EXPECT_EQ(both.step(kToday), kNever);
  both.leave();
  EXPECT_EQ(story, "a;a;a left;a gone;b;b left;b gone;");
}

TEST(BackfillWorker, LeavesTheWalkItIsAt) {
  std::string story;
  auto both = request_class({2, 1}, story);
  both.step(kToday);
  both.leave();
  EXPECT_EQ(story, "a;a left;");
}

TEST(BackfillWorker, TriesAgainWhatFailed) {
  std::string story;
  auto broken = request_class({0, 1}, story);
  EXPECT_THROW(broken.step(kToday), std::runtime_error);
  EXPECT_THROW(broken.step(kToday), std::runtime_error);
  EXPECT_EQ(broken.status().share.done, 0);
  EXPECT_EQ(story, "");
}

TEST(BackfillWorker, OfNoWalkIsAtItsEnd) {
  std::string story;
  auto none = request_class({}, story);
  EXPECT_EQ(none.step(kToday), kNever);
  EXPECT_TRUE(none.status().caught_up);
}

}  // namespace
