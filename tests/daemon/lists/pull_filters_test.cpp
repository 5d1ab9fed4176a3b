#include "daemon/lists/pull_filters.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/service_list.hpp"
#include "sandbox/service.hpp"
#include "tests/in_process/instance.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using testing::SizeIs;

config::Pull pull_of(const std::string& list, const std::string& filter) {
  const std::string window = list == "bouncers" ? "look_back = \"60d\"\n" : "from = 2026-01-01\n";
  const auto settings = in_process::settings_of(
      "[service]\nbase_url = \"http://127.0.0.1:1\"\n[service.auth]\nkind = \"none\"\n"
      "[crm]\nconnection = \"sqlite3:///unused\"\n[pull." +
      list + "]\n" + window + "[pull." + list + ".filter]\n" + filter + "\n");
  return settings.pulls.at(0);
}

const std::vector<mapping::DataColumn> kColumns = {{1, "OrderNumber", "", false, false}};

std::vector<service::Parameter> made(const config::Pull& pull) {
  auto parameters = parameters_of(pull.filters, kColumns, "UTC");
  EXPECT_TRUE(std::holds_alternative<std::vector<service::Parameter>>(parameters));
  return std::get<std::vector<service::Parameter>>(std::move(parameters));
}

std::string query_of(const std::string& list, const std::string& filter) {
  return service::write_query(made(pull_of(list, filter)), {}, "UTC");
}

TEST(PullFilters, GoOutInTheDialect) {
  EXPECT_EQ(query_of("customers", "Statuses = [3, 4]\nIsOptout = true"),
            "Statuses=3&Statuses=4&IsOptout=true");
  EXPECT_EQ(query_of("customers", "DataFilters = { ordernumber = \"o 1\", 5 = 9 }"),
            "DataFilters[0].CustomerDataColumnId=1&DataFilters[0].Value=o%201"
            "&DataFilters[1].CustomerDataColumnId=5&DataFilters[1].Value=9");
  EXPECT_EQ(query_of("customers", "ReviewApprovedDateFilter = { from = 2026-01-01 }"),
            "ReviewApprovedDateFilter.From=2026-01-01T00%3A00%3A00Z");
  EXPECT_EQ(query_of("customers", "AnswerFilters = [{ BaseQuestionId = 7, Ids = [1, 2] }]"),
            "AnswerFilters[0].BaseQuestionId=7&AnswerFilters[0].Ids=1&AnswerFilters[0].Ids=2");
}

struct Taken {
  std::string list, path, filter;
};
const std::vector<Taken> kTaken = {
    {"customers", "customer", "Statuses = [3]"},
    {"customers", "customer", "IsOptout = false"},
    {"customers", "customer", "CustomerIds = [1, 2]"},
    {"customers", "customer", "EmailAddresses = [\"a+b@example.test\"]"},
    {"customers", "customer", "DataFilters = { OrderNumber = \"a&b\" }"},
    {"customers", "customer",
     "AnswerFilters = [{ BaseQuestionId = 1200, ScalePositionIds = [4] }]"},
    {"customers", "customer", "IncludeTestRecords = true"},
    {"customers", "customer", "IncludeNotes = true"},
    {"customers", "customer", "ReviewStatus = \"Approved\""},
    {"customers", "customer", "TransactionDateFilter = { to = 2026-01-01 }"},
    {"customers", "customer", "SurveyFinishedDateFilter = { to = 2026-01-01 }"},
    {"customers", "customer", "DateInvitedFilter = { to = 2026-01-01 }"},
    {"customers", "customer", "ScheduledInvitationDateFilter = { to = 2026-01-01 }"},
    {"customers", "customer", "OptedOutDateFilter = { to = 2026-01-01 }"},
    {"customers", "customer", "BatchClosedDateFilter = { to = 2026-01-01 }"},
    {"customers", "customer", "ReviewApprovedDateFilter = { to = 2026-01-01 }"},
    {"ratings", "rating", "ConcatAnswersForQuestionIds = [1202]"},
    {"ratings", "rating", "DataFilters = { OrderNumber = \"1\" }"},
    {"bouncers", "customer/getbouncers", "IncludeTestRecords = true"},
    {"bouncers", "customer/getbouncers", "DataFilters = { OrderNumber = \"1\" }"},
};

// The strict stand-in refuses unknown parameters, so a filter that it accepts is spelled correctly.
TEST(PullFilters, AreAllTakenByTheStrictService) {
  sandbox::Options options;
  options.token.clear();
  for (const Taken& one : kTaken) {
    sandbox::Service service(options, [] { return sandbox::TimePoint{}; });
    const std::string window =
        one.list == "ratings" ? "&ReviewApprovedDateFilter.From=2026-01-01" : "";
    const auto reply = service.handle(
        {"GET",
         "/external/api/v3/" + one.path + "?" + query_of(one.list, one.filter) + window,
         {},
         ""});
    EXPECT_EQ(reply.status, 200) << one.filter << "\n" << reply.body;
  }
}

