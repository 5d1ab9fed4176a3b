// Public holidays as calendar programs write them, and files that are none.
#include "config/calendar.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "config/sections/load.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::config {
namespace {

using std::chrono::year;
using testing::ElementsAre;
using testing::HasSubstr;

std::string event(const std::string& lines) {
  return "BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + lines + "END:VEVENT\nEND:VCALENDAR\n";
}

std::vector<std::string> days_in(const std::string& text) {
  const auto read = read_calendar(text);
  if (const auto* fault = std::get_if<CalendarFault>(&read))
    return {fmt::format("{}: {}", fault->line, fault->rule)};
  std::vector<std::string> all;
  for (const auto day : std::get<std::vector<std::chrono::local_days>>(read)) {
    const std::chrono::year_month_day date{day};
    all.push_back(fmt::format("{}-{:02}-{:02}", static_cast<int>(date.year()),
                              static_cast<unsigned>(date.month()),
                              static_cast<unsigned>(date.day())));
  }
  return all;
}

TEST(Calendar, GivesTheWholeDaysOfItsEvents) {
  EXPECT_THAT(
      days_in("\xEF\xBB\xBF"
              "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"
              "BEGIN:VTIMEZONE\r\nDTSTART:19700329T020000\r\nEND:VTIMEZONE\r\n"
              "BEGIN:VEVENT\r\nSUMMARY:Christ\r\n mas\r\nDTSTART;VALUE=DATE:202612\r\n 25\r\n"
              "DTEND;VALUE=DATE:20261227\r\nBEGIN:VALARM\r\nDURATION:PT5M\r\nEND:VALARM\r\n"
              "END:VEVENT\r\n"
              "begin:vevent\r\ndtstart:20270101\r\nend:vevent\r\n"
              "BEGIN:VEVENT\r\nDTSTART:20270202\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\n"
              "END:VCALENDAR\r\n"),
      ElementsAre("2026-12-25", "2026-12-26", "2027-01-01"));
}

TEST(Calendar, RepeatsYearlyEvents) {
  EXPECT_THAT(days_in(event("DTSTART:20261231\nDTEND:20270102\nRRULE:FREQ=YEARLY;COUNT=2\n")),
              ElementsAre("2026-12-31", "2027-01-01", "2027-12-31", "2028-01-01"));
  EXPECT_THAT(days_in(event("DTSTART:20240229\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;"
                            "UNTIL=20320229T000000Z\n")),
              ElementsAre("2024-02-29", "2028-02-29", "2032-02-29"));
  EXPECT_THAT(days_in(event("DTSTART:20260427\nRRULE:FREQ=YEARLY;INTERVAL=40\n")),
              ElementsAre("2026-04-27", "2066-04-27"))
      << "up to the year 2100";
}

TEST(Calendar, SaysWhichLineIsAtFault) {
  EXPECT_THAT(days_in("<html>"), ElementsAre(HasSubstr("1: is no iCalendar file")));
  EXPECT_THAT(days_in(""), ElementsAre(HasSubstr("1: is no iCalendar file")));
  EXPECT_THAT(days_in("BEGIN:VCALENDAR\nEND:VCALENDAR\n"), ElementsAre("0: has no VEVENT"));
  EXPECT_THAT(days_in("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261225\n"),
              ElementsAre(HasSubstr("2: the event has no end")));
  EXPECT_THAT(days_in(event("SUMMARY:x\n")), ElementsAre(HasSubstr("2: the event has no DTSTART")));
  EXPECT_THAT(days_in(event("DTSTART;TZID=Europe/Amsterdam:20261225T090000\n")),
              ElementsAre("3: DTSTART must be a whole day such as 20261225, got "
                          "\"20261225T090000\""));
  EXPECT_THAT(days_in(event("DTSTART:20260230\n")), ElementsAre(HasSubstr("3: DTSTART must be")));
  EXPECT_THAT(days_in(event("DTSTART:20261225\nDTEND:20261224\n")),
              ElementsAre(HasSubstr("2: DTEND must be after DTSTART")));
  EXPECT_THAT(days_in(event("DTSTART:20261225\nDTEND:20281225\n")),
              ElementsAre(HasSubstr("by at most 366 days")));
  EXPECT_THAT(days_in(event("DTSTART:20260901\nRRULE:FREQ=YEARLY;BYDAY=1MO;BYMONTH=9\n")),
              ElementsAre(HasSubstr("4: RRULE must be FREQ=YEARLY with INTERVAL, COUNT, UNTIL, and "
                                    "BYMONTH and BYMONTHDAY of DTSTART, got \"BYDAY=1MO\"")));
  EXPECT_THAT(days_in(event("DTSTART:20260901\nRRULE:FREQ=YEARLY;BYMONTH=8\n")),
              ElementsAre(HasSubstr("got \"BYMONTH=8\"")));
  EXPECT_THAT(days_in(event("DTSTART:20260901\nRRULE:COUNT=2\n")),
              ElementsAre(HasSubstr("got \"no FREQ\"")));
  EXPECT_THAT(days_in(event("DTSTART:20260901\nEXDATE:20270901\n")),
              ElementsAre(HasSubstr("4: EXDATE is not read")));
}

TEST(Calendar, IsBounded) {
  std::string many = "BEGIN:VCALENDAR\n";
  for (int i = 0; i < 137; ++i)
    many += "BEGIN:VEVENT\nDTSTART:20260101\nDTEND:20270101\nEND:VEVENT\n";
  EXPECT_THAT(days_in(many), ElementsAre("546: the file has more than 50000 days"));
  EXPECT_THAT(days_in(event("DTSTART:00010101\nDTEND:00011231\nRRULE:FREQ=YEARLY\n")),
              ElementsAre(HasSubstr("more than 50000 days")));
}

TEST(Calendar, OfAPushHasItsFaultsAtItsOwnLines) {
  const support::TemporaryFolder folder;
  const auto said = [&](const std::string& file) {
    const auto read = parse(
        "[service]\nbase_url = \"https://surveys.example.com\"\n[crm]\nconnection = "
        "\"sqlite3://crm.db\"\n[push.orders]\nquery = \"SELECT 1\"\nkey = \"id\"\nwhen = "
        "\"at\"\nstart = 2026-11-01\nclosed = [2026-12-24]\nclosed_file = \"" +
            file + "\"\n[push.orders.customer]\nEmail = \"email\"\n",
        "bridge.toml");
    if (const auto* problems = std::get_if<std::vector<Problem>>(&read))
      return to_string(problems->at(0));
    return fmt::format("{} days", std::get<Settings>(read).pushes.at(0).closed.size());
  };
  EXPECT_EQ(said(folder.write("good.ics", event("DTSTART:20261224\nDTEND:20261226\n"))), "2 days")
      << "each day once";
  const std::string bad = folder.write("bad.ics", event("DTSTART:20261225\nRDATE:20261226\n"));
  EXPECT_EQ(said(bad), bad +
                           ":4:1: push.orders.closed_file: RDATE is not read: write the days as "
                           "events of their own");
  EXPECT_THAT(said(folder.path() + "/none.ics"),
              HasSubstr("bridge.toml:11:15: push.orders.closed_file: \"" + folder.path()));
}

}  // namespace
}  // namespace surveybridge::config
