#include "daemon/job/log.hpp"

#include <cstdlib>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/sinks/systemd_sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

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

spdlog::sink_ptr sink() {
  if (error_is_journal()) {
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

// systemd sets JOURNAL_STREAM to the device and the inode of the stream that it reads. A child
// whose standard error goes elsewhere inherits the variable all the same.
bool error_is_journal() {
  const char* stream = std::getenv("JOURNAL_STREAM");
  struct stat about {};
  if (stream == nullptr || ::fstat(STDERR_FILENO, &about) != 0) return false;
  return std::to_string(about.st_dev) + ":" + std::to_string(about.st_ino) == stream;
}

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