// Every parameter of a list is tried, except the window and the paging parameters.
TEST(PullFilters, OfEveryParameterAreTried) {
  using List = config::Pull::List;
  const std::pair<std::string, List> lists[] = {
      {"customers", List::customers}, {"ratings", List::ratings}, {"bouncers", List::bouncers}};
  std::size_t parameters = 0;
  for (const auto& [name, list] : lists) {
    for (const config::Parameter& parameter : config::parameters_of(list)) {
      ++parameters;
      if (parameter.type == config::ParameterType::paging) continue;
      if (parameter.name == config::dates_of(list).front() + "Filter") continue;
      EXPECT_TRUE(std::ranges::any_of(
          kTaken,
          [&, of = name](const Taken& one) {
            return one.list == of && one.filter.starts_with(std::string(parameter.name) + " =");
          }))
          << name << " " << parameter.name;
    }
  }
  EXPECT_EQ(parameters, 29U);
}

TEST(PullFilters, NameAColumnThatTheServiceLacks) {
  const auto pull = pull_of("customers", "DataFilters = { OrderNo = 1 }");
  const auto parameters = parameters_of(pull.filters, kColumns, "UTC");
  EXPECT_EQ(
      std::get<std::string>(parameters),
      "test.toml:10:1: filter.DataFilters: the service has no data column \"OrderNo\" (it has "
      "\"OrderNumber\")");
  EXPECT_TRUE(name_columns(pull.filters));
  EXPECT_FALSE(name_columns(pull_of("customers", "IsOptout = true").filters));
}

TEST(WalkPlans, AreOneForEachDate) {
  auto pull = pull_of("customers", "");
  pull.by = {"LastActivityDate", "OptedOutDate"};
  const auto plans = plan_walks(pull, {});
  ASSERT_THAT(plans, SizeIs(2));
  EXPECT_EQ(plans[0].name, "LastActivityDate");
  EXPECT_EQ(plans[1].window_filter(), "OptedOutDateFilter");
}

TEST(WalkPlans, TakeFromThePullWhatAWalkLeavesUnsaid) {
  auto pull = pull_of("customers", "IncludeNotes = true");
  pull.every = std::chrono::minutes{5};
  config::WalkSettings hourly, nightly;
  hourly.name = hourly.by = "OptedOutDate";
  hourly.every = std::chrono::hours{1};
  nightly.name = "nightly";
  nightly.by = "TransactionDate";
  nightly.overlap = std::chrono::hours{24 * 3650};
  nightly.filters = {{"IncludeTestRecords", {}, "true"}};
  pull.walks = {hourly, nightly};
  const auto plans = plan_walks(pull, {});
  ASSERT_THAT(plans, SizeIs(3));
  EXPECT_EQ(plans[0].every, pull.every);
  EXPECT_EQ(plans[1].every, std::chrono::hours{1});
  EXPECT_EQ(plans[1].overlap, std::chrono::hours{24 * 7}) << "opt-outs may be noted days later";
  EXPECT_EQ(plans[1].filters.size(), 1U);
  EXPECT_EQ(plans[2].every, pull.every);
  EXPECT_EQ(plans[2].overlap, std::chrono::hours{24 * 3650});
  EXPECT_EQ(plans[2].filters.size(), 2U);
  EXPECT_EQ(plans[2].by, "TransactionDate");
  EXPECT_EQ(plans[2].name.substr(0, 8), "nightly?");
  EXPECT_EQ(plans[2].from->local, pull.from->local);
}

TEST(WalkPlans, BeginAnewWithOtherFilters) {
  const auto name = [](const std::string& filter) {
    return plan_walks(pull_of("customers", filter), {}).at(0).name;
  };
  const std::set<std::string> names = {
      name(""),
      name("Statuses = [3]"),
      name("Statuses = [3, 4]"),
      name("Statuses = [34]"),
      name("CustomerIds = [3]"),
      name("DataFilters = { a = \"b\" }"),
      name("DataFilters = { a = \"c\" }"),
      name("OptedOutDateFilter = { from = 2026-01-01 }"),
      name("OptedOutDateFilter = { to = 2026-01-01 }"),
      name("AnswerFilters = [{ a = 1 }]"),
  };
  EXPECT_THAT(names, SizeIs(10));
  EXPECT_EQ(name("Statuses = [3]"), name("Statuses = [3]"));
  EXPECT_EQ(name("Statuses = [3]\nIsOptout = true"), name("IsOptout = true\nStatuses = [3]"));
  EXPECT_EQ(name("Statuses = [3]").substr(0, 17), "LastActivityDate?");
}

std::string ids(int count) {
  std::string text = "CustomerIds = [1000000";
  for (int i = 1; i < count; ++i)
    text += ", " + std::to_string(1000000 + i);
  return text + "]";
}

