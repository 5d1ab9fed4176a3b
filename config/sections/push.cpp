// [push.NAME]: a source of transactions and how they are sent.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "config/calendar.hpp"
#include "config/clock.hpp"
#include "config/file.hpp"
#include "config/keys/kinds.hpp"
#include "config/keys/query.hpp"
#include "config/sections/load.hpp"
#include "config/sections/sections.hpp"

namespace surveybridge::config {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;

// "08:00-20:00".
Kind<Window> window() {
  const auto understand = [](const std::string& text) -> Answer<Window> {
    const auto dash = text.find('-');
    if (dash == std::string::npos) return Broken{};
    const auto from = read_time_of_day(text.substr(0, dash));
    const auto to = read_time_of_day(text.substr(dash + 1));
    if (!from || !to || *from == *to) return Broken{};
    return Window{*from, *to};
  };
  return from_text<Window>("two times of day such as \"08:00-20:00\"", understand);
}

// "10 per day", or a word.
Kind<Expect> expectation() {
  using By = Expect::By;
  const auto understand = [](const std::string& text) -> Answer<Expect> {
    constexpr int kMost = 1'000'000;
    if (text == "auto") return Expect{};
    if (text == "off") return Expect{By::nothing};
    int rows = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rows);
    const std::string_view unit(end, text.data() + text.size());
    const int length = unit == " per day" ? 1 : unit == " per week" ? 7 : 0;
    if (error != std::errc{} || length == 0 || rows < 1 || rows > kMost) return Broken{};
    return Expect{By::number, rows, length};
  };
  const auto show = [](const Expect&) -> std::string { return quoted("auto"); };
  return from_text<Expect>(R"("auto", "off" or a number such as "10 per day" or "3 per week")",
                           understand, show);
}

using Weekdays = std::vector<std::chrono::weekday>;

// "Mon", or "Fri-Mon": from the first to the second.
Answer<Weekdays> read_weekdays(const std::string& text) {
  const auto dash = text.find('-');
  const auto from = read_weekday(text.substr(0, dash));
  const auto to = dash == std::string::npos ? from : read_weekday(text.substr(dash + 1));
  if (!from || !to) return Broken{};
  Weekdays all{*from};
  while (all.back() != *to)
    all.push_back(all.back() + days{1});
  return all;
}

// One text, or a list of them.
Kind<Weekdays> weekdays() {
  const std::string type = "weekdays such as \"Mon-Fri\", or a list such as [\"Mon\", \"Thu\"]";
  const auto one = from_text<Weekdays>(type, read_weekdays);
  const auto list = list_of(type, one);
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<Weekdays> {
    const auto* nodes = node.as<Node::List>();
    if (nodes == nullptr) return one.read(node, trail);
    if (nodes->empty()) trail.wrong(node.place, must_be(type, "an empty list"));
    Weekdays all;
    const auto lists = list.read(node, trail);
    for (const Weekdays& some : *lists)
      all.insert(all.end(), some.begin(), some.end());
    return all;
  };
  return {type, read, {}, {}, Form::toml, R"({"anyOf":[)" + one.schema + "," + list.schema + "]}"};
}

using ClosedDays = std::vector<std::chrono::local_days>;

Kind<std::chrono::local_days> day_alone() {
  const std::string type = "a date without quotes and without a time, such as 2026-12-25";
  const auto read = [=](const Node& node,
                        const Trail& trail) -> std::optional<std::chrono::local_days> {
    const Date* date = node.as<Date>();
    const auto day = std::chrono::floor<days>(date == nullptr ? Date{}.local : date->local);
    if (date != nullptr && !date->offset && day == date->local) return day;
    trail.wrong(node.place, must_be(type, described(node)));
    return std::nullopt;
  };
  return {type, read, {}, {}, Form::toml, date().schema};
}

