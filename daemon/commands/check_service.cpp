#include "daemon/commands/check_service.hpp"

#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/lists/filter_check.hpp"
#include "daemon/lists/page_walk.hpp"
#include "daemon/lists/pull_filters.hpp"
#include "mapping/codec/enumerations.hpp"

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

std::string soon_text(Duration left, const std::string& end) {
  const auto days = std::chrono::floor<std::chrono::days>(left).count();
  return fmt::format("ends in {} day{}, on {}", days, days == 1 ? "" : "s", end);
}

}  // namespace

std::optional<CertificateFinding> certificate_finding(const service::Certificate& certificate,
                                                      const std::string& origin, TimePoint now) {
  const Duration left = certificate.ends - now;
  const std::string end = second_text(certificate.ends);
  if (!certificate.fault.empty()) {
    return CertificateFinding{
        true, fmt::format("service: the certificate of {} is not trusted: {}; it {} on {}", origin,
                          certificate.fault, left > Duration{0} ? "ends" : "ended", end)};
  }
  if (left >= kEndsSoon) return std::nullopt;
  return CertificateFinding{
      false, fmt::format("service: the certificate of {} {}", origin, soon_text(left, end))};
}

std::optional<CertificateFinding> client_finding(const service::ClientCertificate& client,
                                                 TimePoint now) {
  const Duration left = client.ends - now;
  if (!client.given() || left >= kEndsSoon) return std::nullopt;
  const std::string end = second_text(client.ends), whose = "service.client_certificate: ";
  if (left <= Duration{0})
    return CertificateFinding{
        true, fmt::format("{}{} ended on {}: nothing is sent", whose, client.place, end)};
  return CertificateFinding{false, whose + client.place + " " + soon_text(left, end)};
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

namespace {

using service::Parameter;
using service::Trouble;
using Answer = std::variant<mapping::Page, Trouble>;

class FilterProbe {
 public:
  FilterProbe(service::Api& api, const config::Pull& pull, TimePoint now,
              std::function<bool()> has_records)
      : api_(api),
        pull_(pull),
        list_(service::operation_of(pull.list)),
        now_(now),
        has_records_(std::move(has_records)) {}

  // The filters that follow are those of a walk by this date.
  void begin_walk(const std::string& date) { date_ = date; }
  // `window`: the window of a walk that has this filter; empty for the window itself.
  void check(const std::vector<Parameter>& window, const Parameter& filter) {
    if (!asked_.insert(filter.name).second) return;
    what_ = "pull." + pull_.name + ": " + filter.name;
    if (const auto nothing = impossible(filter)) {
      expect_nothing(window, *nothing, filter);
    } else if (shows_in_rows(filter)) {
      expect_fitting(ask(window, filter, pull_.limit), filter);
    }
  }
  // Several walks share a filter: its problem is reported once.
  void wrong(const std::string& problem) {
    if (asked_.insert(problem).second) found_.push_back({"", std::nullopt, problem});
  }
  std::vector<FilterFinding> take() { return std::move(found_); }

 private:
  // What a pull believes to be an empty list is one here.
  Answer ask(std::vector<Parameter> asked, const Parameter& filter, int limit) {
    asked.push_back(filter);
    const auto once = [&] {
      return api_.page(list_, asked, "", limit, now_, {}, service::Bare::taken);
    };
    Answer answer = once();
    const auto* page = std::get_if<mapping::Page>(&answer);
    if (page == nullptr || !page->bare) return answer;
    if (auto doubt = why_not_empty()) return *std::move(doubt);
    return once();
  }

  // Empty: an answer without a list may be an empty one.
  std::optional<Trouble> why_not_empty() {
    PageWalk walk(list_, {}, date_, PageBounds{});
    for (;;) {
      auto proved = walk.prove_empty(api_, now_, has_records_);
      if (auto* trouble = std::get_if<Trouble>(&proved)) return std::move(*trouble);
      if (std::get<bool>(proved)) return std::nullopt;
    }
  }

  void expect_nothing(const std::vector<Parameter>& window, const Parameter& nothing,
                      const Parameter& filter) {
    const Answer answer = ask(window, nothing, 1);
    if (const auto* trouble = std::get_if<Trouble>(&answer)) {
      // If only the value was refused, the parameter was understood.
      const bool refused = trouble->kind == Trouble::Kind::rejected && !window.empty();
      if (refused) return expect_fitting(ask(window, filter, 1), filter);
      return found_.push_back({what_, *trouble, ""});
    }
    if (!std::get<mapping::Page>(answer).records.empty()) {
      ignored("it finds what cannot be");
    }
  }

  // If every value may find something, the rows must match the filter.
  void expect_fitting(const Answer& answer, const Parameter& filter) {
    if (const auto* trouble = std::get_if<Trouble>(&answer)) {
      return found_.push_back({what_, *trouble, ""});
    }
    if (!drop_unrequested(std::get<mapping::Page>(answer).records, {filter}).ignored.empty()) {
      ignored("it lists what does not fit");
    }
  }

  void ignored(const std::string& how) {
    found_.push_back({what_, std::nullopt, "the service ignores this filter (" + how + ")"});
  }

  service::Api& api_;
  const config::Pull& pull_;
  const service::ListOperation& list_;
  TimePoint now_;
  std::function<bool()> has_records_;
  std::string date_, what_;
  std::set<std::string> asked_;
  std::vector<FilterFinding> found_;
};

}  // namespace

std::vector<FilterFinding> check_filters(service::Api& api, const config::Settings& settings,
                                         const config::Pull& pull,
                                         const std::vector<mapping::DataColumn>& columns,
                                         TimePoint now, std::function<bool()> has_records) {
  const std::string& zone = settings.crm.time_zone;
  FilterProbe check(api, pull, now, std::move(has_records));
  for (const WalkPlan& plan : plan_walks(pull, settings.service.dialect)) {
    check.begin_walk(plan.by);
    const Parameter window = window_of(open_window({}, plan, zone, now), plan);
    check.check({}, window);
    const auto made = parameters_of(plan.filters, columns, zone);
    if (const auto* problem = std::get_if<std::string>(&made)) {
      check.wrong(*problem);
      continue;
    }
    for (const Parameter& filter : std::get<std::vector<Parameter>>(made))
      check.check({window}, filter);
  }
  return check.take();
}

}  // namespace surveybridge::daemon
