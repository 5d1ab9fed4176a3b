// Counts in memory what the recorder is told, from the start of the process to its end: a reload
// and a database that is away change nothing. Adds the figures of the process. Thread-safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <prometheus/metric_family.h>

#include "config/settings.hpp"
#include "daemon/metrics/recorder.hpp"

namespace surveybridge::daemon {

class Registry final : public Recorder {
 public:
  explicit Registry(const std::string& version);
  ~Registry() override;
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Before the jobs of these settings start: what can be counted for them begins at 0, so that the
  // first increase can be seen.
  void expect(const config::Settings& settings);
  // The configuration was read, at the start or for a reload: it is in force, or was refused.
  void configuration(bool taken);
  std::vector<prometheus::MetricFamily> collect() const;

  void request(const RequestEnd& request) override;
  void certificate(std::int64_t ends) override;
  void waited(std::string_view cause, Duration time) override;
  void rows(std::string_view push, std::string_view outcome, std::int64_t count) override;
  void page(std::string_view list, std::string_view walk, std::size_t records) override;
  void database_call(std::string_view job, Duration took, bool failed) override;
  void step(std::string_view job, Duration took, bool succeeded) override;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace surveybridge::daemon
