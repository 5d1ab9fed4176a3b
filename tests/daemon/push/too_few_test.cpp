// A simulated year of shops whose rows stop, or become half: each is found in time, and nothing is
// told of a year in which all is well.
#include "daemon/push/too_few.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "daemon/commands/check_database.hpp"
#include "daemon/push/few_look.hpp"
#include "daemon/status/needs.hpp"
#include "daemon/status/report.hpp"
#include "tests/daemon/shop.hpp"

namespace {

using namespace surveybridge;
using namespace surveybridge::daemon;
using namespace std::chrono_literals;

constexpr int kHours = 24, kHistory = 98, kYear = kHistory + 365;  // days from the first on
constexpr int kNever = kYear * kHours;

struct ShopYear {
  std::function<double(int day)> rows;      // that come on average
  std::function<double(int hour)> by_hour;  // of the day: its share
  std::set<int> holidays = {};
  double scatter = 0.15;  // of the days around their average
};

double all_day(int hour) {
  return hour < 7 ? 0.01 : 0.93 / 17;
}
double at_work(int hour) {
  return hour >= 8 && hour < 18 ? 0.1 : 0;
}

// From the hour `changed` on only a share of the rows comes.
std::vector<std::int64_t> hours_of(const ShopYear& shop, std::uint64_t seed, int changed = kNever,
                                   double share = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<std::int64_t> hours;
  for (int day = 0; day < kYear; ++day) {
    const double weather = std::exp(shop.scatter * normal(random));
    for (int hour = 0; hour < kHours; ++hour) {
      double mean = shop.rows(day) * weather * shop.by_hour(hour);
      if (shop.holidays.contains(day)) mean = 0;
      if (day * kHours + hour >= changed) mean *= share;
      hours.push_back(mean > 0 ? std::poisson_distribution<std::int64_t>(mean)(random) : 0);
    }
  }
  return hours;
}

std::set<std::chrono::local_days> dates_of(const std::set<int>& days) {
  std::set<std::chrono::local_days> dates;
  for (const int day : days)
    dates.insert(std::chrono::local_days{std::chrono::days{day}});
  return dates;
}

// What a status says at the beginning of an hour.
std::optional<TooFew> judged(const std::vector<std::int64_t>& hours, int hour,
                             const std::set<std::chrono::local_days>& closed) {
  const int first = std::max(0, hour + 1 - static_cast<int>(crm::kArrivalHours));
  crm::Arrivals arrivals{first, {hours.begin() + first, hours.begin() + hour + 1}};
  arrivals.rows.back() = 0;
  return too_few({}, arrivals, 0, closed);
}

int false_alarms(const ShopYear& shop, std::uint64_t seed) {
  const auto hours = hours_of(shop, seed);
  const auto closed = dates_of(shop.holidays);
  int alarms = 0, quiet_from = 0;  // what comes back within a week is the same alarm
  for (int hour = kHistory * kHours; hour < kNever; ++hour) {
    if (!judged(hours, hour, closed)) continue;
    if (hour >= quiet_from) ++alarms;
    quiet_from = hour + 7 * kHours;
  }
  return alarms;
}

// The days until a change is told.
double days_until_told(const ShopYear& shop, std::uint64_t seed, int day, double share) {
  const int changed = day * kHours + 11;
  const auto hours = hours_of(shop, seed, changed, share);
  const auto closed = dates_of(shop.holidays);
  for (int hour = changed; hour < kNever; ++hour)
    if (judged(hours, hour, closed)) return (hour - changed) / 24.0;
  return kYear;
}

void expect_found(const ShopYear& shop, const std::vector<int>& days, double share, double within) {
  for (const int day : days) {
    const double found = days_until_told(shop, static_cast<std::uint64_t>(day), day, share);
    EXPECT_LE(found, within) << "from day " << day;
  }
}

bool is_weekend(int day) {
  return day % 7 >= 5;
}

// Tuesdays, far apart, so that a weekend has its own test.
const std::vector<int> kTuesdays = {99, 141, 190, 232, 281, 330, 372, 400};

ShopYear smallest() {
  return {[](int) { return 3.0 / 7; }, all_day};
}
ShopYear once_a_day() {
  return {[](int) { return 1.0; }, all_day};
}
ShopYear closed_on_weekends() {
  return {[](int day) { return is_weekend(day) ? 0.0 : 80.0; }, at_work};
}
ShopYear with_a_sale() {
  return {[](int day) { return day >= 205 && day < 219 ? 400.0 : 100.0; }, all_day};
}
ShopYear with_holidays() {
  return {[](int) { return 100.0; },
          all_day,
          {120, 159, 160, 161, 167, 211, 261, 263, 300, 345, 390, 424}};
}
ShopYear that_grows() {
  return {[](int day) { return 60 * std::pow(3, day / 463.0); }, all_day};
}

TEST(AYear, HasAtMostOneFalseAlarm) {
  EXPECT_LE(false_alarms(smallest(), 1), 1);
  EXPECT_LE(false_alarms(closed_on_weekends(), 2), 1);
  EXPECT_LE(false_alarms(with_a_sale(), 3), 1);
  EXPECT_LE(false_alarms(with_holidays(), 4), 1);
  EXPECT_LE(false_alarms(that_grows(), 5), 1);
  EXPECT_LE(false_alarms(once_a_day(), 6), 1);
}

// docs/GUARANTEES.md says why no rule finds the stop of the smallest within a week.
TEST(AStop, IsFoundWithinADayAndOfTheSmallestWithinAMonth) {
  expect_found(closed_on_weekends(), kTuesdays, 0, 1.1);
  expect_found(with_a_sale(), kTuesdays, 0, 1.1);
  expect_found(with_holidays(), kTuesdays, 0, 1.1);
  expect_found(that_grows(), kTuesdays, 0, 1.1);
  expect_found(once_a_day(), kTuesdays, 0, 10);
  expect_found(smallest(), kTuesdays, 0, 30);
}

// Not while the weeks of the sale are most of those that tell what is usual.
TEST(AHalving, IsFoundWithinEightDays) {
  expect_found(closed_on_weekends(), kTuesdays, 0.5, 8);
  expect_found(with_a_sale(), {99, 141, 190, 281, 330, 372, 400}, 0.5, 8);
  expect_found(with_holidays(), kTuesdays, 0.5, 8);
  expect_found(that_grows(), kTuesdays, 0.5, 8);
}

TEST(TooFewRows, AreNotToldOfAWeekendOrAHolidayThatIsNamed) {
  const auto holidays = with_holidays();
  const auto hours = hours_of(holidays, 4);
  const int end = 121 * kHours;
  EXPECT_FALSE(judged(hours, end, dates_of(holidays.holidays)));
  EXPECT_TRUE(judged(hours, end, {})) << "nobody has named it";
  const auto weekends = hours_of(closed_on_weekends(), 2);
  for (int hour = 103 * kHours; hour < 105 * kHours; ++hour)
    EXPECT_FALSE(judged(weekends, hour, {})) << hour;
}

crm::Arrivals daily(int days, std::int64_t rows) {
  crm::Arrivals arrivals;
  for (int hour = 0; hour <= days * kHours; ++hour)
    arrivals.rows.push_back(hour % kHours == 9 ? rows : 0);
  return arrivals;
}

TEST(TooFewRows, AreNotToldWithoutThreeWeeks) {
  auto young = daily(20, 50);
  young.rows.resize(young.rows.size() + 26);
  auto older = daily(22, 50);
  older.rows.resize(older.rows.size() + 26);
  EXPECT_FALSE(too_few({}, young, 0));
  const auto found = too_few({}, older, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->days, 1);
  EXPECT_EQ(found->came, 0);
  EXPECT_EQ(found->usual, 50);
}

TEST(TooFewRows, AreNotToldWhereTheyWait) {
  auto stopped = daily(40, 50);
  stopped.rows.resize(stopped.rows.size() + 30);
  EXPECT_TRUE(too_few({}, stopped, 10));
  EXPECT_FALSE(too_few({}, stopped, 50)) << "they are found, and cannot be sent";
}

TEST(TooFewRows, AreThoseBelowANumberThatSomebodyHasNamed) {
  using Expect = config::Expect;
  const auto five_daily = daily(8, 5);
  EXPECT_TRUE(too_few({Expect::By::number, 6, 1}, five_daily, 0));
  EXPECT_FALSE(too_few({Expect::By::number, 5, 1}, five_daily, 0));
  EXPECT_FALSE(too_few({Expect::By::number, 35, 7}, five_daily, 0));
  EXPECT_TRUE(too_few({Expect::By::number, 41, 7}, five_daily, 0));
  EXPECT_FALSE(too_few({Expect::By::number, 41, 7}, daily(6, 5), 0)) << "no week has gone by";
  auto stopped = daily(40, 50);
  stopped.rows.resize(stopped.rows.size() + 30);
  EXPECT_FALSE(too_few({Expect::By::nothing}, stopped, 0));
}

TEST(TooFewRows, AreToldAfterAWeekInWhichNoneHasEverCome) {
  const auto none = [](int days) { return daily(days, 0); };
  EXPECT_FALSE(too_few({}, none(6), 0));
  const auto found = too_few({}, none(9), 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (TooFew{9, 0, 0}));
  EXPECT_FALSE(too_few({}, none(9), 1)) << "it waits, perhaps for the brake";
  EXPECT_FALSE(too_few({config::Expect::By::nothing}, none(9), 0));
  const auto yesterday = std::chrono::local_days{std::chrono::days{8}};
  EXPECT_FALSE(too_few({}, none(9), 0, {yesterday})) << "closed";
}

TEST(TooFewRows, AreNotMissedBeforeTheStart) {
  config::Push push;
  push.start.local = std::chrono::local_days{std::chrono::days{5}};
  EXPECT_FALSE(too_few(push, daily(9, 0), 0, "UTC"));
  EXPECT_TRUE(too_few(push, daily(13, 0), 0, "UTC"));
  push.start.local = std::chrono::local_days{std::chrono::days{20}};
  push.expect = {config::Expect::By::number, 6, 1};
  EXPECT_FALSE(too_few(push, daily(9, 0), 0, "UTC")) << "it lies in the future";
  EXPECT_TRUE(too_few(push, daily(22, 0), 0, "UTC"));
}

TEST(TooFewRows, AreNotToldOfABatchThatComesEverySecondWeek) {
  crm::Arrivals arrivals;
  for (int day = 0; day < 112; ++day)
    for (int hour = 0; hour < kHours; ++hour)
      arrivals.rows.push_back(day % 14 == 0 && hour == 9 ? 20 : 0);
  for (int last = 98 * kHours; last < 112 * kHours; ++last) {
    crm::Arrivals until{0, {arrivals.rows.begin(), arrivals.rows.begin() + last}};
    EXPECT_FALSE(too_few({}, until, 0)) << last;
  }
  arrivals.rows.resize(arrivals.rows.size() + 2 * kHours);
  EXPECT_TRUE(too_few({}, arrivals, 0)) << "it has not come";
}

// A batch once a day that comes a little later each time.
TEST(TooFewRows, AreNotToldOfADailyBatchThatIsNotPunctual) {
  crm::Arrivals arrivals;
  for (int day = 0; day < 40; ++day)
    for (int hour = 0; hour < kHours; ++hour)
      arrivals.rows.push_back(hour == (day % 2 == 0 ? 2 : 3) ? 80 : 0);
  for (int last = 30 * kHours; last < 40 * kHours; ++last) {
    crm::Arrivals until{0, {arrivals.rows.begin(), arrivals.rows.begin() + last}};
    EXPECT_FALSE(too_few({}, until, 0)) << last;
  }
}

TEST(ASilentList, IsToldAfterTwoDaysAtTheEarliestAndOnlyWhereNothingComes) {
  auto stopped = daily(40, 50);
  stopped.rows.resize(stopped.rows.size() + 30);
  EXPECT_FALSE(silence(stopped)) << "a day of silence";
  stopped.rows.resize(stopped.rows.size() + 24);
  const auto found = silence(stopped);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->days, 2);
  stopped.rows.back() = 1;
  EXPECT_FALSE(silence(stopped)) << "something comes";
}