TEST(WalkPlans, ShareListsThatAreTooLongForAQuery) {
  const config::ServiceDialect dialect;
  const auto plans = plan_walks(pull_of("customers", ids(500) + "\nIsOptout = true"), dialect);
  std::vector<std::string> seen;
  std::set<std::string> names;
  for (const auto& plan : plans) {
    const auto parameters = std::get<0>(parameters_of(plan.filters, {}, "UTC"));
    EXPECT_LE(service::write_query(parameters, dialect, "UTC").size(), 1300U);
    ASSERT_THAT(plan.filters, SizeIs(2));
    for (const auto& id : std::get<std::vector<std::string>>(plan.filters[0].value))
      seen.push_back(id);
    names.insert(plan.name);
  }
  ASSERT_THAT(seen, SizeIs(500));
  EXPECT_EQ(seen.front(), "1000000");
  EXPECT_EQ(seen.back(), "1000499");
  EXPECT_EQ(names.size(), plans.size());
  EXPECT_GT(plans.size(), 5U);
}

TEST(WalkPlans, ShareNothingThatMeansAnotherThingInParts) {
  std::string concat = "ConcatAnswersForQuestionIds = [1";
  for (int i = 0; i < 200; ++i)
    concat += ", " + std::to_string(i);
  EXPECT_THAT(plan_walks(pull_of("ratings", concat + "]"), {}), SizeIs(1));
}

const TimePoint kToday{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}};

WalkPlan activity_plan() {
  WalkPlan plan;
  plan.name = plan.by = "LastActivityDate";
  plan.overlap = std::chrono::hours{24};
  plan.from = config::Date{std::chrono::local_days{std::chrono::year{2026} / 1 / 1}, {}};
  return plan;
}

crm::StoredWalk customers_walk() {
  crm::StoredWalk walk;
  walk.list = "customers";
  walk.walk = "LastActivityDate";
  return walk;
}

TEST(OpenWindow, BeginsAtFromInTheCrmsZone) {
  const auto open = open_window(customers_walk(), activity_plan(), "Europe/Amsterdam", kToday);
  EXPECT_EQ(*open.window_from, TimePoint{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} -
                                         std::chrono::hours{1}});
  EXPECT_EQ(*open.window_to, kToday);
}

TEST(OpenWindow, LooksBackFromTheWatermarkByTheOverlap) {
  auto before = customers_walk();
  before.watermark = kToday - std::chrono::days{2};
  EXPECT_EQ(*open_window(before, activity_plan(), "UTC", kToday).window_from,
            kToday - std::chrono::days{3});
}

TEST(OpenWindow, NeverBeginsBeforeFrom) {
  auto before = customers_walk();
  before.watermark = TimePoint{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  EXPECT_EQ(*open_window(before, activity_plan(), "UTC", kToday).window_from, *before.watermark);
}

TEST(OpenWindow, BelievesNoWatermarkThatIsAheadOfTheClock) {
  auto before = customers_walk();
  before.watermark = kToday + std::chrono::hours{1};
  EXPECT_EQ(*open_window(before, activity_plan(), "UTC", kToday).window_from,
            kToday - std::chrono::hours{24});
  before.watermark = kToday + std::chrono::days{30};
  EXPECT_EQ(*open_window(before, activity_plan(), "UTC", kToday).window_from,
            TimePoint{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}});
}

TEST(NextWindow, IsDueAtOnceWhereTheLastEndedInAFutureThatNeverCame) {
  auto hourly = activity_plan();
  hourly.every = std::chrono::hours{1};
  auto before = customers_walk();
  EXPECT_EQ(next_window(before, hourly, kToday), kToday);
  before.finished_at = kToday;
  EXPECT_EQ(next_window(before, hourly, kToday), kToday + std::chrono::hours{1});
  before.finished_at = kToday + std::chrono::days{30};
  EXPECT_EQ(next_window(before, hourly, kToday), kToday);
}

TEST(OpenWindow, WalksBouncersLookBackAgainAndAgain) {
  auto bouncers = activity_plan();
  bouncers.look_back = std::chrono::days{60};
  auto before = customers_walk();
  before.watermark = kToday;
  EXPECT_EQ(*open_window(before, bouncers, "UTC", kToday).window_from,
            kToday - std::chrono::days{60});
}

TEST(OpenWindow, GoesOnWithTheOneUnderWay) {
  auto before = customers_walk();
  before.window_from = kToday - std::chrono::days{9};
  before.window_to = kToday - std::chrono::days{8};
  before.cursor = "c7";
  before.pages = 7;
  const auto open = open_window(before, activity_plan(), "UTC", kToday);
  EXPECT_EQ(open.cursor, "c7");
  EXPECT_EQ(*open.window_to, kToday - std::chrono::days{8});
}

}  // namespace
