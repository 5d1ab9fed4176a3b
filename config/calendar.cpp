#include "config/calendar.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "config/text.hpp"

namespace surveybridge::config {
namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::year;
using std::chrono::year_month_day;
using std::chrono::years;

constexpr std::size_t kMostDays = 50'000;
constexpr days kLongestEvent{366};
constexpr year kLastYear{2100};
constexpr const char* kWholeDay = "must be a whole day such as 20261225";
// What would change the days of an event, and is not read.
constexpr std::string_view kNotRead[] = {"DURATION", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID"};

// A content line: the name in capitals, the value behind parameters.
struct Line {
  int number = 0;
  std::string name, value;
};

// The lines, those that begin with a blank joined to the one before.
std::vector<Line> lines_of(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<Line> lines;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool goes_on = line.starts_with(' ') || line.starts_with('\t');
    if (goes_on && !lines.empty())
      lines.back().value += line.substr(1);
    else if (!line.empty())
      lines.push_back({number, "", std::string(line)});
  }
  for (Line& line : lines) {
    const std::size_t name = std::min(line.value.find_first_of(":;"), line.value.size());
    const std::size_t colon = std::min(line.value.find(':', name), line.value.size());
    line.name = upper_case(line.value.substr(0, name));
    line.value.erase(0, std::min(colon + 1, line.value.size()));
  }
  return lines;
}

std::optional<year_month_day> read_day(std::string_view text) {
  if (text.size() != 8) return std::nullopt;
  const auto y = to_number<unsigned>(text.substr(0, 4));
  const auto m = to_number<unsigned>(text.substr(4, 2));
  const auto d = to_number<unsigned>(text.substr(6));
  if (!y || !m || !d) return std::nullopt;
  const year_month_day day{year{static_cast<int>(*y)}, std::chrono::month{*m},
                           std::chrono::day{*d}};
  return day.ok() ? std::optional(day) : std::nullopt;
}

struct Event {
  int line = 0;
  std::optional<year_month_day> from, to;
  std::string rule;
  int rule_line = 0;
  bool cancelled = false;
};

// How often a yearly event comes.
struct Yearly {
  int interval = 1;
  unsigned count = 1;  // of its days that exist
  std::optional<local_days> until;
};

// The rule, or the part of it that is not read.
std::variant<Yearly, std::string> read_rule(std::string_view text, const year_month_day& from) {
  Yearly rule{1, static_cast<unsigned>(kMostDays), {}};
  bool yearly = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t sign = std::min(part.find('='), part.size());
    const std::string key = upper_case(part.substr(0, sign));
    const std::string_view value = part.substr(std::min(sign + 1, part.size()));
    const auto number = to_number<unsigned>(value);
    const auto until = read_day(value.substr(0, 8));
    if (key == "FREQ" && same_ignoring_case(value, "YEARLY"))
      yearly = true;
    else if (key == "INTERVAL" && number && *number >= 1 && *number <= 1000)
      rule.interval = static_cast<int>(*number);
    else if (key == "COUNT" && number && *number >= 1)
      rule.count = *number;
    else if (key == "UNTIL" && until)
      rule.until = local_days{*until};
    else if (!(key == "BYMONTH" && number == unsigned{from.month()}) &&
             !(key == "BYMONTHDAY" && number == unsigned{from.day()}) && key != "WKST")
      return std::string(part);
  }
  if (!yearly) return std::string("no FREQ");
  return rule;
}

class Reader {
 public:
  std::variant<std::vector<local_days>, CalendarFault> run(std::string_view text) {
    const std::vector<Line> lines = lines_of(text);
    if (lines.empty() || !begins(lines.front(), "VCALENDAR"))
      return CalendarFault{1, "is no iCalendar file: it must begin with BEGIN:VCALENDAR"};
    for (const Line& line : lines) {
      take(line);
      if (fault_) return *fault_;
    }
    if (event_) fail(event_->line, "the event has no end: END:VEVENT is missing");
    if (!fault_ && events_ == 0) fail(0, "has no VEVENT");
    if (fault_) return *fault_;
    return std::move(found_);
  }

 private:
  static bool begins(const Line& line, std::string_view what) {
    return line.name == "BEGIN" && same_ignoring_case(line.value, what);
  }

  void fail(int line, std::string rule) {
    if (!fault_) fault_ = CalendarFault{line, std::move(rule)};
  }

  void take(const Line& line) {
    if (!event_) {
      if (begins(line, "VEVENT")) event_ = Event{line.number, {}, {}, "", 0, false};
    } else if (line.name == "BEGIN") {
      if (begins(line, "VEVENT")) fail(line.number, "an event within an event");
      ++within_;
    } else if (line.name == "END" && within_ > 0) {
      --within_;
    } else if (line.name == "END") {
      end_event();
    } else if (within_ == 0) {
      take(line, *event_);
    }
  }

  void take(const Line& line, Event& event) {
    if (line.name == "DTSTART" || line.name == "DTEND") {
      auto& day = line.name == "DTSTART" ? event.from : event.to;
      day = read_day(line.value);
      if (!day)
        fail(line.number, fmt::format("{} {}, got {}", line.name, kWholeDay, quoted(line.value)));
    } else if (line.name == "RRULE") {
      event.rule = line.value;
      event.rule_line = line.number;
    } else if (line.name == "STATUS") {
      event.cancelled = same_ignoring_case(line.value, "CANCELLED");
    } else if (std::ranges::find(kNotRead, line.name) != std::end(kNotRead)) {
      fail(line.number, line.name + " is not read: write the days as events of their own");
    }
  }

  void end_event() {
    const Event event = *event_;
    event_.reset();
    ++events_;
    if (!event.from) return fail(event.line, "the event has no DTSTART");
    const local_days from{*event.from};
    const local_days to = event.to ? local_days{*event.to} : from;
    if (to < from || to - from > kLongestEvent)
      return fail(event.line, "DTEND must be after DTSTART, by at most 366 days");
    const days length = std::max(to - from, days{1});
    if (event.cancelled) return;
    Yearly rule;
    if (event.rule_line > 0) {
      auto read = read_rule(event.rule, *event.from);
      if (const auto* part = std::get_if<std::string>(&read))
        return fail(event.rule_line,
                    fmt::format("RRULE must be FREQ=YEARLY with INTERVAL, COUNT, UNTIL, and "
                                "BYMONTH and BYMONTHDAY of DTSTART, got {}",
                                quoted(*part)));
      rule = *std::get_if<Yearly>(&read);
    }
    add(event, rule, length);
  }

  void add(const Event& event, const Yearly& rule, days length) {
    year_month_day day = *event.from;
    for (unsigned times = 0; times < rule.count; day += years{rule.interval}) {
      if (times > 0 && day.year() > kLastYear) return;
      if (!day.ok()) continue;  // 29 February
      const local_days first{day};
      if (rule.until && first > *rule.until) return;
      for (days past{0}; past < length; ++past)
        found_.push_back(first + past);
      if (found_.size() > kMostDays)
        return fail(event.line, fmt::format("the file has more than {} days", kMostDays));
      ++times;
    }
  }

  std::vector<local_days> found_;
  std::optional<Event> event_;
  std::optional<CalendarFault> fault_;
  int within_ = 0, events_ = 0;
};

}  // namespace

std::variant<std::vector<local_days>, CalendarFault> read_calendar(std::string_view text) {
  return Reader().run(text);
}

}  // namespace surveybridge::config
