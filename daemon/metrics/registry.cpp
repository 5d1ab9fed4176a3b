#include "daemon/metrics/registry.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <utility>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <sys/resource.h>
#include <unistd.h>

namespace surveybridge::daemon {

namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;

// Seconds. A request ends after [service] timeout at the latest.
const Histogram::BucketBoundaries kRequestBuckets = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                                     1,    2.5,   5,    10,  30,   60};
const Histogram::BucketBoundaries kCallBuckets = {0.001, 0.01, 0.1, 1, 10, 40};
const Histogram::BucketBoundaries kStepBuckets = {0.001, 0.01, 0.1, 0.5, 1, 5, 20, 60, 180};

double seconds(Duration time) {
  return std::chrono::duration<double>(time).count();
}

using Label = std::pair<const char*, std::string_view>;
prometheus::Labels labels(std::initializer_list<Label> all) {
  prometheus::Labels labels;
  for (const auto& [name, value] : all)
    labels.emplace(name, value);
  return labels;
}

Family<Counter>& counter(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}
Family<Gauge>& gauge(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}
Family<Histogram>& histogram(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
}

// What the kernel says of this process, under the names that every Prometheus client uses.
using Figures = std::vector<prometheus::MetricFamily>;

void add(Figures& figures, const char* name, const char* help, prometheus::MetricType type,
         double value) {
  prometheus::ClientMetric sample;
  sample.gauge.value = value;
  sample.counter.value = value;
  figures.push_back({name, help, type, {sample}});
}

// Fields of /proc/self/stat behind the program's name, which may contain blanks; the first is the
// state, number 3 of proc(5).
std::vector<std::string> stat_fields() {
  std::string line;
  std::getline(std::ifstream("/proc/self/stat"), line, '\0');
  const auto end = line.rfind(") ");
  std::vector<std::string> fields;
  if (end == std::string::npos) return fields;
  std::istringstream rest(line.substr(end + 2));
  for (std::string field; rest >> field;)
    fields.push_back(field);
  return fields;
}

// Seconds since 1970 at which the machine started. Not from /proc/stat: a hardened unit has no
// such file.
double boot_time() {
  timespec now{}, up{};
  clock_gettime(CLOCK_REALTIME, &now);
  clock_gettime(CLOCK_BOOTTIME, &up);
  return static_cast<double>(now.tv_sec - up.tv_sec) +
         static_cast<double>(now.tv_nsec - up.tv_nsec) / 1e9;
}

void add_descriptors(Figures& figures) {
  std::error_code unreadable;
  double open = 0;
  for (std::filesystem::directory_iterator each("/proc/self/fd", unreadable), end;
       !unreadable && each != end; each.increment(unreadable))
    ++open;
  if (!unreadable)
    add(figures, "process_open_fds", "Open file descriptors.", prometheus::MetricType::Gauge, open);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
    add(figures, "process_max_fds", "The most file descriptors that may be open.",
        prometheus::MetricType::Gauge, static_cast<double>(limit.rlim_cur));
}

// A figure that cannot be read is left out.
Figures process_figures() {
  constexpr std::size_t kState = 3, kUserTime = 14, kSystemTime = 15, kStart = 22, kVirtual = 23,
                        kResident = 24;
  Figures figures;
  const auto fields = stat_fields();
  if (fields.size() > kResident - kState) {
    const auto number = [&](std::size_t field) { return std::stod(fields[field - kState]); };
    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    add(figures, "process_cpu_seconds_total", "Processor time of the process, in seconds.",
        prometheus::MetricType::Counter, (number(kUserTime) + number(kSystemTime)) / ticks);
    add(figures, "process_resident_memory_bytes", "Memory of the process that is in use.",
        prometheus::MetricType::Gauge,
        number(kResident) * static_cast<double>(sysconf(_SC_PAGESIZE)));
    add(figures, "process_virtual_memory_bytes", "Address space of the process.",
        prometheus::MetricType::Gauge, number(kVirtual));
    add(figures, "process_start_time_seconds", "When the process started, in seconds since 1970.",
        prometheus::MetricType::Gauge, boot_time() + number(kStart) / ticks);
  }
  add_descriptors(figures);
  return figures;
}

}  // namespace

