#include "daemon/metrics/process_figures.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace surveybridge::daemon {

namespace {

using Families = std::vector<prometheus::MetricFamily>;

void add(Families& families, const char* name, const char* help, prometheus::MetricType type,
         double value) {
  prometheus::ClientMetric sample;
  sample.gauge.value = value;
  sample.counter.value = value;
  families.push_back({name, help, type, {sample}});
}

std::string content_of(const char* path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

// Fields of /proc/self/stat behind the program's name, which may contain blanks; the first is the
// state, number 3 of proc(5).
std::vector<std::string> stat_fields() {
  const std::string line = content_of("/proc/self/stat");
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

void add_descriptors(Families& families) {
  std::error_code unreadable;
  double open = 0;
  for (std::filesystem::directory_iterator each("/proc/self/fd", unreadable), end;
       !unreadable && each != end; each.increment(unreadable))
    ++open;
  if (!unreadable)
    add(families, "process_open_fds", "Open file descriptors.", prometheus::MetricType::Gauge,
        open);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
    add(families, "process_max_fds", "The most file descriptors that may be open.",
        prometheus::MetricType::Gauge, static_cast<double>(limit.rlim_cur));
}

}  // namespace

std::vector<prometheus::MetricFamily> process_figures() {
  constexpr std::size_t kState = 3, kUserTime = 14, kSystemTime = 15, kStart = 22, kVirtual = 23,
                        kResident = 24;
  Families families;
  const auto fields = stat_fields();
  if (fields.size() > kResident - kState) {
    const auto number = [&](std::size_t field) { return std::stod(fields[field - kState]); };
    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    add(families, "process_cpu_seconds_total", "Processor time of the process, in seconds.",
        prometheus::MetricType::Counter, (number(kUserTime) + number(kSystemTime)) / ticks);
    add(families, "process_resident_memory_bytes", "Memory of the process that is in use.",
        prometheus::MetricType::Gauge,
        number(kResident) * static_cast<double>(sysconf(_SC_PAGESIZE)));
    add(families, "process_virtual_memory_bytes", "Address space of the process.",
        prometheus::MetricType::Gauge, number(kVirtual));
    add(families, "process_start_time_seconds", "When the process started, in seconds since 1970.",
        prometheus::MetricType::Gauge, boot_time() + number(kStart) / ticks);
  }
  add_descriptors(families);
  return families;
}

}  // namespace surveybridge::daemon
