#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/commands/check_service.hpp"
#include "tests/in_process/instance.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr TimePoint kNow{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};

const std::string kConfiguration = R"(
[pull.customers]
from = 2026-01-01
filter = { Statuses = [3], IsOptout = true, EmailAddresses = ["a@example.test"], CustomerIds = [5], DataFilters = { OrderNumber = "x" }, AnswerFilters = [{ BaseQuestionId = 1200, ScalePositionIds = [4] }], ReviewStatus = "Approved", DateInvitedFilter = { from = 2026-01-01 }, IncludeNotes = true }
[[pull.customers.walk]]
by = "OptedOutDate"
[pull.ratings]
from = 2026-01-01
[pull.bouncers]
look_back = "365d"
filter = { DataFilters = { 1 = "x" } }
)";

constexpr const char* kBare[] = {"", "null", "[]", "{}"};

// A service with customers in every status that ignores these parameters; the findings of a pull,
// one on each line.
struct CheckFilters : testing::Test {
  void live(sandbox::Options options) {
    options.token.clear();
    options.lives_speed = 1;
    service = std::make_unique<sandbox::Service>(
        options, [this] { return sandbox::TimePoint{clock.now.time_since_epoch()}; });
    std::string customers;
    for (int i = 0; i < 200; ++i)
      customers += std::string(i == 0 ? "" : ",") + R"({"Email":"c)" + std::to_string(i) +
                   R"(@example.test","Data":[{"CustomerDataColumnId":1,"Value":"o"}]})";
    const auto reply =
        service->handle({"POST",
                         "/external/api/v3/customer/add",
                         {{"Content-Type", "application/json"}},
                         R"({"ApproveAutomatically":true,"Customers":[)" + customers + "]}"});
    ASSERT_EQ(reply.status, 200) << reply.body;
    clock.now += std::chrono::days{90};
  }
  std::vector<std::string> found(std::size_t pull, bool stored = false) {
    const auto settings = in_process::settings_of(kConfiguration);
    const auto credentials = std::get<0>(service::Credentials::make(settings.service.auth));
    const auto transport = in_process::wired(*service, {}, on_exchange);
    service::Api api(settings.service, *transport, *credentials);
    std::vector<std::string> lines;
    for (const auto& one :
         check_filters(api, settings, settings.pulls.at(pull),
                       {{1, "OrderNumber", "", false, false}}, clock.now, [&] { return stored; })) {
      lines.push_back(one.what + ": " + (one.trouble ? one.trouble->detail : one.wrong));
    }
    return lines;
  }

  // Answers without a list where a request's URL has this in it.
  void bare(const std::string& part, const std::string& body) {
    on_exchange = [=](const service::Request& request, const auto& send) -> service::Exchange {
      if (request.url.find(part) == std::string::npos) return send();
      return service::Response{
          body.empty() ? 204 : 200, {{"content-type", "application/json"}}, body};
    };
  }

  in_process::TurnedClock clock{kNow};
  std::unique_ptr<sandbox::Service> service;
  in_process::OnExchange on_exchange;
};

TEST_F(CheckFilters, FindsNothingAgainstAServiceThatHeedsThem) {
  live({});
  for (std::size_t pull : {0U, 1U, 2U})
    EXPECT_THAT(found(pull), IsEmpty());
}

TEST_F(CheckFilters, NamesEachThatIsIgnored) {
  const std::pair<const char*, std::size_t> ignored[] = {
      {"LastActivityDateFilter", 0},
      {"OptedOutDateFilter", 0},
      {"Statuses", 0},
      {"IsOptout", 0},
      {"EmailAddresses", 0},
      {"CustomerIds", 0},
      {"DataFilters", 0},
      {"AnswerFilters", 0},
      {"ReviewStatus", 0},
      {"DateInvitedFilter", 0},
      {"ReviewApprovedDateFilter", 1},
      {"TransactionDateFilter", 2},
      {"DataFilters", 2},
  };
  for (const auto& [name, pull] : ignored) {
    sandbox::Options options;
    options.ignored = {name};
    live(options);
    const auto lines = found(pull);
    ASSERT_EQ(lines.size(), 1U) << name;
    EXPECT_NE(lines[0].find(std::string(": ") + name + ": the service ignores this filter"),
              std::string::npos)
        << lines[0];
  }
}

TEST_F(CheckFilters, TakesARefusalOfWhatCannotBeForUnderstanding) {
  live({});
  on_exchange = [](const service::Request& request, const auto& send) -> service::Exchange {
    if (request.url.find("2147483647") == std::string::npos) return send();
    return service::Response{400, {}, R"({"Message":"no such code"})"};
  };
  EXPECT_THAT(found(0), IsEmpty());
}

TEST_F(CheckFilters, SaysWhatTheServiceSaysWhereItCannotAsk) {
  live({});
  on_exchange = [](const service::Request&, const auto&) -> service::Exchange {
    return service::Response{403, {}, ""};
  };
  EXPECT_EQ(found(1).size(), 1U);
}

// As a pull judges it: the service lists customers, or has never listed anything.
TEST_F(CheckFilters, TakesAnAnswerWithoutAListForAnEmptyOneAsAPullDoes) {
  live({});
  for (const std::string body : kBare) {
    bare("/getbouncers?", body);
    EXPECT_THAT(found(2, true), IsEmpty()) << body;
    bare("?", body);
    EXPECT_THAT(found(2), IsEmpty()) << body;
  }
}

TEST_F(CheckFilters, DoesNotBelieveItWhereNothingIsListedThoughSomethingWasStored) {
  live({});
  for (const std::string body : kBare) {
    bare("?", body);
    const auto lines = found(2, true);
    ASSERT_FALSE(lines.empty()) << body;
    EXPECT_THAT(lines[0], testing::HasSubstr("got an answer without that list; nor does the"));
  }
}

TEST_F(CheckFilters, NamesADataColumnThatTheServiceLacksOnce) {
  live({});
  const auto settings = in_process::settings_of(kConfiguration);
  const auto credentials = std::get<0>(service::Credentials::make(settings.service.auth));
  const auto transport = in_process::wired(*service, {});
  service::Api api(settings.service, *transport, *credentials);
  const auto lines =
      check_filters(api, settings, settings.pulls.at(0), {}, clock.now, [] { return false; });
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].wrong.find("no data column \"OrderNumber\""), std::string::npos);
}

}  // namespace
