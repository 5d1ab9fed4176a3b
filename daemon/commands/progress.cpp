#include "daemon/commands/progress.hpp"

#include <cmath>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "config/text.hpp"

namespace surveybridge::daemon {

namespace {
constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::chrono::seconds kPlainLine{10};
constexpr std::size_t kPlainColumns = 200;

bool plain_terminal() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string(term) == "dumb";
}

// A line that wraps could not be rewritten.
std::size_t terminal_columns() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1U : 79;
}
}  // namespace

bool error_is_terminal() {
  return isatty(STDERR_FILENO) == 1 && !plain_terminal();
}

void Progress::show(const std::string& job, const JobStatus& status) {
  const auto now = std::chrono::steady_clock::now();
  JobStatus stands = status;
  const auto total = totals_.find(job);
  if (total != totals_.end()) stands.share = {status.done, total->second};
  if (job != course_.job) {
    clear();
    course_ = {job, stands, stands, {}, {}};
    // Work within the first step counts too.
    if (total != totals_.end()) course_.begun.share.done = course_.begun.done = 0;
    begun_ = now;
    last_ = {};
  }
  const auto pause = terminal_ ? std::chrono::duration_cast<std::chrono::milliseconds>(kRedraw)
                               : std::chrono::duration_cast<std::chrono::milliseconds>(kPlainLine);
  if (!terminal_ && last_ == std::chrono::steady_clock::time_point{}) last_ = now;
  course_.elapsed = std::chrono::duration_cast<Duration>(now - begun_);
  if (stands.share.done != course_.now.share.done) course_.moved = course_.elapsed;
  course_.now = std::move(stands);
  if (now - last_ < pause) return;
  last_ = now;
  const std::string line =
      progress_line(course_, terminal_, terminal_ ? terminal_columns() : kPlainColumns);
  std::cerr << (terminal_ ? "\r\x1b[K" + line : line + "\n") << std::flush;
  shown_ = terminal_;
}

void Progress::clear() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  shown_ = false;
}

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
std::string left_text(std::chrono::seconds left) {
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
  if (const auto left = time_left(course)) line += left_text(*left) + "  ";
  line += fmt::format("{} {}  {:.0f}/s", now.done, now.unit, seconds > 0 ? moved / seconds : 0);
  if (!now.trouble.empty()) line += "  " + now.trouble;
  return std::string(config::first_characters(line, columns));
}

}  // namespace surveybridge::daemon