TEST(TooFewRows, AreASentence) {
  const TimePoint last = std::chrono::sys_days{std::chrono::year{2026} / 11 / 20} + 14h;
  EXPECT_EQ(too_few_text({1, 3, 61, last}, "transaction"),
            "too few come: 3 transactions in the last 24 hours instead of 61; the last one in"
            " the hour of 2026-11-20T14:00:00Z");
  EXPECT_EQ(too_few_text({7, 0, 5, {}}, "new record"),
            "too few come: 0 new records in the last 7 days instead of 5");
  EXPECT_EQ(
      too_few_text({9, 0, 0, {}}, "transaction"),
      "too few come: 0 transactions in the last 9 days, which is as long as they are counted");
}

TEST(TooFewRows, SayWhereToLook) {
  const TimePoint now = std::chrono::sys_days{std::chrono::year{2026} / 11 / 20};
  crm::Narrowing counted{0, 59};
  counted.conditions = {{" state =\n 'delivered' ", 1, 59}, {" email <> 'me@example.test'", 2, 5}};
  counted.latest = now - 96h;
  crm::FewRows seen{"orders", "a\nb\n", "c\nb\n", now - 48h, "", {}};
  const auto text = [&] { return look_text(counted, "at", 1, now, seen); };
  EXPECT_EQ(text(),
            "of 59 rows of the last 24 hours by \"at\" 0 meet the query's conditions: without"
            " (state = 'delivered') 59 would, without its condition 2 5 would; its columns have"
            " changed at 2026-11-18T00:00:00Z, without \"c\", with \"a\"; the latest row that the"
            " query finds is of 2026-11-16T00:00:00Z, 4 days ago");
  counted = {2, 2};
  seen.columns_before = "b\na\n";
  const std::string all = "of 2 rows of the last 24 hours by \"at\" 2 meet the query's conditions";
  EXPECT_EQ(text(), all) << "in another order";
  seen.columns_before = "c\n";
  seen.changed_at = now - 24h * 9;
  EXPECT_EQ(text(), all) << "long ago";
  counted = {crm::kNarrowingMost};
  counted.empty_columns = {"email", "name"};
  EXPECT_EQ(text(),
            "the query finds 10000 or more rows of the last 24 hours by \"at\"; \"email\", \"name\""
            " are NULL in each of them, and were not before");
  counted = {0, 0};
  EXPECT_EQ(text(),
            "without its conditions the query finds no row of the last 24 hours by \"at\", too");
}

