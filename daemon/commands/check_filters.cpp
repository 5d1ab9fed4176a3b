#include "daemon/commands/check_filters.hpp"

#include <set>

#include "daemon/lists/filter_check.hpp"
#include "daemon/pull/pull_plan.hpp"

namespace surveybridge::daemon {
namespace {

using service::Parameter;
using service::Trouble;
using Answer = std::variant<mapping::Page, Trouble>;

class FilterProbe {
 public:
  FilterProbe(service::Api& api, const config::Pull& pull, TimePoint now)
      : api_(api), pull_(pull), now_(now) {}

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
  Answer ask(std::vector<Parameter> asked, const Parameter& filter, int limit) {
    asked.push_back(filter);
    return api_.page(service::operation_of(pull_.list), std::move(asked), "", limit, now_);
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
  TimePoint now_;
  std::string what_;
  std::set<std::string> asked_;
  std::vector<FilterFinding> found_;
};

}  // namespace

std::vector<FilterFinding> check_filters(service::Api& api, const config::Settings& settings,
                                         const config::Pull& pull,
                                         const std::vector<mapping::DataColumn>& columns,
                                         TimePoint now) {
  const std::string& zone = settings.crm.time_zone;
  FilterProbe check(api, pull, now);
  for (const WalkPlan& plan : plan_walks(pull, settings.service.dialect)) {
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
