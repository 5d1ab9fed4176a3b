// A recorder that keeps what it is told, a line each.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "daemon/metrics/recorder.hpp"

namespace metrics_test {

using surveybridge::daemon::Duration;

class KeptRecorder final : public surveybridge::daemon::Recorder {
 public:
  void request(const RequestEnd& end) override {
    keep(fmt::format("{} {} {} ms, {} sent, {} received", end.operation, end.code,
                     end.took / std::chrono::milliseconds{1}, end.sent, end.received));
  }
  void certificate(std::int64_t ends) override { keep(fmt::format("certificate {}", ends)); }
  void waited(std::string_view cause, Duration time) override {
    keep(fmt::format("{} {} ms", cause, time / std::chrono::milliseconds{1}));
  }
  void rows(std::string_view push, std::string_view outcome, std::int64_t count) override {
    keep(fmt::format("{} {} {}", push, outcome, count));
  }
  void page(std::string_view list, std::string_view walk, std::size_t records) override {
    keep(fmt::format("{} {} {}", list, walk, records));
  }
  void database_call(std::string_view job, Duration took, bool failed) override {
    keep(fmt::format("{} {} s{}", job, took / std::chrono::seconds{1}, failed ? " failed" : ""));
  }
  void step(std::string_view job, Duration, bool succeeded) override {
    keep(fmt::format("{} {}", job, succeeded ? "succeeded" : "failed"));
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  void keep(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
  }
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

}  // namespace metrics_test
