#include "config/parameter.hpp"

namespace surveybridge::config {
namespace {

using Type = ParameterType;

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

std::span<const Parameter> parameters_of(Pull::List list) {
  switch (list) {
    case Pull::List::ratings:
      return kRatings;
    case Pull::List::bouncers:
      return kBouncers;
    case Pull::List::customers:
      break;
  }
  return kCustomers;
}

const std::vector<std::string>& dates_of(Pull::List list) {
  static const std::vector<std::string> customers{
      "LastActivityDate",        "TransactionDate", "SurveyFinishedDate", "DateInvited",
      "ScheduledInvitationDate", "OptedOutDate",    "BatchClosedDate",    "ReviewApprovedDate"};
  static const std::vector<std::string> ratings{"ReviewApprovedDate"};
  static const std::vector<std::string> bouncers{"TransactionDate"};
  return list == Pull::List::customers ? customers
         : list == Pull::List::ratings ? ratings
                                       : bouncers;
}

bool shapes_rows(std::string_view parameter) {
  return parameter == "IncludeNotes" || parameter == "ConcatAnswersForQuestionIds";
}

}  // namespace surveybridge::config
