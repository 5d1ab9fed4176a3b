#include "daemon/commands/progress.hpp"

#include <cstdlib>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

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
std::size_t columns() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1U : 79;
}
}  // namespace

bool error_is_terminal() {
  return isatty(STDERR_FILENO) == 1 && !plain_terminal();
}
bool output_is_terminal() {
  return isatty(STDOUT_FILENO) == 1;
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
  const std::string line = progress_line(course_, terminal_, terminal_ ? columns() : kPlainColumns);
  std::cerr << (terminal_ ? "\r\x1b[K" + line : line + "\n") << std::flush;
  shown_ = terminal_;
}

void Progress::clear() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace surveybridge::daemon
