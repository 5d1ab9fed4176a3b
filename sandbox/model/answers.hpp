// The questionnaire, and a customer's answers and enumerations: scale positions, texts, sentiment,
// sometimes a file. Pure: the same seed and customer give the same answers.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sandbox/model/model.hpp"
#include "sandbox/model/node.hpp"

namespace sandbox {

struct Question {
  std::int64_t id;  // BaseQuestionId
  std::string_view guid;
  std::string_view description, text;
  int lowest, highest;  // of the scale; equal: no scale
};

// nullptr: pre-supplied answers may belong to questions that are not asked here.
const Question* find_question(std::int64_t id);

// The id of the scale position with this value, for AnswerFilters.
std::int64_t position_id(std::int64_t question, std::int64_t value);

// Pre-supplied answers first; the respondent answers only the other questions, and not before
// `now`.
std::vector<Answer> answers_of(const Customer& customer, std::uint64_t seed, TimePoint now);

// The enumerations of docs/SERVICE.md 2.4. One name of each is specified; the other values and all
// numbers are the stand-in's own.
enum class ReviewStatus { none, pending, approved, rejected };
enum class FormStatus { none, fresh, in_progress, settled };  // fresh is written "New"
enum class NoteType { by_user, by_system };

Enumeration as_enumeration(ReviewStatus status);
Enumeration as_enumeration(FormStatus status);
Enumeration as_enumeration(NoteType type);
Enumeration sentiment(int value);  // 0 Negative, 1 Neutral, 2 Positive

// By number or by name.
std::optional<ReviewStatus> find_review_status(std::string_view text);

// The state of a customer's review, and of its form.
ReviewStatus review_status(const Customer& customer, TimePoint now);
FormStatus form_status(const Customer& customer, TimePoint now);

}  // namespace sandbox
