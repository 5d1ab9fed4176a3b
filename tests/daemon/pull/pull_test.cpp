// Running pulls: names of statuses and columns, filters, and a service that ignores a filter.
#include <algorithm>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/values/dates.hpp"
#include "tests/in_process/instance.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace surveybridge;
using std::chrono::days;
using std::chrono::hours;
using testing::SizeIs;

constexpr daemon::TimePoint kBegin{std::chrono::sys_days{std::chrono::year{2026} / 11 / 10}};

const std::string kConfiguration = R"(
[pull.customers]
every = "5m"
from = 2026-11-09
)";

struct Pulls : testing::Test {
  void start(const std::string& more, sandbox::Options options = {}) {
    options.token.clear();
    options.lives_speed = 0;
    service = std::make_unique<sandbox::Service>(
        options, [this] { return sandbox::TimePoint{clock.now.time_since_epoch()}; });
    settings = in_process::settings_of(kConfiguration + more);
  }
  void restart() {
    instance = std::make_unique<in_process::Instance>(
        settings,
        in_process::Outside{.database = folder.path() + "/crm.db",
                            .service = *service,
                            .clock = clock,
                            .on_exchange = on_exchange},
        1);
  }
  void run(daemon::Duration longer) {
    if (!instance) restart();
    instance->run_until(clock.now + longer);
  }
  // Adds customers with order numbers 0 to count - 1.
  void add(int count) {
    std::string customers;
    for (int i = 0; i < count; ++i)
      customers += std::string(i == 0 ? "" : ",") + R"({"Email":"c)" + std::to_string(i) +
                   R"(@example.test","Data":[{"CustomerDataColumnId":1,"Value":")" +
                   std::to_string(i) + R"("}]})";
    const auto reply =
        service->handle({"POST",
                         "/external/api/v3/customer/add",
                         {{"Content-Type", "application/json"}},
                         R"({"ApproveAutomatically":true,"Customers":[)" + customers + "]}"});
    ASSERT_EQ(reply.status, 200) << reply.body;
  }
  std::int64_t count(const std::string& sql) {
    auto database = crm::open_database("sqlite3://" + folder.path() + "/crm.db");
    const auto cell = database->query({sql, {}}).rows.at(0).at(0);
    const auto* number = std::get_if<std::int64_t>(&cell);
    return number ? *number : std::stoll(std::get<std::string>(cell));
  }
  std::int64_t stored() { return count("SELECT COUNT(*) FROM survey_customer"); }

  // Answers so many requests for lists so, as long as they last.
  in_process::OnExchange refused(int status, std::shared_ptr<int> times) {
    return [=](const service::Request& request, const auto& send) -> service::Exchange {
      if (request.url.find("/customer?") == std::string::npos || *times <= 0) return send();
      --*times;
      return service::Response{status, {{"content-type", "text/html"}}, "<html>blocked</html>"};
    };
  }

  support::TemporaryFolder folder;
  in_process::TurnedClock clock{kBegin};
  std::unique_ptr<sandbox::Service> service;
  config::Settings settings;
  std::unique_ptr<in_process::Instance> instance;
  in_process::OnExchange on_exchange;
};

using Names = Pulls;

// The service cannot show one of its customers.
struct OnePoison : Pulls {
  // Five customers, an hour apart; each page with the third is answered so.
  void add_five(int status) {
    add_five(service::Response{status, {}, R"({"Message":"An error has occurred."})"});
  }
  void add_five(const service::Exchange& answer) {
    for (int i = 0; i < 5; ++i) {
      if (i == 2) bad_ = clock.now;
      add(1);
      clock.now += hours{1};
    }
    on_exchange = [this, answer](const service::Request& request,
                                 const auto& send) -> service::Exchange {
      if (is_well_ || request.url.find("/customer?") == std::string::npos) return send();
      ++asked_;
      const auto from = date_in(request.url, "Filter.From="),
                 to = date_in(request.url, "Filter.To=");
      return from && *from <= bad_ && (!to || *to >= bad_) ? answer : send();
    };
  }
  static std::optional<daemon::TimePoint> date_in(const std::string& url, const std::string& name) {
    const auto at = url.find(name);
    if (at == std::string::npos) return std::nullopt;
    const auto begin = at + name.size();
    std::string date = url.substr(begin, url.find('&', begin) - begin);
    for (auto colon = date.find("%3A"); colon != std::string::npos; colon = date.find("%3A"))
      date.replace(colon, 3, ":");
    const auto read = mapping::read_date(date);
    return read ? std::optional(std::get<mapping::Instant>(read->value)) : std::nullopt;
  }

