#include "daemon/commands/progress_line.hpp"

#include <cmath>

#include <fmt/format.h>

#include "config/text.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kTooEarly = std::chrono::seconds{2};
constexpr int kBar = 10;

// The share of the work that is done; empty: unknown.
std::optional<double> share_of(const JobStatus& status) {
  const auto [done, of] = status.share;
  if (of <= 0 || done > of) return std::nullopt;
  return static_cast<double>(done) / static_cast<double>(of);
}

std::string bar_of(double share) {
  const int full = static_cast<int>(std::floor(share * kBar));
  return "[" + std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(kBar - full), '-') + "]  ";
}

// Rounded up.
std::string text_of(std::chrono::seconds left) {
  const auto seconds = left.count();
  if (seconds < 120) return fmt::format("{} s left", seconds);
  if (seconds < 7200) return fmt::format("{} min left", (seconds + 59) / 60);
  return fmt::format("{} h left", (seconds + 3599) / 3600);
}

}  // namespace

std::optional<std::chrono::seconds> time_left(const Course& course) {
  const auto before = share_of(course.begun), now = share_of(course.now);
  if (!now || course.elapsed < kTooEarly) return std::nullopt;
  const double moved = *now - before.value_or(0);
  if (moved <= 0) return std::nullopt;
  const std::chrono::duration<double> left = course.elapsed * ((1 - *now) / moved);
  constexpr double kYear = 366.0 * 24 * 3600;
  if (left.count() > kYear || left < course.elapsed - course.moved) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(left);
}

std::string progress_line(const Course& course, bool bar, std::size_t columns) {
  const auto& now = course.now;
  const auto share = share_of(now);
  const double seconds = std::chrono::duration<double>(course.elapsed).count();
  const auto moved = static_cast<double>(now.done - course.begun.done);
  std::string line = fmt::format("{:<24}  ", course.job);
  if (bar && share) line += bar_of(*share);
  if (const auto left = time_left(course)) line += text_of(*left) + "  ";
  line += fmt::format("{} {}  {:.0f}/s", now.done, now.unit, seconds > 0 ? moved / seconds : 0);
  if (!now.trouble.empty()) line += "  " + now.trouble;
  return std::string(config::first_characters(line, columns));
}

}  // namespace surveybridge::daemon
