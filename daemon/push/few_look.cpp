#include "daemon/push/few_look.hpp"

#include <algorithm>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daemon/context/push_window.hpp"
#include "daemon/job/length_text.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::chrono::seconds kLookTime{10};
constexpr Duration kLookAgain = std::chrono::hours{1};
// What changed longer before the rows that are missed has not kept them away.
constexpr Duration kChangeBefore = std::chrono::days{7};
constexpr std::size_t kConditionsShown = 3, kNamesShown = 5;
constexpr std::size_t kConditionShown = 100;  // bytes

std::string rows_text(std::int64_t rows) {
  return rows < crm::kNarrowingMost ? std::to_string(rows) : fmt::format("{} or more", rows);
}

// A condition may name somebody.
std::string shown_condition(const crm::Narrowing::Condition& condition) {
  std::istringstream words(condition.text);
  std::string text;
  for (std::string word; words >> word;)
    text += (text.empty() ? "" : " ") + word;
  const bool is_shown = text.size() <= kConditionShown && text.find('@') == std::string::npos;
  return is_shown ? "(" + text + ")" : fmt::format("its condition {}", condition.place);
}

std::string conditions_text(const crm::Narrowing& counted, const std::string& span) {
  if (!counted.unconditional)
    return fmt::format("the query finds {} rows of {}", rows_text(counted.rows), span);
  const auto all = *counted.unconditional;
  if (all == 0)
    return fmt::format("without its conditions the query finds no row of {}, too", span);
  std::string text = fmt::format("of {} rows of {} {} meet the query's conditions", rows_text(all),
                                 span, counted.rows);
  std::string_view before = ": without ";
  for (const auto& condition : counted.conditions) {
    if (&condition - counted.conditions.data() == kConditionsShown) break;
    text +=
        fmt::format("{}{} {} would", before, shown_condition(condition), rows_text(condition.rows));
    before = ", without ";
  }
  return text;
}

// In quotes.
std::string names_text(const std::vector<std::string>& names) {
  const std::span<const std::string> shown(names.data(), std::min(names.size(), kNamesShown));
  const std::string more =
      names.size() > shown.size() ? fmt::format(" and {} more", names.size() - shown.size()) : "";
  return fmt::format("\"{}\"{}", fmt::join(shown, "\", \""), more);
}

std::vector<std::string> names_in(const std::string& columns) {
  std::vector<std::string> names;
  std::istringstream lines(columns);
  for (std::string name; std::getline(lines, name);)
    names.push_back(name);
  std::ranges::sort(names);
  return names;
}

std::string changed_columns(const crm::FewRows& seen, TimePoint since) {
  if (!seen.changed_at || *seen.changed_at < since) return "";
  const auto old = names_in(seen.columns_before), present = names_in(seen.columns);
  std::vector<std::string> gone, added;
  std::ranges::set_difference(old, present, std::back_inserter(gone));
  std::ranges::set_difference(present, old, std::back_inserter(added));
  if (gone.empty() && added.empty()) return "";
  std::string text = "its columns have changed at " + second_text(*seen.changed_at);
  if (!gone.empty()) text += fmt::format(", without {}", names_text(gone));
  if (!added.empty()) text += fmt::format(", with {}", names_text(added));
  return text;
}

std::string columns_of(crm::Database& crm, const config::Push& push) {
  std::string names;
  for (const auto& column : crm.query(crm::shape_of_query(crm.dialect(), push.query)).columns)
    names += column.name + "\n";
  return names;
}

}  // namespace

std::string look_text(const crm::Narrowing& counted, const std::string& when, int days,
                      TimePoint now, const crm::FewRows& seen) {
  const std::string span = fmt::format("the last {} by \"{}\"", length_of(days), when);
  std::vector<std::string> parts = {conditions_text(counted, span)};
  if (!counted.empty_columns.empty())
    parts.push_back(fmt::format("{} {} NULL in each of them, and {} not before",
                                names_text(counted.empty_columns),
                                counted.empty_columns.size() == 1 ? "is" : "are",
                                counted.empty_columns.size() == 1 ? "was" : "were"));
  const TimePoint since = now - std::chrono::days{days} - kChangeBefore;
  if (auto changed = changed_columns(seen, since); !changed.empty())
    parts.push_back(std::move(changed));
  if (counted.latest)
    parts.push_back(fmt::format("the latest row that the query finds is of {}, {} ago",
                                second_text(*counted.latest), length_text(now - *counted.latest)));
  return one_line(fmt::format("{}", fmt::join(parts, "; ")));
}

std::string where_to_look(const config::Push& push, const TooFew& found, crm::Database& crm,
                          const std::string& zone, const crm::FewRows& seen) {
  const TimePoint now = crm.now();
  const crm::Window window{now - std::chrono::days{found.days}, now};
  const auto counted = crm::narrowing(crm, crm::source_query(push, zone), window, kLookTime);
  return look_text(counted, push.when, found.days, now, seen);
}

void keep_look(JobContext& context, const config::Push& push) {
  crm::Database& store = context.database();
  crm::Database& crm = context.crm();
  const auto& zone = context.settings().crm.time_zone;
  const auto arrivals = crm::arrivals(store, "push." + push.name);
  auto found = too_few(push, arrivals, 0, zone);
  if (found) {
    crm::Source source(crm, store, crm::source_query(push, zone));
    const TimePoint crm_now = crm.now();
    const TimePoint since = found_since(push, zone, store, crm_now);
    found = too_few(push, arrivals, since < crm_now ? source.count(since, crm_now) : 0, zone);
  }
  const TimePoint now = store.now();
  const auto known = crm::few_of(store, push.name);
  auto seen = known;
  if (auto columns = columns_of(crm, push); columns != seen.columns) {
    if (!seen.columns.empty()) seen.changed_at = now;
    seen.columns_before = std::exchange(seen.columns, std::move(columns));
  }
  const Duration age = known.looked_at ? now - *known.looked_at : kLookAgain;
  if (!found) {
    seen.look.clear();
    seen.looked_at.reset();
  } else if (age < Duration{0} || age >= kLookAgain) {
    seen.look = where_to_look(push, *found, crm, zone, seen);
    seen.looked_at = now;
  }
  if (seen != known) crm::store_few(store, seen);
}

}  // namespace surveybridge::daemon
