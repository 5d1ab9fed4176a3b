#include "daemon/job/log.hpp"

#include <cstdlib>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/sinks/systemd_sink.h>
#include <spdlog/spdlog.h>

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kLineBytesMax = 2000;

spdlog::level::level_enum level_of(Log::Level level) {
  switch (level) {
    case Log::Level::info:
      return spdlog::level::info;
    case Log::Level::warn:
      return spdlog::level::warn;
    case Log::Level::error:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

// systemd sets JOURNAL_STREAM for services whose standard error it reads.
spdlog::sink_ptr sink() {
  if (std::getenv("JOURNAL_STREAM") != nullptr) {
    return std::make_shared<spdlog::sinks::systemd_sink_mt>("surveybridge");
  }
  auto terminal = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  terminal->set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$ %v");
  return terminal;
}

class SpdLog final : public Log {
 public:
  SpdLog() : logger_("surveybridge", sink()) {}
  void write(Level level, std::string_view text) override {
    logger_.log(level_of(level), "{}", one_line(text));
  }

 private:
  spdlog::logger logger_;
};

}  // namespace

std::unique_ptr<Log> open_log() {
  return std::make_unique<SpdLog>();
}

std::string one_line(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const char c : text.substr(0, kLineBytesMax)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      out += c;
      continue;
    }
    out += "\\x";
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out;
}

void LogThrottle::report(Log::Level level, const std::string& text) {
  if (text == last_) return;
  last_ = text;
  log_.write(level, name_ + ": " + text);
}

void LogThrottle::over() {
  if (last_.empty()) return;
  last_.clear();
  log_.info(name_ + ": works again");
}

}  // namespace surveybridge::daemon
