#include "daemon/status/report_route.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "connectors/crm/report/report_reading.hpp"
#include "connectors/service/query.hpp"
#include "daemon/report/report.hpp"
#include "http/target.hpp"

namespace surveybridge::daemon {
namespace {

// One thread answers every request for a report: one that takes longer is shown when it is asked
// for again.
constexpr Duration kReportPatience = std::chrono::seconds{1};
constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kNoTables =
    "There are no tables for reports yet: [pull.customers] makes them with its first page.";

using Member = std::string ReportAsked::*;
constexpr std::array<std::pair<std::string_view, Member>, 5> kNames = {{
    {"from", &ReportAsked::from},
    {"to", &ReportAsked::to},
    {"push", &ReportAsked::push},
    {"by", &ReportAsked::by},
    {"period", &ReportAsked::period},
}};

constexpr const char* kBusy =
    "<!DOCTYPE html><html lang=\"en\"><head><title>Report</title>"
    "<meta http-equiv=\"refresh\" content=\"2\">"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
    "<meta name=\"color-scheme\" content=\"light dark\"></head>"
    "<body><p>The report is being made, or the database does not answer. "
    "This page asks again in two seconds.</p></body></html>\n";

LinkGroup times(const ReportAsked& asked, const std::string& today) {
  LinkGroup group{"Time", {}};
  const auto add = [&](const std::string& text, const std::string& from, const std::string& to,
                       const std::string& period) {
    ReportAsked other = asked;
    other.from = from, other.to = to, other.period = period;
    const bool current =
        asked.from == from && asked.to == to && (asked.period == period || period.empty());
    group.links.push_back({text, report_link(other), current});
  };
  const int year = std::stoi(today.substr(0, 4));
  add("12 weeks", "", "", "");
  add("This month", today.substr(0, 8) + "01", "", "week");
  add("This year", fmt::format("{:04}-01-01", year), "", "month");
  add("Last year", fmt::format("{:04}-01-01", year - 1), fmt::format("{:04}-12-31", year - 1),
      "month");
  return group;
}

http::Reply reply_of(crm::Database& database, const config::Settings& settings,
                     const ReportAsked& asked, const OpenCrm& open_crm) {
  if (!crm::has_report_tables(database)) return http::text_reply(503, kNoTables);
  auto gathered = gather_report(database, settings, asked, open_crm);
  if (const auto* refused = std::get_if<ReportRefused>(&gathered))
    return http::text_reply(400, fmt::format("{}", fmt::join(*refused, "\n")));
  auto& report = std::get<SurveyReport>(gathered);
  report.links = report_links(settings, asked, crm::day_of(database.now(), settings.crm.time_zone));
  return {200, {{"Content-Type", kHtml}}, report_html(report)};
}

}  // namespace

std::optional<ReportAsked> report_asked_in(std::string_view query) {
  const auto form = http::read_form(query);
  if (!form) return std::nullopt;
  ReportAsked asked;
  for (const auto& [name, value] : *form) {
    const auto found = std::ranges::find(kNames, std::string_view(name),
                                         &std::pair<std::string_view, Member>::first);
    if (found == kNames.end() || !(asked.*found->second).empty()) return std::nullopt;
    asked.*found->second = value;
  }
  return asked;
}

std::string report_link(const ReportAsked& asked) {
  std::vector<std::string> parts;
  for (const auto& [name, member] : kNames) {
    if (!(asked.*member).empty())
      parts.push_back(fmt::format("{}={}", name, service::percent_encode(asked.*member)));
  }
  return std::string(ReportRoute::kPath) +
         (parts.empty() ? "" : fmt::format("?{}", fmt::join(parts, "&")));
}

std::vector<LinkGroup> report_links(const config::Settings& settings, const ReportAsked& asked,
                                    const std::string& today) {
  std::vector<LinkGroup> groups = {times(asked, today)};
  if (settings.pushes.size() > 1) {
    LinkGroup group{"Push", {}};
    ReportAsked other = asked;
    other.push.clear();
    group.links.push_back({"all", report_link(other), asked.push.empty()});
    for (const auto& push : settings.pushes) {
      other.push = push.name;
      group.links.push_back({push.name, report_link(other), asked.push == push.name});
    }
    groups.push_back(std::move(group));
  }
  if (settings.report.segments.size() > 1) {
    LinkGroup group{"Segment", {}};
    for (const auto& segment : settings.report.segments) {
      ReportAsked other = asked;
      other.by = segment;
      const bool first = asked.by.empty() && &segment == &settings.report.segments.front();
      group.links.push_back({segment, report_link(other), first || asked.by == segment});
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

// What the database's thread makes; it may outlive the request.
struct ReportRoute::Making {
  std::string target;
  http::Reply reply = {};
  std::atomic<bool> done = false;
};

ReportRoute::ReportRoute(const config::Settings& settings, PageSession::Open open, OpenCrm open_crm)
    : settings_(std::make_shared<config::Settings>(settings)),
      open_crm_(std::move(open_crm)),
      session_(std::move(open)) {}

ReportRoute::~ReportRoute() = default;

// False: it is not made yet.
bool ReportRoute::make(const ReportAsked& asked, const std::string& target) {
  if (making_ && making_->target == target && making_->done) return true;
  if (making_ && making_->target == target && session_.is_busy()) return false;
  auto making = std::make_shared<Making>();
  making->target = target;
  making_ = making;
  return session_.run(
      [making, settings = settings_, asked, open_crm = open_crm_](crm::Database& database) {
        making->reply = reply_of(database, *settings, asked, open_crm);
        making->done = true;
      },
      kReportPatience);
}

http::Reply ReportRoute::answer(const std::string& target) {
  const auto mark = target.find('?');
  const auto asked = report_asked_in(mark == std::string::npos ? "" : target.substr(mark + 1));
  if (!asked) return http::text_reply(400, "from, to, push, by and period are known, each once");
  if (!make(*asked, target)) return {503, {{"Content-Type", kHtml}}, kBusy};
  return std::move(std::exchange(making_, nullptr)->reply);
}

}  // namespace surveybridge::daemon
