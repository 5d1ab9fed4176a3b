#include "daemon/commands/progress.hpp"

#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

namespace surveybridge::daemon {

namespace {
constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::chrono::seconds kPlainLine{10};

bool plain_terminal() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string(term) == "dumb";
}
}  // namespace

bool error_is_terminal() {
  return isatty(STDERR_FILENO) == 1 && !plain_terminal();
}
bool output_is_terminal() {
  return isatty(STDOUT_FILENO) == 1;
}

void Progress::show(const std::string& job, const Standing& standing) {
  const auto now = std::chrono::steady_clock::now();
  if (job != job_) {
    clear();
    job_ = job;
    begun_ = now;
    last_ = {};
  }
  const auto pause = terminal_ ? std::chrono::duration_cast<std::chrono::milliseconds>(kRedraw)
                               : std::chrono::duration_cast<std::chrono::milliseconds>(kPlainLine);
  if (!terminal_ && last_ == std::chrono::steady_clock::time_point{}) last_ = now;
  if (now - last_ < pause) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const double rate = seconds > 0 ? static_cast<double>(standing.done) / seconds : 0;
  const std::string line = fmt::format("{:<36} {:>8} {:<10} {:>7.0f}/s {}", job, standing.done,
                                       standing.unit, rate, standing.trouble.substr(0, 60));
  std::cerr << (terminal_ ? "\r\x1b[K" + line : line + "\n") << std::flush;
  shown_ = terminal_;
}

void Progress::clear() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace surveybridge::daemon
