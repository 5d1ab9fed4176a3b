// What is read besides customers: ratings (2.5), bouncers (2.6) and data columns (2.3).
#include "mapping/interface/resource_shared.hpp"

namespace surveybridge::mapping {
namespace {

using namespace shape;

constexpr Field kRatingDataFields[] = {
    {"DisplayName", Type::text},
    {"Value", Type::text},
};
constexpr Resource kRatingData{"RatingData", "", kRatingDataFields};

constexpr Field kRatingAnswerFields[] = {
    {"QuestionId", Type::integer},
    {"Description", Type::text},
    {"Text", Type::text},
    {"Score", Type::integer},
};
constexpr Resource kRatingAnswer{"RatingAnswer", "", kRatingAnswerFields};

constexpr Field kReactionFields[] = {
    {"UserName", Type::text},
    {"Date", Type::instant},
    {"Reaction", Type::text},
};
constexpr Resource kReaction{"RatingReaction", "", kReactionFields};

constexpr Field kRatingFields[] = {
    {"Id", Type::integer},
    {"TransactionDate", Type::instant},
    {"FinishedDate", Type::instant},
    {"ReviewApprovedDate", Type::instant},
    list_of("Data", kRatingData, "RatingData", "survey_rating_data"),
    list_of("Answers", kRatingAnswer, "RatingAnswer", "survey_rating_answer"),
    list_of("Reactions", kReaction, "RatingReaction", "survey_rating_reaction"),
};
constexpr Resource kRating{"Rating", "survey_rating", kRatingFields};

constexpr Field kBouncerFields[] = {
    {"Reason", Type::text},
    {"Exception", Type::text},
    {"CustomerStatus", Type::text},
    {"DateSent", Type::instant},
    {"DateReminded", Type::instant},
    {"Email", Type::text},
    {"TransactionDate", Type::instant},
    {"SurveyClosedDate", Type::instant},
    list_of("Data", kCustomerData, "CustomerData", "survey_bouncer_data"),
    {"Language", Type::text},
    {"IsContactRequested", Type::boolean},
    {"IsConcept", Type::boolean},
};
constexpr Resource kBouncer{"BouncedCustomer", "survey_bouncer", kBouncerFields};

constexpr Field kDataColumnFields[] = {
    {"Id", Type::integer}, {"Required", Type::boolean}, {"Archived", Type::boolean},
    {"Name", Type::text},  {"DisplayName", Type::text},
};
constexpr Resource kDataColumn{"CustomerDataColumn", "survey_data_column", kDataColumnFields};

}  // namespace

const Resource& rating() {
  return kRating;
}

const Resource& bouncer() {
  return kBouncer;
}

const Resource& data_column() {
  return kDataColumn;
}

}  // namespace surveybridge::mapping