  daemon::TimePoint bad_;
  int asked_ = 0;
  bool is_well_ = false;  // the service answers for all
};

TEST_F(OnePoison, ARecordThatEarnsA500IsLeftOutAndAllOthersAreRead) {
  start("");
  add_five(500);
  run(hours{2});
  EXPECT_EQ(stored(), 4);
  EXPECT_TRUE(
      instance->log().has("the service does not answer for what it lists by "
                          "LastActivityDate from 2026-11-10T0"));
  EXPECT_LE(asked_, 24 * 60);
  add(1);
  run(hours{1});
  EXPECT_EQ(stored(), 5) << "it goes on";
}

TEST_F(OnePoison, IsReadAroundWhereItsPageTimesOutToo) {
  start("");
  add_five(504);
  run(hours{2});
  EXPECT_EQ(stored(), 4);
}

TEST_F(OnePoison, IsReadAroundWhereItsPageIsTooLarge) {
  start("");
  add_five(service::Failure{service::Failure::Kind::too_large, "more than max_body", 200});
  run(hours{2});
  EXPECT_EQ(stored(), 4);
}

TEST_F(OnePoison, IsReadAroundWhereItsPageCannotBeRead) {
  start("");
  add_five(service::Response{
      200, {{"content-type", "application/json"}}, R"({"Customers":null,"Message":"busy"})"});
  run(hours{2});
  EXPECT_EQ(stored(), 4);
}

// What such a page lacks may be anything, and comes when the service is well again.
TEST_F(OnePoison, APageThatIsNotWholeIsWaitedForAndNothingIsLeftOut) {
  start("");
  add_five(service::Response{200,
                             {{"content-type", "application/json"}},
                             R"({"Customers":[],"NextCursor":null,"Partial":true})"});
  run(hours{5});
  EXPECT_LE(stored(), 2);
  EXPECT_TRUE(instance->log().has("says that it is not whole"));
  EXPECT_FALSE(instance->log().has("left out"));
  is_well_ = true;
  run(hours{2});
  EXPECT_EQ(stored(), 5);
}

// Nothing is left out of a list that fails as a whole.
TEST_F(OnePoison, AListThatFailsAsAWholeIsWaitedFor) {
  start("");
  add(3);
  const auto times = std::make_shared<int>(1'000'000);
  on_exchange = refused(500, times);
  run(hours{5});
  EXPECT_FALSE(instance->log().has("left out"));
  *times = 0;
  run(hours{1});
  EXPECT_EQ(stored(), 3);
}

// A firewall blocks for a moment, or a permission is given later.
TEST_F(Pulls, GoOnAfterA403) {
  start("");
  add(2);
  const auto times = std::make_shared<int>(3);
  on_exchange = refused(403, times);
  run(hours{1});
  EXPECT_EQ(*times, 0);
  EXPECT_EQ(stored(), 2);
  EXPECT_TRUE(instance->log().has("forbidden: HTTP 403"));
}

