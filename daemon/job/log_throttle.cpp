#include "daemon/job/log_throttle.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "daemon/job/log_events.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kPauseFirst = std::chrono::minutes{10};
constexpr Duration kPauseMost = std::chrono::hours{6};
// A trouble that comes back soon is written again when it came so often in a row.
constexpr int kTriesOfARelapse = 3;
// Troubles that take turns are each written once.
constexpr std::size_t kTextsMax = 8;

std::string counted(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string length_of(Duration duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  return seconds < 120 ? fmt::format("{} s", seconds) : fmt::format("{} min", seconds / 60);
}

}  // namespace

void LogThrottle::report(Log::Level level, const std::string& text, const LogFields& fields) {
  LogFields about = fields;
  about.job = job_;
  const Duration now = clock_();
  if (tries_++ == 0) since_ = now;
  std::erase_if(said_, [&](const Said& each) { return each.over && now - each.at >= kPauseFirst; });
  const auto said = std::ranges::find(said_, text, &Said::text);
  if (said == said_.end()) {
    if (said_.size() == kTextsMax) said_.erase(said_.begin());
    said_.push_back({text, now, kPauseFirst});
    written_ = true;
    return log_.write(level, text, about);
  }
  ++said->since;
  const bool back = said->over && tries_ >= kTriesOfARelapse;
  if (now - said->at < said->pause && !back) return;
  written_ = true;
  log_.write(level,
             fmt::format("{} (again, {} in {})", text, counted(said->since, "time", "times"),
                         length_of(now - said->at)),
             about);
  *said = {text, now, std::min(2 * said->pause, kPauseMost)};
}

void LogThrottle::over() {
  if (tries_ == 0) return;
  if (written_) {
    log_.info(fmt::format("works again after {} in {}", counted(tries_, "try", "tries"),
                          length_of(clock_() - since_)),
              {.job = job_, .event = &kWorksAgain});
  }
  for (auto& each : said_)
    each.over = true;
  tries_ = 0;
  written_ = false;
}

}  // namespace surveybridge::daemon
