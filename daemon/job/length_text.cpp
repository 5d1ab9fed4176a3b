#include "daemon/job/length_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

std::string length_text(Duration length) {
  const auto seconds =
      std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(length).count());
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (seconds < 7200) return fmt::format("{} min", seconds / 60);
  if (seconds < 172'800) return fmt::format("{} h", seconds / 3600);
  return fmt::format("{} days", seconds / 86'400);
}

std::string second_text(TimePoint at) {
  return mapping::write_instant(std::chrono::floor<std::chrono::seconds>(at));
}

std::string counted(std::int64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

}  // namespace surveybridge::daemon