// A calendar's own faults have their place in it.
Kind<ClosedDays> calendar_file() {
  constexpr std::size_t kLargest = 1024 * 1024;
  const auto path = absolute_path();
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<ClosedDays> {
    const auto file = path.read(node, trail);
    if (!file) return std::nullopt;
    const auto text = read_file(*file, kLargest);
    if (const auto* refused = std::get_if<FileRefused>(&text)) {
      trail.wrong(node.place, quoted(*file) + " " + refused->why);
      return std::nullopt;
    }
    auto found = read_calendar(std::get<FileText>(text).text);
    if (auto* closed = std::get_if<ClosedDays>(&found)) return std::move(*closed);
    const auto& fault = std::get<CalendarFault>(found);
    trail.wrong({*file, fault.line, fault.line == 0 ? 0 : 1}, fault.rule);
    return std::nullopt;
  };
  return {"an absolute path of an iCalendar file", read, {}, {}, path.form, path.schema};
}

void add_closed(Push& push, ClosedDays closed) {
  push.closed.insert(closed.begin(), closed.end());
}

// PostgreSQL's identifiers have at most 63 bytes: it would cut a longer one without a word.
Kind<std::string> channel() {
  constexpr std::size_t kLongest = 63;
  return text_that("a channel's name of at most 63 bytes", [](const std::string& text) {
    return is_name(text) && text.size() <= kLongest;
  });
}

Kind<Push::Quota> quota_section() {
  using Per = Push::Quota::Per;
  return section<Push::Quota>({
      required(key("column", &Push::Quota::column, name("a column's name"),
                   "the query's column whose values have a quota each")),
      required(key("most", &Push::Quota::most, integer(1, 1'000'000),
                   "so many are sent for each value; all others are suppressed for good")),
      key("per", &Push::Quota::per,
          choice<Per>({{"day", Per::day}, {"week", Per::week}, {"month", Per::month}}),
          "in a day, a week ([report] week_starts) or a month by the CRM's clock"),
  });
}

void store_customer(Push& push, CustomerMap map) {
  push.customer = std::move(map.fields);
  push.data = std::move(map.data);
}

// The names in [push.NAME.customer.Data], also those with a wrong value.
std::vector<std::string> data_columns(const Node::Table& push) {
  const Entry* customer = find(push, "customer");
  const auto* fields = customer == nullptr ? nullptr : customer->node.as<Node::Table>();
  const Entry* data = fields == nullptr ? nullptr : find(*fields, "Data");
  const auto* entries = data == nullptr ? nullptr : data->node.as<Node::Table>();
  std::vector<std::string> columns;
  if (entries == nullptr) return columns;
  for (const Entry& entry : *entries)
    columns.push_back(entry.key);
  return columns;
}

// A transaction is recognised at the service by its key alone: the data column must contain exactly
// the key.
void check_correlate(const Node::Table& table, const Trail& trail, const Push& push) {
  if (push.correlate.empty()) return;
  const std::vector<std::string> columns = data_columns(table);
  if (std::find(columns.begin(), columns.end(), push.correlate) == columns.end()) {
    trail.key("correlate")
        .wrong(find(table, "correlate")->node.place,
               fmt::format("[{}.customer.Data] has no column {}{}", trail.path(),
                           quoted(push.correlate), suggestion(push.correlate, columns)));
  }
  for (const DataRule& rule : push.data) {
    const FieldSource& from = rule.source;
    const bool plain = from.column == push.key && !from.trim && !from.max_length;
    if (rule.column != push.correlate || push.key.empty() || plain) continue;
    trail.key("customer")
        .key("Data")
        .key(rule.column)
        .wrong(from.place,
               fmt::format("carries the key: it must be the column {}, which {} names, and no "
                           "more",
                           quoted(push.key), trail.path() + ".key"));
  }
}