struct Registry::Families {
  prometheus::Registry all;
  Family<Gauge>& build = gauge(all, "surveybridge_build_info", "Always 1; the version is a label.");
  Family<Gauge>& reload_successful =
      gauge(all, "surveybridge_config_last_reload_successful",
            "1 where the configuration that was read last is in force; 0: it was refused, and an "
            "older one is.");
  Family<Gauge>& reload_time =
      gauge(all, "surveybridge_config_last_reload_success_timestamp_seconds",
            "When the configuration in force was read, in seconds since 1970.");
  Family<Counter>& requests =
      counter(all, "surveybridge_requests_total",
              "Requests by operation, and HTTP status or why there is none.");
  Family<Histogram>& latency = histogram(all, "surveybridge_request_duration_seconds",
                                         "Time from a request's start to its end.");
  Family<Counter>& sent =
      counter(all, "surveybridge_sent_bytes_total", "Bytes of the requests' bodies.");
  Family<Counter>& received = counter(all, "surveybridge_received_bytes_total",
                                      "Bytes of the answers' bodies, decompressed.");
  Family<Gauge>& certificate =
      gauge(all, "surveybridge_certificate_end_timestamp_seconds",
            "When the service's certificate ends, in seconds since 1970; only with https.");
  Family<Counter>& waits = counter(
      all, "surveybridge_wait_seconds_total",
      "Time that jobs waited: for the rate, a request slot, a refusal or wait of the service (429, "
      "Retry-After), failures in a row, or a session of the database.");
  Family<Counter>& rows = counter(all, "surveybridge_rows_total",
                                  "What became of rows since the start; delayed and not_sent rows "
                                  "come again.");
  Family<Counter>& pages =
      counter(all, "surveybridge_pages_total", "Pages that were read and stored.");
  Family<Counter>& records = counter(all, "surveybridge_records_total",
                                     "Records on the pages that were read, also unchanged ones.");
  Family<Histogram>& calls = histogram(all, "surveybridge_database_call_duration_seconds",
                                       "Time of calls to the CRM's database.");
  Family<Counter>& call_failures = counter(all, "surveybridge_database_call_failures_total",
                                           "Calls to the CRM's database that ended with an error.");
  Family<Histogram>& steps =
      histogram(all, "surveybridge_step_duration_seconds", "Time of the steps of a job.");
  Family<Gauge>& success =
      gauge(all, "surveybridge_job_last_success_timestamp_seconds",
            "When a job last ended a step without a trouble that stops it, in seconds since 1970.");
};

Registry::Registry(const std::string& version) : families_(std::make_unique<Families>()) {
  families_->build.Add(labels({{"version", version}})).Set(1);
  for (const char* cause : {"rate", "slot", "refused", "failures"})
    families_->waits.Add(labels({{"cause", cause}}));
}

Registry::~Registry() = default;

void Registry::expect(const config::Settings& settings) {
  for (const auto& push : settings.pushes)
    for (const auto outcome : kRowOutcomes)
      rows(push.name, outcome, 0);
}

void Registry::configuration(bool taken) {
  families_->reload_successful.Add({}).Set(taken ? 1 : 0);
  if (taken) families_->reload_time.Add({}).SetToCurrentTime();
}

std::vector<prometheus::MetricFamily> Registry::collect() const {
  auto all = families_->all.Collect();
  auto figures = process_figures();
  all.insert(all.end(), std::make_move_iterator(figures.begin()),
             std::make_move_iterator(figures.end()));
  return all;
}

void Registry::request(const RequestEnd& request) {
  const auto operation = labels({{"operation", request.operation}});
  families_->requests.Add(labels({{"operation", request.operation}, {"code", request.code}}))
      .Increment();
  families_->latency.Add(operation, kRequestBuckets).Observe(seconds(request.took));
  families_->sent.Add(operation).Increment(static_cast<double>(request.sent));
  families_->received.Add(operation).Increment(static_cast<double>(request.received));
}

void Registry::certificate(std::int64_t ends) {
  families_->certificate.Add({}).Set(static_cast<double>(ends));
}

void Registry::waited(std::string_view cause, Duration time) {
  families_->waits.Add(labels({{"cause", cause}})).Increment(seconds(time));
}

void Registry::rows(std::string_view push, std::string_view outcome, std::int64_t count) {
  families_->rows.Add(labels({{"push", push}, {"outcome", outcome}}))
      .Increment(static_cast<double>(count));
}

void Registry::page(std::string_view list, std::string_view walk, std::size_t records) {
  const auto of = labels({{"list", list}, {"walk", walk}});
  families_->pages.Add(of).Increment();
  families_->records.Add(of).Increment(static_cast<double>(records));
}

void Registry::database_call(std::string_view job, Duration took, bool failed) {
  const auto of = labels({{"bridge_job", job}});
  families_->calls.Add(of, kCallBuckets).Observe(seconds(took));
  families_->call_failures.Add(of).Increment(failed ? 1 : 0);
}

void Registry::step(std::string_view job, Duration took, bool succeeded) {
  const auto of = labels({{"bridge_job", job}});
  families_->steps.Add(of, kStepBuckets).Observe(seconds(took));
  if (succeeded) families_->success.Add(of).SetToCurrentTime();
}

}  // namespace surveybridge::daemon
