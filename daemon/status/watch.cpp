#include "daemon/status/watch.hpp"

namespace surveybridge::daemon {

namespace {

// The counts run the operators' queries, so an answer is reused for a while.
constexpr Duration kFresh = std::chrono::seconds{10};

}  // namespace

StatusReply StatusWatch::answer(const std::string& path) {
  if (path != "/" && path != "/health" && path != "/metrics") {
    return {404, "text/plain; charset=utf-8", "/, /health or /metrics\n"};
  }
  if (path == "/health" && !daemon_.alive()) {
    return {503, "text/plain; charset=utf-8", "a step hangs\n"};
  }
  const StatusReport* report = current();
  if (report == nullptr) {
    return {503, "text/plain; charset=utf-8", "the database does not answer\n"};
  }
  if (path == "/health") return {200, "text/plain; charset=utf-8", "ok\n"};
  if (path == "/metrics") {
    return {200, "text/plain; version=0.0.4; charset=utf-8", metrics_of(*report, daemon_.jobs())};
  }
  return {200, "text/html; charset=utf-8", page_of(*report, daemon_.jobs())};
}

const StatusReport* StatusWatch::current() {
  const Duration now = world_.uptime();
  if (report_ && gathered_ && now - *gathered_ < kFresh) return &*report_;
  try {
    if (!database_) database_ = world_.open_database();
    report_ = report(settings_, *database_);
    gathered_ = now;
    return &*report_;
  } catch (const crm::DatabaseError&) {
    database_.reset();
    report_.reset();
    return nullptr;
  }
}

}  // namespace surveybridge::daemon
