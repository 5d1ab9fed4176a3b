#include "config/service_list.hpp"

#include <algorithm>
#include <map>

namespace surveybridge::config {

namespace {

using Type = ParameterType;
using People = ServiceList::People;

constexpr Parameter kCustomers[] = {
    {"TransactionDateFilter", Type::date_filter},
    {"SurveyFinishedDateFilter", Type::date_filter},
    {"DateInvitedFilter", Type::date_filter},
    {"ScheduledInvitationDateFilter", Type::date_filter},
    {"OptedOutDateFilter", Type::date_filter},
    {"BatchClosedDateFilter", Type::date_filter},
    {"LastActivityDateFilter", Type::date_filter},
    {"DataFilters", Type::data_filters},
    {"Statuses", Type::integers},
    {"IsOptout", Type::boolean},
    {"CustomerIds", Type::integers},
    {"EmailAddresses", Type::texts},
    {"IncludeTestRecords", Type::boolean},
    {"AnswerFilters", Type::answer_filters},
    {"IncludeNotes", Type::boolean},
    {"ReviewApprovedDateFilter", Type::date_filter},
    {"ReviewStatus", Type::review_status},
    {"Cursor", Type::paging},
    {"Limit", Type::paging},
};
constexpr Parameter kRatings[] = {
    {"ReviewApprovedDateFilter", Type::date_filter},
    {"ConcatAnswersForQuestionIds", Type::integers},
    {"DataFilters", Type::data_filters},
    {"Cursor", Type::paging},
    {"Limit", Type::paging},
};
constexpr Parameter kBouncers[] = {
    {"TransactionDateFilter", Type::date_filter},
    {"IncludeTestRecords", Type::boolean},
    {"DataFilters", Type::data_filters},
    {"Cursor", Type::paging},
    {"Limit", Type::paging},
};

}  // namespace

const std::vector<ServiceList>& service_lists() {
  static const std::vector<ServiceList> lists = {
      {Pull::List::customers, "customers", "invited customers", "/external/api/v3/customer",
       "Customers", "Customer", kCustomers, "LastActivityDate", true, People::customer, true,
       "LastActivityDate"},
      {Pull::List::ratings, "ratings", "approved ratings", "/external/api/v3/rating", "Ratings",
       "Rating", kRatings, "ReviewApprovedDate", true, People::nothing, false,
       "ReviewApprovedDate"},
      {Pull::List::bouncers, "bouncers", "who could not be mailed",
       "/external/api/v3/customer/getbouncers", "Bouncers", "BouncedCustomer", kBouncers,
       "TransactionDate", false, People::bouncer, false, "DateSent"},
  };
  return lists;
}

const ServiceList& description_of(Pull::List list) {
  return *std::ranges::find(service_lists(), list, &ServiceList::list);
}

const ServiceList* list_named(std::string_view name) {
  const auto found = std::ranges::find(service_lists(), name, &ServiceList::name);
  return found == service_lists().end() ? nullptr : &*found;
}

std::string list_of(std::string_view resource) {
  const auto found = std::ranges::find(service_lists(), resource, &ServiceList::resource);
  return std::string(found == service_lists().end() ? resource : found->name);
}

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

bool hides_rows(std::string_view parameter) {
  return !shapes_rows(parameter) && parameter != "IncludeTestRecords";
}

bool shapes_rows(std::string_view parameter) {
  return parameter == "IncludeNotes" || parameter == "ConcatAnswersForQuestionIds";
}

}  // namespace surveybridge::config