TEST_F(Pulls, GoOnAtOnceAfterA403WhenAPersonWantsIt) {
  start("");
  add(2);
  const auto times = std::make_shared<int>(1'000);
  on_exchange = refused(403, times);
  run(hours{1});
  EXPECT_GT(*times, 960) << "it is asked again at intervals";
  *times = 0;
  for (const auto& job : instance->jobs()) {
    if (!job->name().starts_with("pull.customers")) continue;
    job->make_due();
    for (int i = 0; i < 5; ++i) {
      job->step(clock.now);
      clock.now += std::chrono::seconds{1};
    }
  }
  EXPECT_EQ(stored(), 2);
}

TEST_F(Names, OfStatusesAndDataColumnsAreStored) {
  start("");
  run(std::chrono::minutes{1});
  EXPECT_EQ(count("SELECT COUNT(*) FROM survey_status"), 13);
  EXPECT_EQ(count("SELECT COUNT(*) FROM survey_status WHERE code = 7 AND name = 'Finished'"), 1);
  EXPECT_EQ(count("SELECT COUNT(*) FROM survey_data_column"), 7);
  EXPECT_EQ(count("SELECT id FROM survey_data_column WHERE name = 'FirstName'"), 2);
}

TEST_F(Names, AreReadOnceAnHourAndNotAgainByAnotherProcess) {
  start("");
  run(std::chrono::minutes{50});
  const auto asked = [&] {
    std::int64_t times = 0;
    for (const auto& job : instance->jobs())
      if (job->name() == "pull.names") times = job->status().done;
    return times;
  };
  EXPECT_EQ(asked(), 20);
  restart();
  run(std::chrono::minutes{5});
  EXPECT_EQ(asked(), 0);
  run(hours{1});
  EXPECT_EQ(asked(), 20);
}

TEST_F(Pulls, ReadAgainBeforeTheirTimeWhenAPersonAsksForIt) {
  start("");
  run(std::chrono::minutes{1});
  add(1);
  const auto pull = std::ranges::find_if(instance->jobs(), [](const auto& job) {
    return job->name() == "pull.customers.LastActivityDate";
  });
  ASSERT_NE(pull, instance->jobs().end());
  (*pull)->step(clock.now);
  EXPECT_EQ(stored(), 0) << "it is not due";
  (*pull)->make_due();
  (*pull)->step(clock.now);
  EXPECT_EQ(stored(), 1);
  add(2);
  (*pull)->step(clock.now);
  EXPECT_EQ(stored(), 1) << "one window was asked for";
}

TEST_F(Pulls, ReadAWindowAfterTheOneThatIsUnderWayWhenAPersonAsksForIt) {
  start("limit = 1\n");
  add(2);
  restart();
  const auto pull = std::ranges::find_if(instance->jobs(), [](const auto& job) {
    return job->name() == "pull.customers.LastActivityDate";
  });
  ASSERT_NE(pull, instance->jobs().end());
  (*pull)->step(clock.now);
  ASSERT_EQ(stored(), 1);
  clock.now += std::chrono::seconds{2};
  add(1);  // after the window
  (*pull)->make_due();
  // Up to the wait for the next window; the pace lets a request go a moment after the last one.
  for (auto at = clock.now; at < kBegin + std::chrono::minutes{1}; at = (*pull)->step(clock.now))
    clock.now = at;
  EXPECT_EQ(stored(), 3);
}

TEST_F(Pulls, StoreOnlyWhatTheirFilterAsksFor) {
  start("filter = { DataFilters = { OrderNumber = \"1\" } }\n");
  add(3);
  run(std::chrono::minutes{10});
  EXPECT_EQ(stored(), 1);
  EXPECT_EQ(count("SELECT COUNT(*) FROM survey_customer WHERE email = 'c1@example.test'"), 1);
}

TEST_F(Pulls, ReadEverythingAgainForOtherFilters) {
  start("filter = { EmailAddresses = [\"c1@example.test\"] }\n");
  add(3);
  run(std::chrono::minutes{10});
  clock.now += days{9};
  settings = in_process::settings_of(kConfiguration);
  restart();
  run(std::chrono::minutes{10});
  EXPECT_EQ(stored(), 3);
}

TEST_F(Pulls, ShareAListThatIsTooLongForOneQuery) {
  std::string addresses;
  for (int i = 0; i < 150; ++i)
    addresses += "\"c" + std::to_string(i) + "@example.test\", ";
  start("filter = { EmailAddresses = [" + addresses + "] }\n");
  add(150);
  run(std::chrono::minutes{10});
  EXPECT_EQ(stored(), 150);
}

TEST_F(Pulls, SayWhichDataColumnTheServiceLacks) {
  start("filter = { DataFilters = { OrderNo = 1 } }\n");
  add(1);
  run(std::chrono::minutes{20});
  EXPECT_EQ(stored(), 0);
  EXPECT_TRUE(instance->log().has("the service has no data column \"OrderNo\""));
}

TEST_F(Pulls, WalkAListAsOftenAsEachWalkWants) {
  start(R"(
[[pull.customers.walk]]
by = "OptedOutDate"
every = "1h"
[[pull.customers.walk]]
name = "nightly"
by = "TransactionDate"
every = "24h"
overlap = "3650d"
)");
  add(3);
  run(std::chrono::minutes{1});
  const auto walks = [&](const std::string& name) {
    return count("SELECT COUNT(*) FROM survey_cursor WHERE walk = '" + name + "'");
  };
  EXPECT_EQ(walks("LastActivityDate") + walks("OptedOutDate") + walks("nightly"), 3);
  const auto finished = [&](const std::string& name) {
    return count(
        "SELECT CAST(strftime('%s', finished_at) AS INTEGER) FROM survey_cursor"
        " WHERE walk = '" +
        name + "'");
  };
  const auto begun = finished("nightly");
  run(hours{23});
  EXPECT_EQ(finished("nightly"), begun);
  EXPECT_GT(finished("OptedOutDate"), begun + 21 * 3600);
  EXPECT_LE(finished("OptedOutDate"), begun + 23 * 3600);
  EXPECT_GT(finished("LastActivityDate"), begun + 23 * 3600 - 360);
  run(hours{2});
  EXPECT_GT(finished("nightly"), begun + 24 * 3600 - 60);
}

TEST_F(Pulls, ReadEverythingAgainWhereTheOverlapIsLongerThanAll) {
  start("by = \"TransactionDate\"\noverlap = \"3650d\"\n");
  settings.pulls.at(0).every = days{1};
  add(2);
  run(std::chrono::minutes{1});
  auto crm = crm::open_database("sqlite3://" + folder.path() + "/crm.db");
  crm->execute({"DELETE FROM survey_customer", {}});
  run(days{3});
  EXPECT_EQ(stored(), 2);
}

struct Ignoring : Pulls {
  void ignore(const std::string& parameter, const std::string& more) {
    sandbox::Options options;
    options.ignored = {parameter};
    start(more, options);
  }
  // Without the reminders that count how often it happened again.
  std::int64_t times_said(const std::string& text) {
    return std::ranges::count_if(instance->log().lines(), [&](const std::string& line) {
      return line.find(text) != line.npos && line.find(" (again, ") == line.npos;
    });
  }
};

TEST_F(Ignoring, AWindowIsSaidOnceAndWhatLiesOutsideIsNotStored) {
  ignore("TransactionDateFilter", "by = \"TransactionDate\"\n");
  clock.now = kBegin - days{30};
  add(2);
  clock.now = kBegin;
  add(1);
  run(hours{2});
  EXPECT_EQ(stored(), 1);
  EXPECT_EQ(times_said("ignores TransactionDateFilter"), 1);
  EXPECT_EQ(count("SELECT COUNT(*) FROM survey_cursor WHERE ignored = 'TransactionDateFilter'"), 1);
}

TEST_F(Ignoring, AFilterIsSaidOnceAndWhatItForbidsIsNotStored) {
  ignore("EmailAddresses", "filter = { EmailAddresses = [\"c1@example.test\"] }\nlimit = 2\n");
  add(5);
  run(hours{2});
  EXPECT_EQ(stored(), 1);
  EXPECT_EQ(times_said("ignores EmailAddresses"), 1);
}

// Nothing of them is stored but what is known of the people.
TEST_F(Ignoring, AFilterHidesNobodyWhoOptedOut) {
  ignore("EmailAddresses", "filter = { EmailAddresses = [\"c1@example.test\"] }\nlimit = 2\n");
  add(5);
  on_exchange = [](const service::Request& request, const auto& send) {
    auto answer = send();
    auto* response = std::get_if<service::Response>(&answer);
    if (request.method == "GET" && response != nullptr)
      response->body =
          std::regex_replace(response->body, std::regex("\"OptedOut\":false"), "\"OptedOut\":true");
    return answer;
  };
  run(hours{2});
  EXPECT_EQ(stored(), 1);
  EXPECT_EQ(count("SELECT COUNT(DISTINCT person) FROM survey_person WHERE kind = 'opted_out'"), 5);
}

TEST_F(Ignoring, IsOverWhenAWholeWindowFits) {
  ignore("CustomerIds", "filter = { CustomerIds = [999999] }\n");
  add(1);
  run(hours{1});
  const std::string ignored = "SELECT COUNT(*) FROM survey_cursor WHERE ignored IS NOT NULL";
  EXPECT_EQ(count(ignored), 1);
  clock.now += days{30};  // the overlap no longer includes the customer
  instance.reset();
  run(hours{1});
  EXPECT_EQ(count(ignored), 0);
}

}  // namespace
