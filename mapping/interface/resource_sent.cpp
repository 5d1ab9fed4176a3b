// What is sent: docs/SERVICE.md 2.1 and 2.2.
#include "mapping/interface/resource_shared.hpp"

namespace surveybridge::mapping {
namespace {

using namespace shape;

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

}  // namespace surveybridge::mapping
