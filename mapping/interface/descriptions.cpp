// What the service sends and takes, as data: docs/SERVICE.md 2.1 to 2.6, and the statuses of 3. A
// new field is one line here.
#include "mapping/interface/resource.hpp"

namespace surveybridge::mapping {

namespace {

constexpr Field kScalePositionFields[] = {
    {"Id", Type::integer},
    {"Label", Type::text},
    {"Value", Type::integer},
    {"Ranking", Type::integer},
};
constexpr Resource kScalePosition{"ScalePosition", "", kScalePositionFields};

constexpr Field kFileAnswerFields[] = {
    {"Id", Type::integer},          {"AnswerId", Type::integer},
    {"FileName", Type::text},       {"FileSize", Type::integer},
    {"FileType", Type::text},       {"Data", Type::base64},
    {"IsEncrypted", Type::boolean}, {"CertificateThumbprint", Type::text},
    {"EncryptionKey", Type::text},
};
constexpr Resource kFileAnswer{"FileAnswer", "", kFileAnswerFields};

constexpr Field kCustomerDataFields[] = {
    {"CustomerDataColumnId", Type::integer},
    {"Name", Type::text},
    {"Value", Type::text},
    {"IsEncrypted", Type::boolean},
    {"CertificateThumbprint", Type::text},
    {"EncryptionKey", Type::text},
};
constexpr Resource kCustomerData{"CustomerData", "", kCustomerDataFields};

// A field with one object, and a field with a list of objects. `table` is where the list is stored
// after it was read; a list that is only sent has none.
constexpr Field object(std::string_view name, const Resource& of) {
  return {name, Type::object, false, &of};
}
constexpr Field list_of(std::string_view name, const Resource& of, std::string_view xml_item,
                        std::string_view table = "") {
  return {name, Type::object, true, &of, xml_item, table};
}

constexpr Field kImportAnswerFields[] = {
    {"BaseQuestionId", Type::integer},
    {"IsNotApplicableSelected", Type::boolean},
    {"Text", Type::text},
    list_of("SelectedScalePositions", kScalePosition, "ScalePosition"),
    {"DateAnswered", Type::instant},
    list_of("FileAnswers", kFileAnswer, "FileAnswer"),
    {"PageRepetition", Type::integer},
    {"SectionRepetition", Type::integer},
};
constexpr Resource kImportAnswer{"ImportAnswer", "", kImportAnswerFields};

constexpr Field kImportCustomerFields[] = {
    {"Email", Type::text},
    {"PhoneNumber", Type::text},
    {"SendDate", Type::instant},
    {"TransactionDate", Type::instant},
    {"EndDate", Type::instant},
    {"Priority", Type::integer},
    {"PreviousId", Type::integer},
    list_of("Data", kCustomerData, "CustomerData"),
    list_of("Answers", kImportAnswer, "ImportAnswerExternal"),
    {"AnswersToCopy", Type::integer, true, nullptr, "int"},
    {"CopyAllAnswers", Type::boolean},
};
constexpr Resource kImportCustomer{"ImportCustomer", "", kImportCustomerFields};

constexpr Field kImportBatchFields[] = {
    {"ApproveAutomatically", Type::boolean},
    {"EndDate", Type::instant},
    {"SendTime", Type::instant},
    {"IsTest", Type::boolean},
    {"TypeBatch", Type::text},
    {"AllowDuplicateEmail", Type::boolean},
    {"NotificationEmailAddresses", Type::text},
    {"BatchName", Type::text},
    list_of("Customers", kImportCustomer, "ImportCustomer"),
    {"IsConcept", Type::boolean},
};
constexpr Resource kImportBatch{"ImportCustomersRequest", "", kImportBatchFields};

}  // namespace

const Resource& import_batch() {
  return kImportBatch;
}

const Resource& import_customer() {
  return kImportCustomer;
}

const Resource& customer_data() {
  return kCustomerData;
}

namespace {

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

namespace {

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
