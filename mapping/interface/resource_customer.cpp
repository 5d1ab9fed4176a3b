// A customer as it is read: docs/SERVICE.md 2.4, and the statuses of 3.
#include "mapping/interface/resource_shared.hpp"

namespace surveybridge::mapping {
namespace {

using namespace shape;

constexpr Field kStatusFields[] = {
    {"StatusCode", Type::integer},
    {"StatusName", Type::text},
};
constexpr Resource kStatus{"CustomerStatus", "survey_status", kStatusFields};

constexpr Field kSecondFeedbackFields[] = {
    {"OriginalCustomerId", Type::integer},
    {"SecondFeedbackCustomerId", Type::integer},
};
constexpr Resource kSecondFeedback{"SecondFeedbackInformation", "", kSecondFeedbackFields};

constexpr Field kBatchFields[] = {
    {"Id", Type::integer},
    {"IsTest", Type::boolean},
    {"TypeBatch", Type::text},
    {"CreatedDate", Type::instant},
};
constexpr Resource kBatch{"Batch", "", kBatchFields};

constexpr Field kReviewFields[] = {
    {"ReviewStatus", Type::enumeration},
    {"ReviewApprovedDate", Type::instant},
};
constexpr Resource kReview{"Review", "", kReviewFields};

constexpr Field kCategoryFields[] = {
    {"Category", Type::text},
    {"SubCategory", Type::text},
    {"Sentiment", Type::enumeration},
};
constexpr Resource kCategory{"AnswerCategory", "", kCategoryFields};

constexpr Field kAnswerFields[] = {
    {"QuestionId", Type::guid},
    {"BaseQuestionId", Type::integer},
    {"QuestionDescription", Type::text},
    {"QuestionText", Type::text},
    list_of("Categories", kCategory, "AnswerCategory", "survey_answer_category"),
    {"PageRepetition", Type::integer},
    {"SectionRepetition", Type::integer},
    {"IsEncrypted", Type::boolean},
    {"CertificateThumbprint", Type::text},
    {"EncryptionKey", Type::text},
    {"Text", Type::text},
    list_of("SelectedScalePositions", kScalePosition, "ScalePosition",
            "survey_answer_scale_position"),
    {"DateAnswered", Type::instant},
    list_of("FileAnswers", kFileAnswer, "FileAnswer", "survey_answer_file"),
};
constexpr Resource kAnswer{"ExportAnswer", "", kAnswerFields};

constexpr Field kNoteFields[] = {
    {"CustomerId", Type::integer}, {"Date", Type::instant},     {"User", Type::text},
    {"Note", Type::text},          {"Type", Type::enumeration},
};
constexpr Resource kNote{"FormNote", "", kNoteFields};

constexpr Field kCustomerFields[] = {
    {"Id", Type::integer},
    {"AccessKey", Type::text},
    {"QuestionnaireId", Type::guid},
    object("Status", kStatus),
    {"ScheduledInvitationDate", Type::instant},
    {"DateInvited", Type::instant},
    {"DateReminded", Type::instant},
    {"SurveyFinishedDate", Type::instant},
    {"OpenDate", Type::instant},
    {"LastActivityDate", Type::instant},
    {"CompletionTimeInSeconds", Type::integer},
    {"HasSecondFeedBack", Type::boolean},
    {"IsSecondFeedBack", Type::boolean},
    object("SecondFeedbackInformation", kSecondFeedback),
    object("Batch", kBatch),
    {"OptedOut", Type::boolean},
    {"ExternalUniqueId", Type::text},
    {"OptedOutDate", Type::instant},
    list_of("Answers", kAnswer, "ExportAnswer", "survey_answer"),
    {"UserAgent", Type::text},
    {"Priority", Type::integer},
    {"PartiallyAnsweredRemindedDate", Type::instant},
    {"PreviousId", Type::integer},
    {"Overtime", Type::boolean},
    {"FormStatus", Type::enumeration},
    list_of("FormNotes", kNote, "FormNote", "survey_customer_note"),
    object("Review", kReview),
    {"Email", Type::text},
    {"TransactionDate", Type::instant},
    {"SurveyClosedDate", Type::instant},
    list_of("Data", kCustomerData, "CustomerData", "survey_customer_data"),
    {"Language", Type::text},
    {"IsContactRequested", Type::boolean},
    {"IsConcept", Type::boolean},
};
constexpr Resource kCustomer{"Customer", "survey_customer", kCustomerFields};

}  // namespace

const Resource& customer() {
  return kCustomer;
}

const Resource& status() {
  return kStatus;
}

}  // namespace surveybridge::mapping
