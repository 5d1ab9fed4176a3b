#include "daemon/lists/pull_filters.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/service_list.hpp"
#include "daemon/lists/page_walk.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::daemon {
namespace {

using config::Filter;
using service::Parameter;
using Texts = std::vector<std::string>;

// A provider's opt-outs may come to the service days after their date.
constexpr config::Milliseconds kOptOutsLate = std::chrono::hours{24 * 7};

constexpr std::size_t kWindowAndCursor = 500;  // bytes of a query besides the filters

// Lists whose members are alternatives: two requests with half of the list find the same as one.
bool may_be_shared(const Filter& filter) {
  return filter.name == "CustomerIds" || filter.name == "EmailAddresses" ||
         filter.name == "Statuses";
}

struct Written {
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const Texts& values) const { return fmt::format("{}", values); }
  std::string operator()(const Filter::Dates& dates) const {
    return shown(dates.from) + ".." + shown(dates.to);
  }
  std::string operator()(const std::vector<Filter::Column>& all) const {
    std::string text;
    for (const auto& [column, value] : all)
      text += fmt::format("{}={};", Texts{column}, Texts{value});
    return text;
  }
  std::string operator()(const std::vector<Filter::Answer>& all) const {
    std::string text;
    for (const auto& answer : all) {
      text += '{';
      for (const auto& [member, values] : answer.members)
        text += fmt::format("{}={};", Texts{member}, values);
    }
    return text;
  }
  static std::string shown(const std::optional<config::Date>& date) {
    if (!date) return "";
    const auto offset = date->offset ? std::to_string(date->offset->count()) : "";
    return std::to_string(date->local.time_since_epoch().count()) + "+" + offset;
  }
};

// FNV-1a: the same for the same filters in any order, in every process and version.
std::uint64_t fingerprint(std::vector<Filter> filters) {
  std::ranges::sort(filters, {}, &Filter::name);
  std::uint64_t hash = 14695981039346656037ULL;
  for (const Filter& filter : filters) {
    for (const char c : filter.name + "=" + std::visit(Written{}, filter.value) + "\n") {
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    }
  }
  return hash;
}

std::size_t length_of(const Filter& filter, const config::ServiceDialect& dialect) {
  const auto* values = std::get_if<Texts>(&filter.value);
  if (values == nullptr) return 0;
  return service::write_query({{filter.name, *values}}, dialect, "UTC").size();
}

std::size_t size_of(const Filter& filter) {
  const auto* values = std::get_if<Texts>(&filter.value);
  return values == nullptr || !may_be_shared(filter) ? 0 : values->size();
}

// Halves the longest list until each query is short enough, or no list can be halved.
std::vector<std::vector<Filter>> share(std::vector<Filter> filters,
                                       const config::ServiceDialect& dialect) {
  std::size_t length = kWindowAndCursor;
  for (const Filter& filter : filters)
    length += length_of(filter, dialect);
  const auto longest = std::ranges::max_element(filters, {}, size_of);
  const bool fits = length <= static_cast<std::size_t>(dialect.query_bytes);
  if (fits || longest == filters.end() || size_of(*longest) < 2) return {std::move(filters)};
  const Texts all = std::get<Texts>(longest->value);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  longest->value = Texts(all.begin(), middle);
  auto parts = share(filters, dialect);
  longest->value = Texts(middle, all.end());
  for (auto& part : share(filters, dialect))
    parts.push_back(std::move(part));
  return parts;
}

// A filter's value as an argument; what is wrong with a data column's name goes to `fault`.
struct Argued {
  const std::vector<mapping::DataColumn>& columns;
  const std::string& zone;
  std::string& fault;

  service::Argument operator()(const std::string& value) const { return value; }
  service::Argument operator()(const Texts& values) const { return values; }
  service::Argument operator()(const Filter::Dates& dates) const {
    service::DateFilter filter;
    if (dates.from) filter.from = mapping::instant_of(*dates.from, zone);
    if (dates.to) filter.to = mapping::instant_of(*dates.to, zone);
    return filter;
  }
  service::Argument operator()(const std::vector<Filter::Column>& all) const {
    std::vector<service::DataFilter> filters;
    for (const auto& [column, value] : all) {
      const auto found = mapping::find_column(column, columns);
      const auto* known = std::get_if<mapping::DataColumn>(&found);
      // A number that the service does not list is asked for as it is.
      const auto id = known == nullptr ? mapping::column_as_written(column).id : known->id;
      if (id == 0) fault = std::get<std::string>(found);
      filters.push_back({id, value});
    }
    return filters;
  }
  service::Argument operator()(const std::vector<Filter::Answer>& all) const {
    std::vector<service::AnswerFilter> filters;
    for (const auto& answer : all)
      filters.push_back({answer.members});
    return filters;
  }
};

