#include "config/service_list.hpp"

#include <algorithm>

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

}  // namespace surveybridge::config
