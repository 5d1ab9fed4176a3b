// The days of an iCalendar file (RFC 5545), such as public holidays. Pure.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace surveybridge::config {

struct CalendarFault {
  int line = 0;  // from 1; 0: the file as a whole
  std::string rule;
};

// Every day of every VEVENT, those of yearly ones up to the year 2100; or the first fault. Read are
// whole days (DTSTART, DTEND) of at most 366, and an RRULE that is FREQ=YEARLY with INTERVAL,
// COUNT, UNTIL, BYMONTH and BYMONTHDAY, the last two as DTSTART has them. Clock times, other rules
// and exceptions are refused, and so are more than 50,000 days. A cancelled event has no days.
std::variant<std::vector<std::chrono::local_days>, CalendarFault> read_calendar(
    std::string_view text);

}  // namespace surveybridge::config