// The pull's own walks, and its additional ones.
std::vector<config::WalkSettings> every_walk(const config::Pull& pull) {
  std::vector<config::WalkSettings> walks;
  for (const std::string& by : pull.by) {
    config::WalkSettings walk;
    walk.name = walk.by = by;
    walks.push_back(std::move(walk));
  }
  walks.insert(walks.end(), pull.walks.begin(), pull.walks.end());
  return walks;
}

WalkPlan plan_of(const config::WalkSettings& walk, const config::Pull& pull,
                 std::vector<Filter> filters) {
  WalkPlan plan;
  plan.by = walk.by;
  plan.name = walk.name;
  if (!filters.empty()) plan.name += fmt::format("?{:08x}", fingerprint(filters) & 0xffffffffU);
  plan.every = walk.every.value_or(pull.every);
  const bool of_opt_outs = walk.by == "OptedOutDate";
  plan.overlap =
      walk.overlap.value_or(of_opt_outs ? std::max(pull.overlap, kOptOutsLate) : pull.overlap);
  plan.look_back = walk.look_back.value_or(pull.look_back);
  plan.from = walk.from ? walk.from : pull.from;
  plan.filters = std::move(filters);
  return plan;
}

TimePoint first_of(const WalkPlan& plan, const std::string& zone) {
  return plan.from ? mapping::instant_of(*plan.from, zone) : TimePoint{};
}

TimePoint window_from(const crm::StoredWalk& walk, const WalkPlan& plan, const std::string& zone,
                      TimePoint db_now) {
  if (plan.look_back > Duration{0}) return db_now - plan.look_back;
  const TimePoint first = first_of(plan, zone);
  // A watermark ahead of the clock is not used.
  const bool believed = walk.watermark && *walk.watermark <= db_now + plan.overlap;
  return believed ? std::max(first, std::min(*walk.watermark, db_now) - plan.overlap) : first;
}

}  // namespace

bool WalkPlan::hides_rows() const {
  return std::ranges::any_of(filters,
                             [](const auto& each) { return config::hides_rows(each.name); });
}

std::vector<WalkPlan> plan_walks(const config::Pull& pull, const config::ServiceDialect& dialect) {
  std::vector<WalkPlan> plans;
  for (const config::WalkSettings& walk : every_walk(pull)) {
    auto filters = pull.filters;
    filters.insert(filters.end(), walk.filters.begin(), walk.filters.end());
    for (auto& part : share(std::move(filters), dialect))
      plans.push_back(plan_of(walk, pull, std::move(part)));
  }
  return plans;
}

std::vector<std::string> own_walks(const config::Settings& settings, const std::string& list) {
  std::vector<std::string> names;
  for (config::Pull pull : settings.pulls) {
    if (pull.name != list) continue;
    pull.walks.clear();
    for (const WalkPlan& plan : plan_walks(pull, settings.service.dialect))
      names.push_back(plan.name);
  }
  return names;
}

crm::StoredWalk open_window(crm::StoredWalk walk, const WalkPlan& plan, const std::string& zone,
                            TimePoint db_now) {
  if (is_open(walk)) return walk;
  walk.window_from = plan.only ? plan.only->from : window_from(walk, plan, zone, db_now);
  walk.window_to = plan.only ? plan.only->to : std::max(db_now, *walk.window_from);
  walk.restarts = 0;
  if (walk.service.empty() && !plan.service.empty()) {
    walk.service = plan.service;
    walk.read_from = first_of(plan, zone);
  }
  return first_page(std::move(walk), db_now);
}

bool is_of_another(const crm::StoredWalk& walk, const WalkPlan& plan, const std::string& zone) {
  if (walk.service.empty() || plan.service.empty() || plan.only) return false;
  const bool reads_older =
      plan.look_back == Duration{0} && walk.read_from && first_of(plan, zone) < *walk.read_from;
  return walk.service != plan.service || reads_older;
}

TimePoint next_window(const crm::StoredWalk& walk, const WalkPlan& plan, TimePoint db_now) {
  const bool believed = walk.finished_at && *walk.finished_at <= db_now;
  return believed ? *walk.finished_at + plan.every : db_now;
}

service::Parameter window_of(const crm::StoredWalk& walk, const WalkPlan& plan) {
  return {plan.window_filter(), service::DateFilter{walk.window_from, walk.window_to}};
}

bool name_columns(const std::vector<Filter>& filters) {
  return std::ranges::any_of(filters, [](const Filter& filter) {
    return std::holds_alternative<std::vector<Filter::Column>>(filter.value);
  });
}

std::variant<std::vector<Parameter>, std::string> parameters_of(
    const std::vector<Filter>& filters, const std::vector<mapping::DataColumn>& columns,
    const std::string& zone) {
  std::vector<Parameter> parameters;
  for (const Filter& filter : filters) {
    std::string fault;
    parameters.push_back({filter.name, std::visit(Argued{columns, zone, fault}, filter.value)});
    if (!fault.empty()) {
      return to_string(config::Problem{filter.place, "filter." + filter.name, fault});
    }
  }
  return parameters;
}

}  // namespace surveybridge::daemon
