// An invitation as reports show it: what of a customer of the service is known, in one flat row,
// and the answers that the customer has given (docs/REPORTS.md). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

// One answer. A question that a page or section repeats is answered several times: `occurrence`
// counts its answers from 1, in the order of the record.
struct Answered {
  std::int64_t question = 0;  // BaseQuestionId
  int occurrence = 1;
  std::int64_t position = 0;          // of the answer in the record, from 0
  std::optional<std::int64_t> score;  // the value of the scale position, where just one is chosen
  bool has_text = false;
  Instant at;
  std::string_view words;     // the question's description, or its text: the record's own
  std::string_view language;  // the customer's: the record's own
};

// Only answers with a date: an answer that was pushed with the customer has none. An encrypted
// answer has no text. Answers without a BaseQuestionId are left out. Valid as long as the record
// is.
std::vector<Answered> answered(const Record& customer);
// Of several customers, parallel to them.
std::vector<std::vector<Answered>> answered(std::span<const Record> customers);

// How far an invitation has come; the later ones count more. to_string() has the same order.
enum class Stage { sent, invited, opened, begun, closed, opted_out, bounced, finished };
std::string_view to_string(Stage stage);  // "opted out"

struct Invitation {
  std::optional<Instant> transaction_date;  // of the transaction; without one, of its batch
  std::optional<Instant> invited_at, opened_at, begun_at, finished_at, closed_at, opted_out_at;
  std::optional<Instant> last_activity;
  std::optional<std::int64_t> seconds_to_answer;  // from the invitation to the end; never below 0
  std::string mail_domain;                        // in lower case; empty: there is no address
  bool opened = false, begun = false, finished = false, closed = false, opted_out = false;
  bool test = false;             // a test batch's or a concept's
  bool second_feedback = false;  // the service has asked once more
  bool contact_requested = false;
};

// `answers`: the customer's answered().
Invitation invitation_of(const Record& customer, std::span<const Answered> answers);

// The stage, and when it was reached where that is known.
struct Reached {
  Stage stage = Stage::sent;
  std::optional<Instant> at;
};
Reached stage_of(const Invitation& invitation, bool bounced,
                 const std::optional<Instant>& bounced_at);

// Was the customer added by a test batch? Empty: the service does not say.
std::optional<bool> is_of_test_batch(const Record& customer);

// The part behind the last @, in lower case; empty where there is none.
std::string mail_domain(std::string_view address);

}  // namespace surveybridge::mapping