TEST(TooFewRows, SayWhereToLookInEachNeed) {
  StatusReport report;
  report.waiting.push_back({"orders", 0, 0, ""});
  auto& found = report.waiting[0].too_few.emplace(TooFew{1, 3, 61});
  EXPECT_NE(needs_of(report).at(0).what.find("may no longer fit the CRM"), std::string::npos);
  found.look = "of 61 rows";
  const std::string what = needs_of(report).at(0).what;
  EXPECT_EQ(what,
            "orders: too few come: 3 transactions in the last 24 hours instead of 61; of 61 rows");
}

// A whole daemon on a CRM that gives a state another name.
class SilentShops : public in_process::Shop {
 protected:
  SilentShops() {
    settings_.pulls.clear();
    settings_.pushes.at(0).brake = false;
    settings_.pushes.at(0).expect = {config::Expect::By::number, 1, 1};
  }
  StatusReport status() {
    const auto database = in_process::watched(crm::open_database(connection_), clock_, {});
    return report(settings_, *database, *database);
  }
};

TEST_F(SilentShops, AreToldAfterADay) {
  order("1");
  run(20min);
  EXPECT_FALSE(status().waiting.at(0).too_few) << "no day has gone by";
  run(26h);
  const auto silent = status().waiting.at(0).too_few;
  ASSERT_TRUE(silent);
  EXPECT_EQ(silent->came, 0);
  EXPECT_EQ(silent->usual, 1);
  ASSERT_TRUE(silent->last);
  order("2");
  EXPECT_FALSE(status().waiting.at(0).too_few) << "it waits";
  run(20min);
  EXPECT_FALSE(status().waiting.at(0).too_few) << "it has come";
}

