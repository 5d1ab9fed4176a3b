// Second feedback (docs/SERVICE.md 2.4): the service may ask somebody who has finished once more.
// It lists that as a second customer with the same data, which is no second transaction. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

bool is_second_feedback(const Record& customer);

// The id of the customer that was imported for the transaction: this one's, or of a second feedback
// its original's. Empty: a second feedback that does not name its original, or no id.
std::optional<std::int64_t> imported_customer_id(const Record& customer);

}  // namespace surveybridge::mapping
