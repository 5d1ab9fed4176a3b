#include "daemon/commands/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "config/text.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kRedraw = std::chrono::milliseconds{100};
constexpr Duration kPlainLine = std::chrono::seconds{10}, kRarest = std::chrono::minutes{10};
constexpr Duration kLookAtWaits = std::chrono::seconds{1};
constexpr std::size_t kPlainColumns = 200;

bool error_is_terminal() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

// A line that wraps could not be rewritten.
std::size_t terminal_columns() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1U : 79;
}

Duration steady_now() {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace

Screen error_screen() {
  return {std::cerr, error_is_terminal() ? terminal_columns : std::function<std::size_t()>(),
          steady_now};
}

Progress::Progress(Log& log, Screen screen)
    : log_(log),
      screen_(std::move(screen)),
      started_(screen_.uptime()),
      begun_(started_),
      seen_(started_),
      due_(screen_.columns ? started_ : started_ + kPlainLine) {}

Duration Progress::pause() const {
  return screen_.columns ? kRedraw : std::clamp((seen_ - started_) / 10, kPlainLine, kRarest);
}

void Progress::begin(const std::string& job, const JobStatus& status) {
  clear();
  course_ = {job, {}, {}, {}, {}};
  course_.begun.share = {status.share.done, status.share.of};
  total_ = 0;
  begun_ = seen_;
  if (screen_.columns) due_ = seen_;
}

void Progress::show(const std::string& job, const JobStatus& status) {
  if (job != course_.job) begin(job, status);
  seen_ = screen_.uptime();
  const bool due = seen_ >= due_;
  if (const auto total = totals_.find(job); due && total != totals_.end()) {
    total_ = total->second(status.done);
    course_.begun.share = {};
    totals_.erase(total);
  }
  course_.elapsed = seen_ - begun_;
  JobStatus stands = status;
  if (total_ > 0) stands.share = {status.done, total_};
  if (stands.share.done != course_.now.share.done) course_.moved = course_.elapsed;
  course_.now = std::move(stands);
  if (due) draw();
}

void Progress::draw() {
  due_ = seen_ + pause();
  if (!screen_.columns) return log_.info(progress_line(course_, false, kPlainColumns));
  const std::string line = progress_line(course_, true, screen_.columns());
  const std::lock_guard lock(mutex_);
  screen_.out << "\r\x1b[K" << line << std::flush;
  shown_ = true;
}

SyncClock Progress::watched(SyncClock clock) {
  SyncClock watched = clock;
  watched.wait_until = [this, clock = std::move(clock)](TimePoint until) {
    for (;;) {
      if (!course_.job.empty()) show(std::string(course_.job), JobStatus(course_.now));
      const TimePoint next = clock.now() + kLookAtWaits;
      if (until <= next) return clock.wait_until(until);
      if (!clock.wait_until(next)) return false;
    }
  };
  return watched;
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  clear_line();
}

void Progress::clear_line() {
  if (shown_) screen_.out << "\r\x1b[K" << std::flush;
  shown_ = false;
}

void Progress::Beside::write(Level level, std::string_view text, const LogFields& fields) {
  const std::lock_guard lock(progress_.mutex_);
  progress_.clear_line();
  progress_.log_.write(level, text, fields);
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