TEST_F(SilentShops, SayWhichConditionLeavesTheRowsOut) {
  query("SELECT * FROM orders WHERE grade = '5'");
  order("1");
  run(20min);
  sql("ALTER TABLE orders ADD COLUMN note TEXT");
  sql("INSERT INTO orders VALUES ('2', NULL, 'five', '2026-11-10T20:00:00Z', NULL),"
      " ('3', NULL, 'five', '2026-11-10T21:00:00Z', NULL)");
  run(26h);
  const auto few = status().waiting.at(0).too_few;
  ASSERT_TRUE(few);
  for (const char* part :
       {"of 2 rows of the last 24 hours by \"delivered_at\" 0 meet the query's conditions: without"
        " (grade = '5') 2 would; \"email\" is NULL in each of them, and was not before; ",
        "its columns have changed at 2026-11-10T00:2", "Z, with \"note\"; ",
        "the latest row that the query finds is of 2026-11-09T12:00:00Z, "})
    EXPECT_NE(few->look.find(part), std::string::npos) << part << "\n" << few->look;
  const auto looks = [&] { return number("SELECT COUNT(look) FROM survey_few"); };
  EXPECT_EQ(looks(), 1);
  sql("UPDATE orders SET grade = '5', email = 'person@example.test' WHERE id = '2'");
  run(20min);
  EXPECT_EQ(looks(), 0) << "enough comes";
}

TEST_F(SilentShops, AreExplainedByTheRowThatWasSentLast) {
  order("1");
  run(20min);
  run(26h);
  const auto database = in_process::watched(crm::open_database(connection_), clock_, {});
  const auto& push = settings_.pushes.at(0);
  const auto note = [&] {
    crm::Source source(*database, crm::source_query(push, "UTC"));
    return too_few_note(settings_, push, *database, *database, source);
  };
  const std::string there = note();
  EXPECT_NE(there.find("\"1\" was sent last, at 2026-11-10T00:"), std::string::npos) << there;
  EXPECT_NE(there.find("the query still returns it"), std::string::npos) << there;
  EXPECT_NE(there.find("the query finds 0 rows of the last 24 hours"), std::string::npos) << there;
  settings_.pushes.at(0).closed = {std::chrono::local_days{
      std::chrono::floor<std::chrono::days>(clock_.now).time_since_epoch()}};
  EXPECT_EQ(note(), "") << "closed";
  settings_.pushes.at(0).closed.clear();
  sql("DELETE FROM orders");
  const std::string gone = note();
  EXPECT_NE(gone.find("the query no longer returns it"), std::string::npos) << gone;
  order("2");
  EXPECT_EQ(note(), "");
}

}  // namespace
