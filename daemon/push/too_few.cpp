#include "daemon/push/too_few.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "daemon/job/length_text.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/statistics/statistics.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kDay = 24, kWeek = 7 * kDay;  // hours
constexpr int kDays = 28;                   // each length from one day up to so many is judged
// Where fewer rows come in a week, chance scatters them more than seasons do: more weeks tell what
// is usual. Only there more than a week is judged: a sale lasts as long.
constexpr double kFewRows = 60;
constexpr std::size_t kWeeks = 8, kWeeksOfFew = 13;
// Fewer weeks do not tell what is usual.
constexpr std::size_t kWeeksLeast = 3;
constexpr double kAtMostUsual = 2.0 / 3;
// False alarms that a length may give in a year. More where nothing has come: then the longer
// lengths say what the first one has said, and give none of their own.
constexpr double kFalseAlarms = 0.2, kFalseAlarmsOfNone = 0.5;
// No week tells more or less than so many standard deviations beside the median: it may be a sale.
constexpr double kOutlier = 2;
// The standard deviation of a normal distribution in its median distances.
constexpr double kDeviation = 1.4826;
// The scatter of smaller numbers is as coarse as they are.
constexpr double kScatterLeast = 4;
constexpr std::size_t kDistancesLeast = 14;

// Sums over hours, which count backwards from the beginning of the open hour.
class Hours {
 public:
  Hours(const crm::Arrivals& arrivals, const std::set<std::chrono::local_days>& closed,
        const std::string& zone)
      : first_(arrivals.first), rows_(arrivals.rows), sums_{0}, closed_{0} {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      sums_.push_back(sums_.back() + rows_[i]);
      const TimePoint at{std::chrono::hours{arrivals.first + static_cast<std::int64_t>(i)}};
      const bool is_closed =
          !closed.empty() &&
          closed.contains(std::chrono::floor<std::chrono::days>(mapping::to_zone(at, zone)));
      closed_.push_back(closed_.back() + (is_closed ? 1 : 0));
    }
  }
  std::optional<TimePoint> last() const {
    for (std::size_t i = rows_.size(); i > 0; --i)
      if (rows_[i - 1] > 0)
        return TimePoint{std::chrono::hours{first_ + static_cast<std::int64_t>(i) - 1}};
    return std::nullopt;
  }
  int size() const { return static_cast<int>(rows_.size()) - 1; }
  std::int64_t open() const { return rows_.back(); }
  // Of the hours from `from` up to `to` before the open one; 0 <= to < from <= size().
  double sum(int from, int to) const { return static_cast<double>(between(sums_, from, to)); }
  bool has_closed(int from, int to) const { return between(closed_, from, to) > 0; }
  bool is_closed(int hour) const { return has_closed(hour, hour - 1); }

 private:
  std::int64_t between(const std::vector<std::int64_t>& sums, int from, int to) const {
    return sums[static_cast<std::size_t>(size() - to)] -
           sums[static_cast<std::size_t>(size() - from)];
  }
  std::int64_t first_;
  const std::vector<std::int64_t>& rows_;
  std::vector<std::int64_t> sums_, closed_;
};

// What came in the same hours of the weeks before, without hours that are closed now. A week with
// closed hours among them is left out.
std::vector<double> samples(const Hours& hours, int length, int end, std::size_t most = kWeeks) {
  std::vector<double> all;
  for (int week = (length + kWeek - 1) / kWeek; all.size() < most; ++week) {
    const int to = end + week * kWeek, from = to + length;
    if (from > hours.size()) break;
    if (hours.has_closed(from, to)) continue;
    double sum = hours.sum(from, to);
    if (end + length <= hours.size() && hours.has_closed(end + length, end))
      for (int hour = end + length; hour > end; --hour)
        if (hours.is_closed(hour)) sum -= hours.sum(hour + week * kWeek, hour + week * kWeek - 1);
    all.push_back(sum);
  }
  return all;
}

// How much more the numbers scatter around the median of the other weeks than chance lets them: the
// ratio of the variances, 1 or more. Outliers do not count.
double scatter(const Hours& hours, int length) {
  std::vector<double> distances;
  for (int day = 0; day < 7; ++day) {
    const auto weeks = samples(hours, length, day * kDay);
    for (std::size_t i = 0; i < weeks.size() && weeks.size() > kWeeksLeast; ++i) {
      auto others = weeks;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const double middle = mapping::median(std::move(others));
      if (middle >= kScatterLeast)
        distances.push_back(std::abs(weeks[i] - middle) / std::sqrt(middle));
    }
  }
  if (distances.size() < kDistancesLeast) return 1;
  const double doubtful = 1 + 2 / std::sqrt(static_cast<double>(distances.size()));
  return std::max(1.0, doubtful * std::pow(kDeviation * mapping::median(std::move(distances)), 2));
}

double usual_of(const std::vector<double>& weeks) {
  const double middle = mapping::median(weeks);
  const double off = kOutlier * std::sqrt(std::max(middle, 1.0));
  double sum = 0;
  for (const double week : weeks)
    sum += std::clamp(week, middle - off, middle + off);
  return sum / static_cast<double>(weeks.size());
}

