#include "config/parameter.hpp"

#include <map>

#include "config/service_list.hpp"

namespace surveybridge::config {
namespace {

std::vector<std::string> dates_among(const ServiceList& list) {
  constexpr std::string_view kFilter = "Filter";
  std::vector<std::string> dates{std::string(list.date)};
  for (const Parameter& parameter : list.parameters) {
    if (parameter.type != ParameterType::date_filter) continue;
    const auto date = parameter.name.substr(0, parameter.name.size() - kFilter.size());
    if (date != list.date) dates.emplace_back(date);
  }
  return dates;
}

}  // namespace

std::span<const Parameter> parameters_of(Pull::List list) {
  return description_of(list).parameters;
}

const std::vector<std::string>& dates_of(Pull::List list) {
  static const auto all = [] {
    std::map<Pull::List, std::vector<std::string>> dates;
    for (const ServiceList& each : service_lists())
      dates[each.list] = dates_among(each);
    return dates;
  }();
  return all.at(list);
}

bool shapes_rows(std::string_view parameter) {
  return parameter == "IncludeNotes" || parameter == "ConcatAnswersForQuestionIds";
}

}  // namespace surveybridge::config
