// The states of a transaction (survey_push.state) and the outcomes of a POST
// (survey_batch.outcome), with the one table of their texts in the database, in reports and in
// JSON.
#pragma once

#include <optional>
#include <string_view>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// Who moves a row from which state to which: docs/ARCHITECTURE.md.
enum class State { pending, claimed, sent, in_doubt, held, suppressed, quarantined };

const char* to_string(State state);
std::optional<State> state_from(std::string_view text);

enum class Outcome {
  none,       // no answer is recorded yet; null in the database
  accepted,   // 2xx
  not_sent,   // certainly not processed
  too_many,   // not processed: 429
  too_large,  // not processed: 413
  refused,    // 400, 422
  kept,       // refused, and the service lists one of its customers none the less
  unknown,    // may have been processed
};

const char* to_string(Outcome outcome);
std::optional<Outcome> outcome_from(std::string_view text);

// A cell that holds one of them. Throws DatabaseError(other) for any other text.
State state_in(const Value& cell);
void read_cell(const Value& cell, State& into);
void read_cell(const Value& cell, Outcome& into);

// A reason with these words and a colon ends with what the service said, which may quote the row.
inline constexpr std::string_view kRefusedByService = "refused by the service";
// So begin the reasons of rows that `sample` and `quota` leave out.
inline constexpr std::string_view kNotDrawn = "not drawn", kOverQuota = "over the quota";
// The digest of a row that could not be read as one: any row that can be is another one.
inline constexpr std::string_view kNoDigest = "none";
// So begins the reason of a sent row that a person marked so (`doubt sent`).
inline constexpr std::string_view kMarkedSent = "it had arrived, decided by ";
// How it begins where a person has a row sent again, whatever the service lists.
inline constexpr std::string_view kSentAgain = "goes out again";

}  // namespace surveybridge::crm
