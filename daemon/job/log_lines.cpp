#include "daemon/job/log_lines.hpp"

#include "daemon/job/json_text.hpp"
#include "daemon/job/log_events.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

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
  JsonText json;
  json.open('{').member("time").text(mapping::write_instant(at));
  json.member("level").text(name_of(level)).member("message").text(one_line(text));
  const auto add = [&](const char* name, std::string_view value) {
    if (!value.empty()) json.member(name).text(one_line(value));
  };
  add("job", fields.job);
  add("key", fields.key);
  add("batch", fields.batch);
  if (fields.event != nullptr) {
    add("event", fields.event->name);
    add("message_id", fields.event->message_id);
  }
  return json.close('}').take();
}

}  // namespace surveybridge::daemon
