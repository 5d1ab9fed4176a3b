#include "sandbox/model/life.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sandbox/turned_world.hpp"

namespace sandbox {
namespace {

using testing::IsEmpty;

Birth birth(std::int64_t id) {
  Birth birth;
  birth.id = id;
  birth.created = kStart;
  birth.approved = true;
  return birth;
}

constexpr TimePoint kEver = kStart + 1000 * 24h;

TEST(Lives, HappenInOrderAndGoManyWays) {
  std::map<Status, int> ends;
  std::map<Step, int> steps;
  for (std::int64_t id = 1; id <= 2000; ++id) {
    const Life life = live(birth(id), {7, 1, 0.1});
    for (std::size_t i = 1; i < life.events.size(); ++i) {
      ASSERT_LT(life.events[i - 1].at, life.events[i].at) << "customer " << id;
    }
    for (const Event& event : life.events)
      ++steps[event.step];
    ++ends[life.status(kEver)];
  }
  for (const Status end : {Status::finished, Status::opted_out, Status::hard_bounce,
                           Status::soft_bounce, Status::locked, Status::closed}) {
    EXPECT_GT(ends[end], 5) << status_name(end);
  }
  EXPECT_EQ(ends.size(), 6U);
  for (int step = 0; step <= static_cast<int>(Step::closed); ++step) {
    EXPECT_GT(steps[static_cast<Step>(step)], 3) << step;
  }
}

TEST(Lives, AreTheSameForTheSameSeedOnly) {
  int different = 0;
  for (std::int64_t id = 1; id <= 100; ++id) {
    const Life one = live(birth(id), {7, 1, 0});
    const Life same = live(birth(id), {7, 1, 0});
    const Life other = live(birth(id), {8, 1, 0});
    EXPECT_EQ(one.last_activity(kEver), same.last_activity(kEver));
    different += one.last_activity(kStart + 20 * 24h) != other.last_activity(kStart + 20 * 24h);
  }
  EXPECT_GT(different, 80);
}

TEST(Lives, GoFasterWithSpeedAndStandStillWithoutIt) {
  for (std::int64_t id = 1; id <= 200; ++id) {
    const Life fast = live(birth(id), {7, 86400, 0});
    EXPECT_LE(fast.last_activity(kEver), kStart + 100s);
    const Life none = live(birth(id), {7, 0, 0});
    EXPECT_EQ(none.status(kEver), Status::scheduled);
    EXPECT_EQ(none.last_activity(kEver), kStart);
  }
}

TEST(Lives, KeepTheirOrderAtAnAbsurdSpeed) {
  for (std::int64_t id = 1; id <= 500; ++id) {
    const Life life = live(birth(id), {7, 1e12, 0.5});
    for (std::size_t i = 1; i < life.events.size(); ++i) {
      ASSERT_LT(life.events[i - 1].at, life.events[i].at);
    }
  }
}

TEST(Lives, InviteNobodyBeforeSendDateAndSendTime) {
  for (std::int64_t id = 1; id <= 300; ++id) {
    Birth born = birth(id);
    born.not_before = kStart + 48h;  // noon, two days later
    born.time_of_day = 10h;
    const Life at_noon = live(born, {7, 86400, 0});
    EXPECT_EQ(at_noon.scheduled, kStart + 48h);
    born.time_of_day = 15h;
    const Life at_three = live(born, {7, 86400, 0});
    EXPECT_EQ(at_three.scheduled, kStart + 51h);
    const auto invited = at_three.at(Step::invited, kEver);
    EXPECT_TRUE(!invited || *invited >= kStart + 51h);
  }
}

TEST(Lives, EndWithTheSurvey) {
  for (std::int64_t id = 1; id <= 500; ++id) {
    Birth born = birth(id);
    born.closes = kStart + 24h;
    const Life life = live(born, {7, 1, 0});
    const auto finished = life.at(Step::finished, kEver);
    EXPECT_TRUE(!finished || *finished < kStart + 24h);
    EXPECT_TRUE(!life.at(Step::reminded, kEver));
    EXPECT_EQ(life.at(Step::closed, kEver), kStart + 24h);
  }
}

TEST(Lives, OfAClosedSurveyHaveNoInvitation) {
  Birth born = birth(1);
  born.closes = kStart - 24h;
  const Life life = live(born, {7, 1, 0});
  EXPECT_EQ(life.status(kEver), Status::closed);
  EXPECT_EQ(life.at(Step::invited, kEver), std::nullopt);
}

TEST(Lives, InAPortalAreNotMailed) {
  for (std::int64_t id = 1; id <= 200; ++id) {
    Birth born = birth(id);
    born.portal = true;
    const Life life = live(born, {7, 1, 0});
    EXPECT_FALSE(life.at(Step::invited, kEver) || life.at(Step::reminded, kEver) ||
                 life.at(Step::bounced, kEver) || life.scheduled);
  }
}

TEST(Lives, ShowInTheListAsTheClockTurns) {
  TurnedWorld world;
  world.add(batch_of(200));
  std::size_t finished = 0, moved = 0;
  for (int day = 1; day <= 20; ++day) {
    const std::string since = write_date(world.now, {});
    world.now += 24h;
    moved += world.ids("LastActivityDateFilter.From=" + since).size();
    const std::size_t now_finished = world.ids("Statuses=7").size();
    EXPECT_GE(now_finished, finished);
    finished = now_finished;
  }
  EXPECT_GT(finished, 80U);
  EXPECT_GT(moved, 300U);
}

// Each date filter finds exactly the customers whose date it names.
TEST(Lives, AreFoundByEachDateFilter) {
  TurnedWorld world;
  world.add(batch_of(200));
  world.now += 100 * 24h;
  const std::pair<const char*, const char*> filters[] = {
      {"DateInvitedFilter", "/DateInvited"},
      {"ScheduledInvitationDateFilter", "/ScheduledInvitationDate"},
      {"OptedOutDateFilter", "/OptedOutDate"},
      {"BatchClosedDateFilter", "/SurveyClosedDate"},
      {"LastActivityDateFilter", "/LastActivityDate"},
      {"ReviewApprovedDateFilter", "/Review/ReviewApprovedDate"}};
  Json rows = world.ask("/external/api/v3/customer?Limit=100")["Customers"];
  for (const auto& [filter, field] : filters) {
    for (const Json& row : rows) {
      const Json date = row[Json::json_pointer(field)];
      if (date.is_null()) continue;
      const std::string exactly = std::string(filter) + ".From=" + date.get<std::string>() + "&" +
                                  filter + ".To=" + date.get<std::string>();
      const std::string id = row["Id"].dump();
      EXPECT_THAT(world.ids(exactly + "&CustomerIds=" + id), testing::SizeIs(1)) << filter;
    }
    std::size_t with = 0;
    for (const Json& row : rows)
      with += !row[Json::json_pointer(field)].is_null();
    std::size_t found = 0;
    for (const auto id : world.ids(std::string(filter) + ".From=2000-01-01"))
      found += id <= 1000100;
    EXPECT_EQ(found, with) << filter;
    EXPECT_GT(with, 0U) << filter;
  }
}

TEST(Lives, CountPartlyAnsweredAsFinishedOnceTheirBatchIsClosed) {
  TurnedWorld world;
  world.add(batch_of(200));
  world.now += 30 * 24h;
  const auto before = world.ids("SurveyFinishedDateFilter.From=2026-01-01");
  EXPECT_EQ(before, world.ids("Statuses=7"));
  world.now += 60 * 24h;
  const auto after = world.ids("SurveyFinishedDateFilter.From=2026-01-01");
  EXPECT_GT(after.size(), world.ids("Statuses=7").size());
}

TEST(Lives, AskForSecondFeedbackInACustomerOfItsOwn) {
  Options options;
  options.second_feedback = 1;
  TurnedWorld world(options);
  world.add(batch_of(50));
  world.now += 90 * 24h;
  const auto held = world.service.customers();
  ASSERT_GT(held.size(), 60U);
  const Held& second = held.back();
  ASSERT_NE(second.original, 0);
  const auto ask = [&](std::int64_t id) {
    return world.ask("/external/api/v3/customer?CustomerIds=" + std::to_string(id))["Customers"][0];
  };
  const Json row = ask(second.id), original = ask(second.original);
  EXPECT_EQ(row["IsSecondFeedBack"], true);
  EXPECT_EQ(row["SecondFeedbackInformation"]["OriginalCustomerId"], second.original);
  EXPECT_EQ(original["HasSecondFeedBack"], true);
  EXPECT_EQ(original["SecondFeedbackInformation"]["SecondFeedbackCustomerId"], second.id);
  EXPECT_EQ(row["Data"], original["Data"]);
}

TEST(Lives, GiveAnswersThatAnAnswerFilterFinds) {
  TurnedWorld world;
  world.add(batch_of(200));
  world.now += 30 * 24h;
  std::size_t all = 0;
  for (int grade = 0; grade <= 10; ++grade) {
    const std::string id = std::to_string(120000 + grade);
    const auto found = world.ids(
        "AnswerFilters[0].BaseQuestionId=1200&"
        "AnswerFilters[0].ScalePositionIds=" +
        id);
    all += found.size();
  }
  EXPECT_GT(all, 90U);
  EXPECT_THAT(world.ids("AnswerFilters[0].BaseQuestionId=1201&"
                        "AnswerFilters[0].ScalePositionIds=120001&Statuses=2"),
              IsEmpty());
}

TEST(Lives, CarryNotesWhenAskedFor) {
  TurnedWorld world;
  world.add(batch_of(200));
  world.now += 30 * 24h;
  std::size_t with = 0, without = 0;
  const Json rows1 = world.ask("/external/api/v3/customer?IncludeNotes=true")["Customers"];
  for (const Json& row : rows1) {
    with += row["FormNotes"].size();
  }
  const Json rows2 = world.ask("/external/api/v3/customer")["Customers"];
  for (const Json& row : rows2) {
    without += row["FormNotes"].size();
  }
  EXPECT_GT(with, 3U);
  EXPECT_EQ(without, 0U);
}

}  // namespace
}  // namespace sandbox
