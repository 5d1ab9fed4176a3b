#include "mapping/interface/second_feedback.hpp"

namespace surveybridge::mapping {

namespace {

std::optional<std::int64_t> integer(const Record& record, std::string_view field) {
  const auto* number = std::get_if<std::int64_t>(&record.value(field));
  return number == nullptr ? std::nullopt : std::optional(*number);
}

// The original that a customer names, if it is another one. A service may write 0 for none.
std::optional<std::int64_t> original_of(const Record& customer) {
  const auto& information = customer.at("SecondFeedbackInformation").records;
  if (information.empty()) return std::nullopt;
  const auto original = integer(information.front(), "OriginalCustomerId");
  if (!original || *original == 0 || original == integer(customer, "Id")) return std::nullopt;
  return original;
}

}  // namespace

bool is_second_feedback(const Record& customer) {
  const auto* flag = std::get_if<bool>(&customer.value("IsSecondFeedBack"));
  return (flag != nullptr && *flag) || original_of(customer).has_value();
}

std::optional<std::int64_t> imported_customer_id(const Record& customer) {
  return is_second_feedback(customer) ? original_of(customer) : integer(customer, "Id");
}

}  // namespace surveybridge::mapping