// The variance of a mean of so many overlapping lengths, as a share of that of one of them.
double variance_of_mean(int length, std::size_t weeks) {
  const int whole_weeks = std::min(length, kWeek) * static_cast<int>(weeks);
  return static_cast<double>(length) / (whole_weeks + std::max(0, length - kWeek));
}

// Do so few come in more than a quarter of the weeks? A batch may come every second week.
bool comes_often(const std::vector<double>& weeks, std::int64_t came) {
  return 4 * std::ranges::count_if(weeks,
                                   [&](double week) { return week <= static_cast<double>(came); }) >
         std::ssize(weeks);
}

// A batch that comes daily is not punctual: one more hour counts as come.
std::int64_t came_in(const Hours& hours, int length, std::int64_t waiting) {
  return static_cast<std::int64_t>(hours.sum(std::min(length + 1, hours.size()), 0)) +
         hours.open() + waiting;
}

std::optional<TooFew> fewer_than_usual(const Hours& hours, int days, std::int64_t waiting) {
  const int length = days * kDay;
  auto weeks = samples(hours, length, 0);
  if (weeks.size() < kWeeksLeast) return std::nullopt;
  const bool few = mapping::median(weeks) * kWeek < kFewRows * length;
  if (length > kWeek && !few) return std::nullopt;
  if (few) weeks = samples(hours, length, 0, kWeeksOfFew);
  const double usual = usual_of(weeks);
  const std::int64_t came = came_in(hours, length, waiting);
  if (usual <= 0 || static_cast<double>(came) > usual * kAtMostUsual) return std::nullopt;
  if (comes_often(weeks, came)) return std::nullopt;
  // Each row that comes or leaves the length of time is another look, but an hour has one.
  const double looks = std::clamp(365 * usual / days, 52.0, 365.0 * kDay);
  const double chance = (came == 0 ? kFalseAlarmsOfNone : kFalseAlarms) / looks;
  const double least = 1 + variance_of_mean(length, weeks.size());
  if (mapping::at_most(came, usual, usual * least) > chance) return std::nullopt;
  const double variance = usual * std::max(scatter(hours, length), least);
  if (mapping::at_most(came, usual, variance) > chance) return std::nullopt;
  return TooFew{days, came, std::llround(usual), hours.last()};
}

}  // namespace

std::optional<TooFew> too_few(const config::Expect& expect, const crm::Arrivals& arrivals,
                              std::int64_t waiting, const std::set<std::chrono::local_days>& closed,
                              const std::string& zone) {
  using By = config::Expect::By;
  if (expect.by == By::nothing || arrivals.rows.empty()) return std::nullopt;
  const Hours hours(arrivals, closed, zone);
  if (expect.by == By::number) {
    const int length = expect.days * kDay;
    const std::int64_t came = came_in(hours, length, waiting);
    const bool judged = hours.size() >= length && !hours.has_closed(length, 0);
    if (!judged || came >= expect.rows) return std::nullopt;
    return TooFew{expect.days, came, expect.rows, hours.last()};
  }
  for (int days = 1; days <= kDays; ++days)
    if (const auto found = fewer_than_usual(hours, days, waiting)) return found;
  const bool has_come = hours.last() || waiting > 0;
  if (has_come || hours.size() < kWeek || hours.has_closed(kWeek, 0)) return std::nullopt;
  return TooFew{hours.size() / kDay, 0, 0};
}

std::optional<TooFew> too_few(const config::Push& push, crm::Arrivals arrivals,
                              std::int64_t waiting, const std::string& zone) {
  const auto start = std::chrono::floor<std::chrono::hours>(mapping::instant_of(push.start, zone));
  const auto before = std::clamp<std::int64_t>(start.time_since_epoch().count() - arrivals.first, 0,
                                               std::ssize(arrivals.rows));
  arrivals.first += before;
  arrivals.rows.erase(arrivals.rows.begin(), arrivals.rows.begin() + before);
  return too_few(push.expect, arrivals, waiting, push.closed, zone);
}

std::optional<TooFew> silence(const crm::Arrivals& arrivals) {
  if (arrivals.rows.empty()) return std::nullopt;
  const Hours hours(arrivals, {}, "");
  for (int days = 2; days <= kDays; ++days) {
    const auto found = fewer_than_usual(hours, days, 0);
    if (found && found->came == 0) return found;
  }
  return std::nullopt;
}

std::string length_of(int days) {
  return days == 1 ? "24 hours" : counted(days, "day");
}

std::string too_few_text(const TooFew& found, const char* thing) {
  const std::string last =
      found.last ? "; the last one in the hour of " + second_text(*found.last) : "";
  const std::string wanted = found.usual > 0 ? fmt::format(" instead of {}", found.usual)
                                             : ", which is as long as they are counted";
  return fmt::format("too few come: {} in the last {}{}{}{}{}", counted(found.came, thing),
                     length_of(found.days), wanted, last, found.look.empty() ? "" : "; ",
                     found.look);
}

}  // namespace surveybridge::daemon
