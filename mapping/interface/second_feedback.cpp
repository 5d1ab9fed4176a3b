#include "mapping/interface/second_feedback.hpp"

namespace surveybridge::mapping {

namespace {

// The original that a customer names, if it is another one. A service may write 0 for none.
std::optional<std::int64_t> original_of(const Record& customer) {
  const auto& information = customer.at("SecondFeedbackInformation").records;
  if (information.empty()) return std::nullopt;
  const auto original = information.front().get<std::int64_t>("OriginalCustomerId");
  if (!original || *original == 0 || original == customer.get<std::int64_t>("Id"))
    return std::nullopt;
  return original;
}

}  // namespace

bool is_second_feedback(const Record& customer) {
  return customer.is_true("IsSecondFeedBack") || original_of(customer).has_value();
}

std::optional<std::int64_t> imported_customer_id(const Record& customer) {
  return is_second_feedback(customer) ? original_of(customer) : customer.get<std::int64_t>("Id");
}

}  // namespace surveybridge::mapping
