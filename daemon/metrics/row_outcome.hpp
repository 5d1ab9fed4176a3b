// The words for what became of a row of a push, as the metrics have them. Pure.
#pragma once

#include <array>
#include <string_view>

namespace surveybridge::daemon {

namespace row_outcome {
inline constexpr std::string_view kSent = "sent", kNotSent = "not_sent", kInDoubt = "in_doubt",
                                  kHeld = "held", kQuarantined = "quarantined",
                                  kSuppressed = "suppressed", kDelayed = "delayed",
                                  kFound = "found";
}  // namespace row_outcome

// Sent, certainly not sent (it goes again), perhaps sent, a person decides; set aside for ever or
// for a time; found at the service after a doubt.
inline constexpr std::array kRowOutcomes = {row_outcome::kSent,        row_outcome::kNotSent,
                                            row_outcome::kInDoubt,     row_outcome::kHeld,
                                            row_outcome::kQuarantined, row_outcome::kSuppressed,
                                            row_outcome::kDelayed,     row_outcome::kFound};

}  // namespace surveybridge::daemon
