#include "daemon/runtime/instance_name.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

namespace surveybridge::daemon {

namespace {

// ID@KERNEL.PID.START
struct Parts {
  std::string_view kernel;
  pid_t pid = 0;
  unsigned long long start = 0;  // clock ticks since the kernel booted
};

// "4711" of "4711.90-orders"; what is behind it stays in `text`.
template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::optional<Parts> parts_of(std::string_view name) {
  const auto at = name.find('@');
  if (at == std::string_view::npos) return std::nullopt;
  name.remove_prefix(at + 1);
  Parts parts;
  const auto dot = name.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  parts.kernel = name.substr(0, dot);
  name.remove_prefix(dot + 1);
  if (!take_number(name, parts.pid) || !name.starts_with('.')) return std::nullopt;
  name.remove_prefix(1);
  if (!take_number(name, parts.start) || parts.pid <= 0) return std::nullopt;
  return parts;
}

// This boot of this machine, and the numbering of processes that this one sees: two containers of
// one machine differ. Empty: not known.
std::string this_kernel() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  char numbering[64];
  const auto size = readlink("/proc/self/ns/pid", numbering, sizeof numbering);
  if (boot.empty() || size <= 0) return {};
  const std::string both = boot + std::string(numbering, static_cast<std::size_t>(size));
  return fmt::format("{:016x}", std::hash<std::string>{}(both));
}

struct KernelEntry {
  char state = 0;
  unsigned long long start = 0;
};

// Empty: there is none of this id, or it may not be looked at.
std::optional<KernelEntry> process_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  constexpr int kFieldsBetween = 18;  // of proc(5): from the state, field 3, to the start, field 22
  std::istringstream fields(line.substr(name_end + 1));
  KernelEntry process;
  fields >> process.state;
  std::string skipped;
  for (int i = 0; i < kFieldsBetween; ++i)
    fields >> skipped;
  if (!(fields >> process.start)) return std::nullopt;
  return process;
}

bool is_there(const Parts& parts) {
  const auto process = process_of(parts.pid);
  if (!process) return kill(parts.pid, 0) == 0 || errno != ESRCH;
  const bool corpse = process->state == 'Z' || process->state == 'X';
  return !corpse && process->start == parts.start;
}

}  // namespace

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  return name;
}

std::string instance_name(const std::string& id) {
  const std::string kernel = this_kernel();
  const auto self = process_of(getpid());
  if (kernel.empty() || !self) return id;
  return fmt::format("{}@{}.{}.{}", id, kernel, getpid(), self->start);
}

bool has_ended(std::string_view instance) {
  const auto parts = parts_of(instance);
  return parts && !parts->kernel.empty() && parts->kernel == this_kernel() && !is_there(*parts);
}

std::optional<int> pid_here(std::string_view instance) {
  const auto parts = parts_of(instance);
  if (!parts || parts->kernel.empty() || parts->kernel != this_kernel()) return std::nullopt;
  return parts->pid;
}

}  // namespace surveybridge::daemon