void check_push(const Node::Table& table, const TextPlace& place, const Trail& trail, Push& push) {
  push.place = place;
  push.query_place = place;
  if (const Entry* query = find(table, "query")) push.query_place = query->node.place;
  if (find(table, "batch") == nullptr) push.batch.place = place;
  check_correlate(table, trail, push);
  if (const Entry* by = find(table, "sample_by"); by != nullptr && find(table, "sample") == nullptr)
    trail.key("sample_by").wrong(by->node.place, "needs sample");
  if (push.doubt == Push::Doubt::resend && find(table, "correlate") == nullptr) {
    trail.key("doubt").wrong(find(table, "doubt")->node.place,
                             "\"resend\" needs correlate: without it nothing can be read back");
  }
}

}  // namespace

std::string push_rules() {
  return R"({"allOf":[{"if":{"required":["sample_by"]},"then":{"required":["sample"]}},)"
         R"({"if":{"required":["doubt"],"properties":{"doubt":{"const":"resend"}}},)"
         R"("then":{"required":["correlate"]}}]})";
}

const Kind<Push>& push_section() {
  using Doubt = Push::Doubt;
  using SampleBy = Push::SampleBy;
  static const Kind<Push> kind = section<Push>(
      {
          key("every", &Push::every, duration(100ms, days{7}), "how often the query is run"),
          key("notify", &Push::notify, channel(),
              "PostgreSQL: the query is run at once when this channel is notified"),
          required(key("query", &Push::query, query(), "the SQL that finds transactions")),
          required(key("key", &Push::key, name("a column's name"),
                       "the query's column that tells transactions apart")),
          required(key("when", &Push::when, name("a column's name"),
                       "the query's column that says when a transaction was")),
          required(key("start", &Push::start, date(), "nothing older is ever pushed")),
          key("look_back", &Push::look_back, duration(1h, days{3650}),
              "how late a row may appear and still be found"),
          key("correlate", &Push::correlate, name("a data column's name"),
              "the data column that carries the key at the service, of this push alone"),
          key("settle", &Push::settle, duration(1s, days{30}),
              "an unknown outcome is believed absent only after this"),
          key("doubt", &Push::doubt,
              choice<Doubt>({{"hold", Doubt::hold}, {"resend", Doubt::resend}}),
              "what becomes of it then"),
          key("brake", &Push::brake, flag(),
              "a first run, a lost ledger, older rows after a change of the query or the CRM, or "
              "more than 100 rows and more than those of five usual days, wait for `release`"),
          key("max_per_hour", &Push::max_per_hour, integer(1, 1'000'000),
              "above it nothing goes out until `release`"),
          key("send_window", &Push::send_window, window(),
              "when batches may go out, by the CRM's clock, also where that is turned. One through "
              "midnight is parted there: each side belongs to its own day"),
          key("sample", &Push::sample, rate(1),
              "the share of rows that are sent; the others are suppressed for good, also where it "
              "is raised later"),
          key("sample_by", &Push::sample_by,
              choice<SampleBy>({{"key", SampleBy::key}, {"person", SampleBy::person}}),
              "what is drawn: each row, or each person with all rows; `release` then shows an "
              "estimate"),
          key("quota", &Push::quota, quota_section(),
              "how many are sent for each value of a column"),
          key("expect", &Push::expect, expectation(),
              "how many rows come at least: fewer is told; \"auto\" learns what is usual"),
          key("send_days", &Push::send_days, weekdays(),
              "on which days, by the CRM's clock; else on every day"),
          key("closed", add_closed, list_of("a list of dates", day_alone()),
              "on these days nothing goes out; `check` counts them and names the last one, "
              "`status` says until when a push waits"),
          key("closed_file", add_closed, calendar_file(),
              "nor on those of this calendar, read at the start and with `reload`: events of whole "
              "days, of which `RRULE:FREQ=YEARLY` repeats some up to the year 2100. Clock times, "
              "other rules and exceptions are refused"),
          key("in_flight", &Push::in_flight, integer(1, 16),
              "how many batches may be on their way at the same time"),
          key("batch", &Push::batch, batch_section(), "what its customers share"),
          required(
              key("customer", store_customer, customer_section(), "which field gets which value")),
      },
      check_push);
  return kind;
}

}  // namespace surveybridge::config
