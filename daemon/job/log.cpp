#include "daemon/job/log.hpp"

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <vector>

#define SD_JOURNAL_SUPPRESS_LOCATION
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

#include "config/text.hpp"
#include "daemon/job/json_text.hpp"
#include "daemon/job/log_events.hpp"
#include "mapping/values/dates.hpp"

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

class TextLog final : public Log {
 public:
  TextLog() : logger_("surveybridge", std::make_shared<spdlog::sinks::stderr_color_sink_mt>()) {
    logger_.set_pattern("%Y-%m-%d %H:%M:%S.%e%z %^%l%$ %v");
  }
  void write(Level level, std::string_view text, const LogFields& fields) override {
    logger_.log(level_of(level), "{}", line_of(text, fields));
  }

 private:
  spdlog::logger logger_;
};

class JsonLog final : public Log {
 public:
  void write(Level level, std::string_view text, const LogFields& fields) override {
    const auto now = std::chrono::system_clock::now();
    const auto at = std::chrono::floor<std::chrono::milliseconds>(now);
    const std::string line = json_line(at, level, text, fields) + "\n";
    const std::lock_guard lock(mutex_);
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
  }

 private:
  std::mutex mutex_;
};

class JournalLog final : public Log {
 public:
  void write(Level level, std::string_view text, const LogFields& fields) override {
    std::vector<std::string> all = journal_fields(level, text, fields);
    std::vector<iovec> parts;
    for (std::string& field : all)
      parts.push_back({field.data(), field.size()});
    sd_journal_sendv(parts.data(), static_cast<int>(parts.size()));
  }
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

std::unique_ptr<Log> open_log(LogFormat format) {
  if (format == LogFormat::json) return std::make_unique<JsonLog>();
  if (format == LogFormat::automatic && error_is_journal()) return std::make_unique<JournalLog>();
  return std::make_unique<TextLog>();
}

std::string one_line(std::string_view text) {
  const bool readable = config::is_utf8(text);
  text = readable ? config::first_bytes(text, kLineBytesMax) : text.substr(0, kLineBytesMax);
  std::string out;
  std::size_t hidden = 0;  // bytes of a character
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    if (readable && hidden == 0) hidden = config::hidden_at(text.substr(at));
    const bool is_hidden_byte = hidden > 0;
    if (is_hidden_byte) --hidden;
    if (!is_hidden_byte && byte >= 0x20 && byte != 0x7f && (readable || byte < 0x80)) {
      out += c;
      continue;
    }
    out += "\\x";
    config::append_hex(out, text.substr(at, 1));
  }
  return out;
}

namespace {

// As syslog(3) numbers them.
const char* priority_of(Log::Level level) {
  switch (level) {
    case Log::Level::info:
      return "6";
    case Log::Level::warn:
      return "4";
    case Log::Level::error:
      break;
  }
  return "3";
}

const char* name_of(Log::Level level) {
  switch (level) {
    case Log::Level::info:
      return "info";
    case Log::Level::warn:
      return "warn";
    case Log::Level::error:
      break;
  }
  return "error";
}

}  // namespace

std::string line_of(std::string_view text, const LogFields& fields) {
  return one_line(fields.job.empty() ? std::string(text) : fields.job + ": " + std::string(text));
}

std::vector<std::string> journal_fields(Log::Level level, std::string_view text,
                                        const LogFields& fields) {
  std::vector<std::string> all = {"MESSAGE=" + line_of(text, fields),
                                  std::string("PRIORITY=") + priority_of(level),
                                  "SYSLOG_IDENTIFIER=surveybridge"};
  const auto add = [&](const char* name, std::string_view value) {
    if (!value.empty()) all.push_back(std::string(name) + "=" + one_line(value));
  };
  add("SURVEYBRIDGE_JOB", fields.job);
  add("SURVEYBRIDGE_KEY", fields.key);
  add("SURVEYBRIDGE_BATCH", fields.batch);
  if (fields.event != nullptr) add("MESSAGE_ID", fields.event->message_id);
  return all;
}

std::string json_line(std::chrono::sys_time<std::chrono::milliseconds> at, Log::Level level,
                      std::string_view text, const LogFields& fields) {
  Json json{
      {"time", mapping::write_instant(at)}, {"level", name_of(level)}, {"message", one_line(text)}};
  const auto add = [&](const char* name, std::string_view value) {
    if (!value.empty()) json[name] = one_line(value);
  };
  add("job", fields.job);
  add("key", fields.key);
  add("batch", fields.batch);
  if (fields.event != nullptr) {
    add("event", fields.event->name);
    add("message_id", fields.event->message_id);
  }
  return json_text(json);
}

}  // namespace surveybridge::daemon
