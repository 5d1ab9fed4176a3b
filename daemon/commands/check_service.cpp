#include "daemon/commands/check_service.hpp"

#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/wording.hpp"
#include "daemon/pull/pull_plan.hpp"
#include "mapping/codec/enumerations.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kEndsSoon = std::chrono::days{30};
constexpr Duration kClocksDiffer = std::chrono::seconds{5};

std::vector<mapping::Record> customers_in(service::Api& api, const service::Parameter& window,
                                          mapping::Format format, TimePoint now) {
  auto page = api.page(
      service::customers(),
      {window, {"IncludeTestRecords", std::string("true")}, {"IncludeNotes", std::string("true")}},
      "", 100, now, format);
  auto* read = std::get_if<mapping::Page>(&page);
  return read == nullptr ? std::vector<mapping::Record>() : std::move(read->records);
}

// FormStatus = { 0 = "None", 1 = "New" }
std::string names_line(const std::string& field, const config::NumberNames& names) {
  std::vector<std::string> all;
  for (const auto& [number, name] : names)
    all.push_back(fmt::format("{} = {}", number, config::quoted(name)));
  return fmt::format("{} = {{ {} }}", field, fmt::join(all, ", "));
}

}  // namespace

std::optional<CertificateFinding> certificate_finding(const service::Certificate& certificate,
                                                      const std::string& origin, TimePoint now) {
  const Duration left = certificate.ends - now;
  const std::string end =
      mapping::write_instant(std::chrono::floor<std::chrono::seconds>(certificate.ends));
  if (!certificate.fault.empty()) {
    return CertificateFinding{
        true, fmt::format("service: the certificate of {} is not trusted: {}; it {} on {}", origin,
                          certificate.fault, left > Duration{0} ? "ends" : "ended", end)};
  }
  if (left >= kEndsSoon) return std::nullopt;
  const auto days = std::chrono::floor<std::chrono::days>(left).count();
  return CertificateFinding{
      false, fmt::format("service: the certificate of {} ends in {} day{}, on {}", origin, days,
                         days == 1 ? "" : "s", end)};
}

std::optional<std::string> clock_finding(Duration ahead) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(ahead).count();
  if (std::chrono::abs(ahead) < kClocksDiffer) return std::nullopt;
  return fmt::format("its clock is {} s {} this machine's", std::abs(seconds),
                     seconds > 0 ? "ahead of" : "behind");
}

std::vector<std::string> proposed_names(service::Api& api, const config::Settings& settings,
                                        const config::Pull& customers, TimePoint now) {
  const std::string& zone = settings.crm.time_zone;
  const WalkPlan plan = plan_walks(customers, settings.service.dialect).front();
  const service::Parameter window = window_of(open_window({}, plan, zone, now), plan);
  const auto by_number = customers_in(api, window, mapping::Format::json, now);
  if (by_number.empty()) return {};
  const auto by_name = customers_in(api, window, mapping::Format::xml, now);
  std::vector<std::string> lines;
  for (const auto& [field, names] : mapping::enumerations_between(by_number, by_name)) {
    config::NumberNames all = names;
    const auto known = settings.service.enumerations.find(field);
    if (known != settings.service.enumerations.end())
      all.insert(known->second.begin(), known->second.end());
    lines.push_back(names_line(field, all));
  }
  return lines;
}

}  // namespace surveybridge::daemon
